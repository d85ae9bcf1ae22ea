#pragma once
// thrust::reduce_by_key; the including file says with which of Thrust's systems.

#include <thrust/reduce.h>
#include <thrust/version.h>

#include "lib/ops/reduce_by_key/contract.h"
#include "vendor_wrappers/segmented_scan/operands.h"
#include "vendor_wrappers/segmented_scan/rivals.h"

namespace tandem {
namespace {

/// Returns the number of runs.
template <class C, class Policy>
std::int64_t thrust_runs(const Policy& policy, const typename C::Args& a) {
  std::int64_t runs = 0;
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    runs = thrust::reduce_by_key(policy, keys.data, keys.data + a.n, operands<C>(a.in),
                                 static_cast<Word*>(a.keys_out), a.out, SameKey<Word>{keys.floating},
                                 Typed<typename C::Acc, typename C::Op>{})
               .second -
           a.out;
  });
  return runs;
}

}  // namespace
}  // namespace tandem
