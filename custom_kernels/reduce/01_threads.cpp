// Idea:    threads share chunks of a fixed size. Within a chunk, 256 bytes of independent accumulators take
//          neighbouring elements in turn, which the compiler vectorises without having to reorder any
//          addition; the totals of the chunks are added in order.
// New:     against serial, all cores; and no operation waits for the one before it.
// Expect:  memory bandwidth: a core needs a quarter of its vector rate to add what memory delivers. 64
//          accumulators instead of one also divide the longest chain of roundings. The result does not depend
//          on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sum. Nobody waits
//          for a thread that does not wake: on a busy machine one does all.
// Source:  Higham 2002, "Accuracy and stability of numerical algorithms", section 4.2, on how several
//          accumulators reduce the error.

#include <algorithm>
#include <cstring>

#include "lib/core/workers.h"
#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kChunk = 1 << 15;  // elements that a thread claims at once
constexpr std::int64_t kAlone = 4;        // up to this many chunks one thread does all
constexpr std::int64_t kFewest = 128;     // below this a plain loop is faster
/// Type of an accumulator: the narrower, the more a vector holds. Results of int8 elements fit in int8 but for products, and
/// so many sums of a chunk share it that each fits in int16.
template <class C>
using Lane =
    std::conditional_t<std::is_same_v<typename C::T, std::int8_t> && C::id.op != OperatorId::multiplies,
                       std::conditional_t<C::id.op == OperatorId::plus, std::int16_t, std::int8_t>,
                       typename C::Acc>;
/// Number of accumulators: four vectors even where a vector has 64 bytes. Fewer for 64-bit integers, which
/// baseline x86-64 compares outside its vector registers.
template <class Lane>
constexpr int kLanes = std::is_same_v<Lane, std::int64_t> ? 16 : 256 / sizeof(Lane);
static_assert(kChunk / kLanes<std::int16_t> * 128 <= 1 << 15);

template <class C>
typename C::Acc reduce_chunk(const typename C::T* in, std::int64_t n) {
  constexpr typename C::Op op;
  constexpr int kCount = kLanes<Lane<C>>;
  Lane<C> lanes[kCount];
  std::fill(std::begin(lanes), std::end(lanes), C::Op::template identity<Lane<C>>());
  std::int64_t i = 0;
  for (; i + kCount <= n; i += kCount) {
    for (int lane = 0; lane < kCount; ++lane)
      lanes[lane] = op(lanes[lane], static_cast<Lane<C>>(C::load(in[i + lane])));
  }
  for (int lane = 0; lane < n - i; ++lane)
    lanes[lane] = op(lanes[lane], static_cast<Lane<C>>(C::load(in[i + lane])));
  typename C::Acc total = lanes[0];
  for (int lane = 1; lane < kCount; ++lane) total = op(total, static_cast<typename C::Acc>(lanes[lane]));
  return total;
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  const std::int64_t chunks = (a.n + kChunk - 1) / kChunk;
  Acc* totals = ctx.scratch<Acc>(chunks);
  parallel_for(chunks, {.most = 8, .alone = kAlone}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t c = begin; c < end; ++c)
      totals[c] = reduce_chunk<C>(a.in + c * kChunk, std::min(kChunk, a.n - c * kChunk));
  });
  Acc total = totals[0];
  for (std::int64_t c = 1; c < chunks; ++c) total = typename C::Op{}(total, totals[c]);
  *a.out = total;
}

double depth(std::int64_t n) {
  const int lanes = kLanes<double>;  // the fewest
  return static_cast<double>(std::min(n, kChunk)) / lanes + kLanes<float> +
         static_cast<double>(n / kChunk + 1);
}

REGISTER(
    Reduce, threads, .note = "threads, vector instructions, many accumulators", .depth = depth,
    .suits = [](const Reduce::Shape& s) { return s.n >= kFewest; })

}  // namespace
}  // namespace tandem
