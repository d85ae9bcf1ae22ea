#pragma once
// The loop that wrong steps on the host start from.

#include "lib/ops/spmv_bsr/contract.h"

namespace tandem {

/// Right where product(k, r, c) is a.product, and store(row, sum) is a.store.
template <class Args, class Product, class Store>
void rows_in_turn(const Args& a, Product product, Store store) {
  for (std::int64_t row = 0; row < a.rows; ++row) {
    decltype(a.alpha + 0) sum = 0;
    const std::int64_t i = row / a.block_rows, r = row % a.block_rows;
    for (std::int64_t k = a.begin(i); k < a.end(i); ++k) {
      for (std::int64_t c = 0; c < a.block_cols; ++c) sum += product(k, r, c);
    }
    store(row, sum);
  }
}
template <class Args, class Product>
void products_in_turn(const Args& a, Product product) {
  rows_in_turn(a, product, [&](std::int64_t row, auto sum) { a.store(row, sum); });
}

}  // namespace tandem
