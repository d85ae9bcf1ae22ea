#pragma once
// The loop that wrong steps on the host start from.

#include "lib/ops/spmv_sell/contract.h"

namespace tandem {

/// Right where product(k) is a.product, and store(p, sum) is a.store.
template <class Args, class Product, class Store>
void positions_in_turn(const Args& a, Product product, Store store) {
  for (std::int64_t p = 0; p < a.rows; ++p) {
    decltype(a.alpha + 0) sum = 0;
    for (std::int64_t j = 0; j < a.length(p); ++j) sum += product(a.first(p) + j * a.slice_rows);
    store(p, sum);
  }
}
template <class Args, class Product>
void products_in_turn(const Args& a, Product product) {
  positions_in_turn(a, product, [&](std::int64_t p, auto sum) { a.store(p, sum); });
}

}  // namespace tandem
