// Vectors in large pages, if the system provides them: in one tick, large networks touch far more small pages than the
// TLB covers.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace isoplane::sim {

template <class T>
struct LargePages {
  using value_type = T;
  static constexpr std::size_t kPage = std::size_t{1} << 21;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < 2 * kPage) return static_cast<T*>(::operator new(bytes));
    const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, rounded, MADV_HUGEPAGE);  // only a hint: small pages work too
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < 2 * kPage) {
      ::operator delete(memory);
    } else {
      std::free(memory);
    }
  }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class T>
using Memory = std::vector<T, LargePages<T>>;

}  // namespace isoplane::sim
