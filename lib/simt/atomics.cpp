// Atomic memory: operations on words of 4 and 8 bytes.

#include "lib/simt/executor.h"

namespace tandem::simt {

std::uint64_t atomic_load(const void* address, unsigned bytes) {
  return bytes == 4 ? __atomic_load_n(static_cast<const std::uint32_t*>(address), __ATOMIC_SEQ_CST)
                    : __atomic_load_n(static_cast<const std::uint64_t*>(address), __ATOMIC_SEQ_CST);
}
void atomic_store(void* address, unsigned bytes, std::uint64_t value) {
  if (bytes == 4)
    __atomic_store_n(static_cast<std::uint32_t*>(address), static_cast<std::uint32_t>(value),
                     __ATOMIC_SEQ_CST);
  else
    __atomic_store_n(static_cast<std::uint64_t*>(address), value, __ATOMIC_SEQ_CST);
}
bool atomic_compare_exchange(void* address, unsigned bytes, std::uint64_t& expected, std::uint64_t desired) {
  if (bytes == 8) {
    return __atomic_compare_exchange_n(static_cast<std::uint64_t*>(address), &expected, desired, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  auto word = static_cast<std::uint32_t>(expected);
  const bool done = __atomic_compare_exchange_n(static_cast<std::uint32_t*>(address), &word,
                                                static_cast<std::uint32_t>(desired), false, __ATOMIC_SEQ_CST,
                                                __ATOMIC_SEQ_CST);
  expected = word;
  return done;
}

}  // namespace tandem::simt
