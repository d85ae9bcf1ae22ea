#pragma once
// Kernels of calls over ranks: what a rank does with what came from the others, in the memory of its GPU. A table for each
// place, which the kernels' files fill when they are loaded.

#include <cstdint>

#include "tandem/communicator.h"
#include "tandem/tridiagonal.h"

namespace tandem {

struct RankKernels {
  /// out[i] = op over part[i] of all parts, in rank order.
  void (*fold)(Context& ctx, CaseId id, const detail::FoldParts& parts) = nullptr;

  /// A rank's rows of tridiagonal systems, as calls over ranks need them; `systems` tells where they lie.
  struct Rows {
    const void *lower, *diag, *upper, *rhs;
    Systems systems;
    bool is_first, is_last;  // of the whole
  };
  /// How many segments split() cuts each system into.
  std::int64_t (*split_segments)(std::int64_t n, std::int64_t systems) = nullptr;
  /// Leaves min(2, n) rows of each system in left: arrays lower, diag, upper and rhs, one behind the other, each rows · count
  /// elements, systems of a row side by side. memory: 8 · segments · count elements. lost: becomes 1 where a pivot is.
  void (*split)(Context& ctx, Type type, const Rows& rows, void* memory, void* left, int* lost) = nullptr;
  /// Solves rows · count such equations in place: rhs becomes x.
  void (*solve_left)(Context& ctx, Type type, void* left, std::int64_t rows, std::int64_t count, int* lost) = nullptr;
  /// x = rhs without what the first and the last unknowns, which are `ends`, take from their neighbours; and these ends.
  void (*set_ends)(Context& ctx, Type type, const Rows& rows, const void* ends, void* x) = nullptr;
  /// Rows of the systems from `first` on, `count` of them, to or from a block in which systems of a row lie side by side.
  void (*pack)(Context& ctx, Type type, const Systems& systems, std::int64_t first, std::int64_t count, const void* array,
               void* block) = nullptr;
  void (*unpack)(Context& ctx, Type type, const Systems& systems, std::int64_t first, std::int64_t count,
                 const void* block, void* array) = nullptr;
};

/// To be filled at `place`; simt: kernels on the executor.
TANDEM_API RankKernels& rank_kernels(Place place);

}  // namespace tandem
