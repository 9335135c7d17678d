// Cyclic redundancy checks of any width from 3 to 64 bits, byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace isoplane {

// The parameters of the Rocksoft model (Williams, "A painless guide to CRC error detection algorithms", 1993), and the
// bytes of an id that are checked. `reflected` holds for the bits of each byte and of the checksum alike.
struct CrcModel {
  unsigned width = 32;
  std::uint64_t polynomial = 0x04C11DB7;
  std::uint64_t initial = 0xFFFFFFFF;
  std::uint64_t final_xor = 0xFFFFFFFF;
  bool reflected = true;
  bool big_endian = false;
  unsigned id_bytes = 4;
};

// The register stands at the end of the word where its bits leave it: at the upper one, or, reflected, at the lower
// one. There the next byte always meets its leading bits, also if the checksum is narrower than a byte.
class Crc {
 public:
  explicit Crc(const CrcModel& model) : model_(model), start_(leading(model.initial)) {
    const std::uint64_t polynomial = leading(model.polynomial);
    for (std::uint64_t byte = 0; byte < table_.size(); ++byte) {
      std::uint64_t bits = model.reflected ? byte : byte << 56;
      for (int bit = 0; bit < 8; ++bit)
        bits = model.reflected ? bits >> 1 ^ (bits & 1 ? polynomial : 0) : bits << 1 ^ (bits >> 63 ? polynomial : 0);
      table_[byte] = bits;
    }
  }

  std::uint64_t operator()(std::span<const std::uint8_t> bytes) const {
    std::uint64_t bits = start_;
    for (const std::uint8_t byte : bytes) bits = next(bits, byte);
    return checksum(bits);
  }

  // The checksum of an id: its lowest bytes, in the order of the model. Bytes beyond the fourth are 0.
  std::uint64_t operator()(std::uint32_t id) const {
    std::uint64_t bits = start_;
    for (unsigned place = 0; place < model_.id_bytes; ++place) {
      const unsigned byte = model_.big_endian ? model_.id_bytes - 1 - place : place;
      bits = next(bits, static_cast<std::uint8_t>(std::uint64_t{id} >> 8 * byte));
    }
    return checksum(bits);
  }

 private:
  std::uint64_t next(std::uint64_t bits, std::uint8_t byte) const {
    return model_.reflected ? bits >> 8 ^ table_[(bits ^ byte) & 0xFF] : bits << 8 ^ table_[bits >> 56 ^ byte];
  }

  std::uint64_t checksum(std::uint64_t bits) const {
    return (model_.reflected ? bits : bits >> (64 - model_.width)) ^ model_.final_xor;
  }

  // A value of `width` bits at the end where bits leave: moved up, or in reverse order.
  std::uint64_t leading(std::uint64_t value) const {
    const std::uint64_t upper = value << (64 - model_.width);
    if (!model_.reflected) return upper;
    std::uint64_t reversed = 0;
    for (int bit = 0; bit < 64; ++bit) reversed |= (upper >> bit & 1) << (63 - bit);
    return reversed;
  }

  CrcModel model_;
  std::uint64_t start_;
  std::array<std::uint64_t, 256> table_{};
};

}  // namespace isoplane
