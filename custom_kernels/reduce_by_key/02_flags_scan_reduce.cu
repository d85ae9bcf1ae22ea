// Idea:    a flag for each element, 1 where a run begins; a scan of the flags numbers the runs; each beginning writes its
//          place and its key to where its number says; then a thread for each run reduces it.
// New:     against threads, every element has a thread, and afterwards every run. The scan is that of the scan ladder: tiles
//          of 256, whose totals are scanned by the same kernel.
// Expect:  for each element two reads of keys and some seven words of flags and numbers. A thread reads a run alone, and a
//          warp takes as long as its longest.
// Limits:  numbers of 32 bits, so n < 2^31; six launches for two levels; one long run is the work of one thread.
// Source:  Blelloch 1990, "Prefix sums and their applications", section 1.5; Sengupta, Harris, Zhang, Owens 2007, "Scan
//          primitives for GPU computing".

#include "custom_kernels/scan/detail/flags.cuh"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;

__device__ std::int64_t index() { return std::int64_t(blockIdx.x) * kThreads + threadIdx.x; }

template <class Word>
__global__ void flag_beginnings(Keys<Word> keys, std::int64_t n, std::int32_t* flags) {
  if (index() < n) flags[index()] = keys.begins(index());
}

/// numbers: of an element's run, from 1 on.
template <class C, class Word>
__global__ void scatter_beginnings(typename C::Args a, Keys<Word> keys, const std::int32_t* numbers,
                                   std::int32_t* begins) {
  const std::int64_t i = index();
  if (i >= a.n) return;
  const std::int32_t run = numbers[i] - 1;
  if (i == 0 || numbers[i - 1] == run) {
    begins[run] = std::int32_t(i);
    static_cast<Word*>(a.keys_out)[run] = keys.data[i];
  }
  if (i == a.n - 1) *a.count = run + 1;
}

template <class C>
__global__ void reduce_runs(typename C::Args a, const std::int32_t* begins) {
  const std::int64_t run = index(), runs = *a.count;
  if (run >= runs) return;
  const std::int64_t end = run + 1 < runs ? begins[run + 1] : a.n;
  auto total = C::load(a.in[begins[run]]);
  for (std::int64_t i = begins[run] + 1; i < end; ++i) total = typename C::Op{}(total, C::load(a.in[i]));
  a.out[run] = total;
}

template <class C>
void flags_scan_reduce(const typename C::Args& a, Context& ctx) {
  const std::int64_t blocks = ceil_div(a.n, kThreads);
  auto* const flags = ctx.scratch<std::int32_t>(a.n);  // later where runs begin
  auto* const numbers = ctx.scratch<std::int32_t>(a.n);
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    launch(ctx, blocks, kThreads, 0, flag_beginnings<Word>, keys, a.n, flags);
    scan_in_levels<Flags>({flags, a.n, numbers, false, 0}, ctx, kThreads, kThreads, 0, scan_flags<kThreads>);
    launch(ctx, blocks, kThreads, 0, scatter_beginnings<C, Word>, a, keys,
           static_cast<const std::int32_t*>(numbers), flags);
  });
  launch(ctx, blocks, kThreads, 0, reduce_runs<C>, a, static_cast<const std::int32_t*>(flags));
}

std::string too_long(const ReduceByKey::Shape& shape, CaseId) { return refuse_beyond_flags(shape.n); }

REGISTER(ReduceByKey, flags_scan_reduce, .note = "flags, a scan that numbers runs, a thread for each run",
         .refuses = too_long)

}  // namespace
}  // namespace tandem
