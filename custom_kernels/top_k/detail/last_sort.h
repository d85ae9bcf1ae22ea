#pragma once
// A step of sort, called by its name within a call of top_k: keys that were found, or all keys, are put in order.

#include <string>

#include "lib/ops/top_k/contract.h"
#include "tandem/error.h"

namespace tandem {

/// keys_out = the n keys in order, positions_out = the positions in the order of their keys; each may be what is read, and
/// positions may be null. One block where it holds all of them, else digit by digit. Scratch memory is the call's.
template <class C>
void run_sort(const typename C::Key* keys, typename C::Key* keys_out, const std::int64_t* positions,
              std::int64_t* positions_out, std::int64_t n, const KeyOrder<typename C::Key>& order,
              Context& ctx) {
  using Case = Sort::Case<typename C::T>;
  const auto find = [](const std::string& step) {
    for (const Implementation* i : matching("sort/custom/" + step)) {
      if (i->place == TANDEM_PLACE && i->operation == Sort::name && i->left_out.empty()) return i;
    }
    throw Unavailable("top_k: needs sort/custom/" + step + ", which this build does not have");
  };
  static const Implementation *const one_block = find("one_block"), *const one_sweep = find("one_sweep");
  const int value_bytes = positions ? int{sizeof(std::int64_t)} : 0;
  const typename Case::Args args{keys, n, keys_out, positions, positions_out, value_bytes, order};
  const Sort::Shape shape{n, value_bytes};
  const Implementation* const step = one_block->refusal(&shape, Case::id).empty() ? one_block : one_sweep;
  step->launchers[static_cast<std::size_t>(case_index<Sort, Case>())](&args, ctx);
}

}  // namespace tandem
