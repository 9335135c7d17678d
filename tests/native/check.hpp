// Checks that count themselves: failures are printed with their place, and the last line tells how many held; and
// random numbers for what is checked.
#pragma once

#include <cstdint>
#include <cstdio>
#include <random>

namespace check {

inline int passed = 0;
inline int failed = 0;

inline void note(bool holds, const char* file, int line, const char* text) {
  ++(holds ? passed : failed);
  if (!holds) std::printf("%s:%d: %s\n", file, line, text);
}

template <class Exception, class Function>
bool throws(Function&& function) {
  try {
    function();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

using Generator = std::mt19937_64;

inline std::uint32_t below(Generator& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

inline int finish() {
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(...) ::check::note(static_cast<bool>(__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
