// Idea:    a block has a few neighbouring systems, and a thread a run of rows of one of them. The threads of one run
//          are neighbours in memory where the systems are, so interleaved systems are read in whole sectors; runs of
//          one system meet in shared memory, where their last unknowns are solved for.
// New:     against warp_hybrid, no turning round, and systems may be as long as a block has runs. Against naive, each
//          system has many threads, c′ and d′ stay on chip, and 5 words per unknown move instead of 9.
// Expect:  the bandwidth of a copy at 5 words per unknown; log2(runs) barriers in between, which other blocks hide.
// Limits:  up to 512 runs of 16 rows, whose c′ and d′ lie in shared memory where the runs are many: then few blocks fit
//          on a multiprocessor to hide each other's waits. Contiguous systems are read a sector of each line at a time.
//          Repeats bit for bit. The kernel is in common/tridiagonal_split.cuh, because the functors of users run on it
//          too.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; Klein, Strzodka 2021, "Tridiagonal GPU solver with
//          scaled partial pivoting at maximum bandwidth", for the partition in one pass.

#include "custom_kernels/tridiagonal/detail/split.cuh"

namespace tandem {
namespace {

template <class C>
void split(const typename C::Args& a, Context& ctx) {
  split_over_block<C>(a, StoredRows{}, ctx);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.n > kSplitMostRows)
    return "takes up to " + std::to_string(kSplitMostRows) + " rows, on chip in a block";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

REGISTER(Tridiagonal, split,
         .note = "systems in registers of a block: neighbouring threads have neighbouring systems",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
