#pragma once
// Where a flow is computed, and what ranks that compute one together agree on.

#include <tandem/ranks.h>

#include <functional>

#include "flow.h"

namespace channel {

/// By one process in a context, or by all ranks of a communicator, which share out the planes of the grid along x.
struct Where {
  Where(tandem::Context& ctx) : ctx(ctx) {}
  Where(tandem::Communicator& all) : ctx(all.context()), all(&all) {}

  /// Whether this is the rank that prints, and reads and writes files.
  bool is_first() const { return !all || all->rank() == 0; }

  tandem::Context& ctx;
  tandem::Communicator* all = nullptr;
};

/// The planes along x that this rank has: as many as others, but never one alone, since the two planes at an inflow or an outflow
/// belong together; of few planes some ranks have none.
Planes planes_of(const Flow& flow, const Where& where);

/// Work that ranks do by themselves. Where it throws on one of them, the others throw tandem::RankFailed.
void together(const Where& where, const std::function<void()>& work);

/// Runs `work`, which returns an exit status, on all ranks: where it throws, it does so on all of them (see together). The first
/// rank with an exception of its own throws it on, to be told; the others return `failed`.
int one_speaks(const Where& where, int failed, const std::function<int()>& work);

}  // namespace channel
