#pragma once
// The kernel that wrong steps for the executor start from: one thread takes one chunk of the array after the other.

#include "lib/ops/reduce_by_key/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {

constexpr std::int64_t kChunk = 512;

/// Right where Way::carries is true: what a chunk has of the run that goes on is part of it.
template <class C, class Word, class Way>
__global__ void reduce_chunks(typename C::Args a, Keys<Word> keys) {
  std::int64_t runs = 0;
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t begin = 0; begin < a.n; begin += kChunk) {
    if (!Way::carries) total = C::Op::template identity<typename C::Acc>();
    for (std::int64_t i = begin; i < a.n && i < begin + kChunk; ++i) {
      if (keys.begins(i) || (Way::ends && i == begin)) {
        static_cast<Word*>(a.keys_out)[runs++] = keys.data[i];
        total = C::load(a.in[i]);
      } else {
        total = typename C::Op{}(total, C::load(a.in[i]));
      }
      a.out[runs - 1] = total;
    }
  }
  *a.count = runs;
}

template <class C, class Way>
void reduce_in_chunks(const typename C::Args& a, Context& ctx) {
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    launch(ctx, 1, 1, 0, reduce_chunks<C, Word, Way>, a, keys);
  });
}

}  // namespace tandem
