// Wrong:   compares the lower halves of keys of 64 bits.
// Caught:  keys that differ in their highest bits alone.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void low_words(const typename C::Args& a, Context&) {
  scan_keys<C, std::uint64_t>(a, [](std::uint64_t before, std::uint64_t key) {
    return static_cast<std::uint32_t>(before) != static_cast<std::uint32_t>(key);
  });
}

REGISTER(SegmentedScan, low_words, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
