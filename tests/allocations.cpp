#include "tests/allocations.h"

#include <new>

namespace tandem {

constinit OperatorNew operator_new;

void* OperatorNew::allocate(std::size_t bytes, std::size_t alignment) noexcept {
  const std::int64_t index = calls++, first = fail_at_;
  if (index == first || (for_ever_ && index > first)) {
    ++failures;
    return nullptr;
  }
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(bytes ? bytes : 1)
                     : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory) ++live;
  return memory;
}

void OperatorNew::release(void* memory) noexcept {
  if (memory) --live;
  std::free(memory);
}

}  // namespace tandem

namespace {
void* allocate(std::size_t bytes, std::size_t alignment) {
  void* memory = tandem::operator_new.allocate(bytes, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}
}  // namespace

// The other forms of the standard library call these, but for the one below in a sanitizer's library.
void* operator new(std::size_t bytes) { return allocate(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return tandem::operator_new.allocate(bytes, 0);
}
void operator delete(void* memory) noexcept { tandem::operator_new.release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { tandem::operator_new.release(memory); }
// Those with a size are named here too, or the compiler warns.
void operator delete(void* memory, std::size_t) noexcept { tandem::operator_new.release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  tandem::operator_new.release(memory);
}
