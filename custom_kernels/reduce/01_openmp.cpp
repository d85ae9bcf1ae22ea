// Idea:    threads share blocks of a fixed size. Within a block, 256 bytes of independent accumulators take
//          neighbouring elements in turn, which the compiler turns into vector instructions without having to
//          reorder any addition; the totals of the blocks are added in order.
// New:     against serial, all cores; and no operation waits for the one before it.
// Expect:  memory bandwidth: a core needs a quarter of its vector rate to add what memory delivers. 64
//          accumulators instead of one also divide the longest chain of roundings. The result does not depend
//          on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sum.
// Source:  OpenMP 4.5, section 2.7.1; Higham 2002, "Accuracy and stability of numerical algorithms", section
//          4.2, on what several accumulators do to the error.

#include <algorithm>
#include <cstring>

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kBlock = 1 << 15;   // elements
constexpr std::int64_t kSerialBlocks = 4;  // up to this many, one thread
/// What an accumulator holds: the minimum of int8 elements needs no more than they do.
template <class C>
using Lane = std::conditional_t<std::is_same_v<typename C::T, std::int8_t> && C::id.op != OperatorId::plus,
                                std::int8_t, typename C::Acc>;
/// Accumulators: four vectors even where a vector has 64 bytes. Not so many for 64-bit integers, which the
/// oldest x86-64 compares outside its vector registers.
template <class Lane>
constexpr int kLanes = std::is_same_v<Lane, std::int64_t> ? 16 : 256 / sizeof(Lane);

template <class C>
typename C::Acc block_total(const typename C::T* in, std::int64_t n) {
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
void openmp(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  const std::int64_t blocks = (a.n + kBlock - 1) / kBlock;
  Acc* totals = ctx.scratch<Acc>(blocks);
#pragma omp parallel for schedule(guided) if (blocks > kSerialBlocks)
  for (std::int64_t b = 0; b < blocks; ++b) {
    totals[b] = block_total<C>(a.in + b * kBlock, std::min(kBlock, a.n - b * kBlock));
  }
  Acc total = totals[0];
  for (std::int64_t b = 1; b < blocks; ++b) total = typename C::Op{}(total, totals[b]);
  *a.out = total;
}

double depth(std::int64_t n) {
  const int lanes = kLanes<double>;  // the fewest
  return static_cast<double>(std::min(n, kBlock)) / lanes + kLanes<float> +
         static_cast<double>(n / kBlock + 1);
}

REGISTER(Reduce, openmp, .note = "threads, vector instructions, many accumulators", .depth = depth)

}  // namespace
}  // namespace tandem
