// Idea:    each thread counts its share of the elements in a table of its own; the tables are added up.
// New:     against serial, all cores work, and none waits for a count that another one holds.
// Expect:  as many times serial's speed as there are cores, while a table fits in a core's cache. Adding up costs the
//          tables once more, so with many bins and few elements one thread counts alone, and the choice takes serial.
// Limits:  a table of 8 bytes for each bin and thread.

#include "custom_kernels/histogram/detail/tables.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  count_in_tables<1>(a, ctx, [&](std::int64_t begin, std::int64_t end, std::int64_t* table) {
    for (std::int64_t i = begin; i < end; ++i) ++table[a.slot(a.in[i])];
  });
}

REGISTER(Histogram, threads, .note = "a table for each thread, added up", .suits = worth_tables<1>)

}  // namespace
}  // namespace tandem
