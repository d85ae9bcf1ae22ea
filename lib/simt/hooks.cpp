// The kernels of the executor are compiled with -fsanitize=thread, but not linked with its runtime: the calls
// which the compiler places before every load and store come here. So does an index that leaves an array on the stack
// (-fsanitize=bounds-strict). Linked into each instrumented library, hidden, so that it never meets the real runtime of
// a user's program.

#include <cstddef>
#include <cstdint>

#include "lib/simt/executor.h"

using tandem::simt::note_access;

#define HOOK extern "C" __attribute__((visibility("hidden")))

#define ACCESS(name, bytes, write)                                     \
  HOOK void __tsan_##name(void* address) {                             \
    if (!tandem_simt_unwatched.holds(address, bytes))                  \
      note_access(address, bytes, write, __builtin_return_address(0)); \
  }
ACCESS(read1, 1, false)
ACCESS(read2, 2, false)
ACCESS(read4, 4, false)
ACCESS(read8, 8, false)
ACCESS(read16, 16, false)
ACCESS(write1, 1, true)
ACCESS(write2, 2, true)
ACCESS(write4, 4, true)
ACCESS(write8, 8, true)
ACCESS(write16, 16, true)
ACCESS(unaligned_read2, 2, false)
ACCESS(unaligned_read4, 4, false)
ACCESS(unaligned_read8, 8, false)
ACCESS(unaligned_read16, 16, false)
ACCESS(unaligned_write2, 2, true)
ACCESS(unaligned_write4, 4, true)
ACCESS(unaligned_write8, 8, true)
ACCESS(unaligned_write16, 16, true)

// Types whose size is no power of two, which count as one access, or whose alignment is smaller: nvcc moves those in aligned pieces.
static void note_range(void* address, std::size_t bytes, bool write, const void* instruction) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t lowest = place & -place;  // 0 at a null pointer
  const bool in_pieces = (bytes & (bytes - 1)) == 0 && lowest > 0 && lowest < bytes;
  const std::size_t piece = in_pieces ? lowest : bytes;
  for (std::size_t i = 0; i < bytes; i += piece)
    note_access(static_cast<std::byte*>(address) + i, piece, write, instruction);
}
HOOK void __tsan_read_range(void* address, std::size_t bytes) {
  note_range(address, bytes, false, __builtin_return_address(0));
}
HOOK void __tsan_write_range(void* address, std::size_t bytes) {
  note_range(address, bytes, true, __builtin_return_address(0));
}
HOOK void __tsan_init() {}
HOOK void __tsan_vptr_update(void**, void*) {}

// Atomic operations of host code (guards of statics, reference counts). Kernels have CUDA's own, in cuda.h.
#define ATOMICS(bits)                                                                                   \
  using Bits##bits = std::uint##bits##_t;                                                               \
  HOOK Bits##bits __tsan_atomic##bits##_load(const volatile Bits##bits* a, int) {                       \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                     \
  HOOK void __tsan_atomic##bits##_store(volatile Bits##bits* a, Bits##bits v, int) {                    \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                           \
  }                                                                                                     \
  HOOK Bits##bits __tsan_atomic##bits##_exchange(volatile Bits##bits* a, Bits##bits v, int) {           \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                     \
  HOOK Bits##bits __tsan_atomic##bits##_fetch_add(volatile Bits##bits* a, Bits##bits v, int) {          \
    return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                     \
  HOOK Bits##bits __tsan_atomic##bits##_fetch_sub(volatile Bits##bits* a, Bits##bits v, int) {          \
    return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                     \
  HOOK bool __tsan_atomic##bits##_compare_exchange_strong(volatile Bits##bits* a, Bits##bits* expected, \
                                                          Bits##bits v, int, int) {                     \
    return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
  }                                                                                                     \
  HOOK bool __tsan_atomic##bits##_compare_exchange_weak(volatile Bits##bits* a, Bits##bits* expected,   \
                                                        Bits##bits v, int, int) {                       \
    return __atomic_compare_exchange_n(a, expected, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
  }
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

struct ArrayType {
  std::uint16_t kind, info;
  char name[1];
};
struct OutOfBounds {
  const char* file;
  std::uint32_t line, column;
  const ArrayType *array, *index;
};
HOOK void __ubsan_handle_out_of_bounds_abort(const OutOfBounds* at, std::intptr_t index) {
  tandem::simt::outside_array(index, at->array->name, at->file, at->line);
}
