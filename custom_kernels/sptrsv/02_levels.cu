// Idea:    a launch for each level, a thread for each of its rows.
// New:     against threads, thousands of rows at once; the end of a launch is the barrier between levels.
// Expect:  a launch and the latency of a row for each level, however few rows it has. Each grid starts early, so that part of a
//          launch hides behind the level before.
// Limits:  a chain, in which each row needs the one before, is a launch for each row. Neighbouring threads read elements a row
//          apart, and a level takes as long as its longest row.
// Source:  Naumov 2011, "Parallel solution of sparse triangular linear systems in the preconditioned iterative methods on the
//          GPU".

#include "custom_kernels/sptrsv/detail/level.cuh"

namespace tandem {
namespace {

template <class C>
void levels(const typename C::Args& given, Context& ctx) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    for (std::int64_t level = 0; level < a.levels; ++level) solve_level(a, level, ctx);
  });
}

REGISTER(
    Sptrsv, levels, .note = "a launch for each level, a thread for each row",
    .suits = [](const Sptrsv::Shape& s) { return s.variant() == 0; })

}  // namespace
}  // namespace tandem
