#pragma once
// The loop that wrong steps on the host start from.

#include "lib/ops/reduce_by_key/contract.h"

namespace tandem {

/// How a loop does it; what is wrong replaces one of these.
struct RightLoop {
  template <class Word>
  static bool begins(const Keys<Word>& keys, std::int64_t i) {
    return keys.begins(i);
  }
  template <class C>
  static typename C::Acc first(typename C::Acc x) {
    return x;
  }
  template <class C>
  static typename C::Acc next(typename C::Acc total, typename C::Acc x) {
    return typename C::Op{}(total, x);
  }
  static std::int64_t key_at(std::int64_t from, std::int64_t) { return from; }  // of elements [from, to)
  static std::int64_t count(std::int64_t runs) { return runs; }
};

template <class C, class Loop>
void reduce_in_turn(const typename C::Args& a) {
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    auto* const keys_out = static_cast<Word*>(a.keys_out);
    std::int64_t runs = 0;
    for (std::int64_t from = 0; from < a.n;) {
      auto total = Loop::template first<C>(C::load(a.in[from]));
      std::int64_t to = from + 1;
      for (; to < a.n && !Loop::begins(keys, to); ++to)
        total = Loop::template next<C>(total, C::load(a.in[to]));
      keys_out[runs] = keys.data[Loop::key_at(from, to)];
      a.out[runs++] = total;
      from = to;
    }
    *a.count = Loop::count(runs);
  });
}

}  // namespace tandem
