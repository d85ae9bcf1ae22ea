// Idea:    one launch for a whole batch: a block takes a piece of a query's shortest list and all other lists of that query;
//          of each it looks only at the part between its first and its last candidate.
// New:     against precise_start, a block finds its parts of four lists at once, two warps for each, 32 probes at a time;
//          parts that are not much longer than the piece come into shared memory in one coalesced sweep, and searches end
//          there; a piece without a candidate left ends at once; and what is found goes straight to its place: blocks tell
//          each other by look-back how many results lie before them. No marks, no lists in between.
// Expect:  the shortest lists are read once, of the others what has a chance to match; a few microseconds for a piece, of
//          which a GPU has a thousand under way. Counting needs neither places nor writes.
// Limits:  blocks must start in index order (see common/lookback.cuh). Dense lists are searched like all others, ten
//          probes in shared memory for a candidate, where a merge would take two. The order of results is fixed. The kernel
//          is in common/intersect_piece.cuh, because the next steps run on it too.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back"; Ao et al. 2011.

#include "custom_kernels/intersect/detail/piece.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

/// Results go to their final place, which blocks find by look-back over the numbers of all pieces before.
struct LookBack {
  Epochs* state;
  Descriptor<std::uint64_t>* descriptors;

  template <class Args>
  __device__ auto place(const Args& a, std::int64_t, std::int64_t, int total) const {
    const unsigned epoch = state->running();
    const bool first_lane = threadIdx.x % kWarp == 0;
    std::uint64_t before = 0;
    if (blockIdx.x > 0) {
      if (first_lane) descriptors[blockIdx.x].publish(total, 2 * epoch);
      before = look_back<Plus>(descriptors, blockIdx.x, epoch);
    }
    if (first_lane) descriptors[blockIdx.x].publish(before + total, 2 * epoch + 1);
    return a.out + before;
  }
  template <class Args, class T>
  __device__ void finish(const Args& a, std::int64_t q, const T* place, int total) const {
    write_offsets(a, blockIdx.x, q, place - a.out, total, threadIdx.x, kPieceThreads);
    if (threadIdx.x == 0) state->finish_block(state->running());
  }
};

template <class C>
void batch(const typename C::Args& a, Context& ctx) {
  LookBack results{};
  if (!a.counts) {
    auto* memory = ctx.state<std::byte>("intersect/batch", lookback_bytes<std::uint64_t>(a.pieces));
    results = {reinterpret_cast<Epochs*>(memory), descriptors_in<std::uint64_t>(memory)};
  }
  intersect_pieces<C, PlainList<typename C::T>>(a, ctx, results);
}

REGISTER(Intersect, batch,
         .note = "one launch: a block per piece and all its lists, results placed by look-back")

}  // namespace
}  // namespace tandem
