// Idea:    one accumulator, which begins anew where the key changes. Every later step must agree with this one.
// Expect:  one dependent operation per element; where runs are short, a branch per run that the processor guesses wrong.
// Limits:  one core; an error that grows with the length of a run.

#include "custom_kernels/segmented_scan/detail/stretches.h"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    auto* const keys_out = static_cast<Word*>(a.keys_out);
    std::int64_t run = 0;
    for_runs(keys, 0, a.n, [&](std::int64_t from, std::int64_t to, bool) {
      auto total = C::load(a.in[from]);
      for (std::int64_t i = from + 1; i < to; ++i) total = typename C::Op{}(total, C::load(a.in[i]));
      keys_out[run] = keys.data[from];
      a.out[run++] = total;
    });
    *a.count = run;
  });
}

REGISTER(ReduceByKey, serial, .note = "a loop that begins anew where the key changes")

}  // namespace
}  // namespace tandem
