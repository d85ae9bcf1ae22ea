#pragma once
// The loop that wrong steps on the host start from.

#include "lib/ops/spmv/contract.h"

namespace tandem {

/// Right where sum(begin, end) is that of the products of these elements, and store(r, sum) is a.store.
template <class C, class Sum, class Store>
void rows_in_turn(const typename C::Args& a, Sum sum, Store store) {
  for (std::int64_t r = 0; r < a.rows.count; ++r) store(r, sum(a.rows.begin(r), a.rows.end(r)));
}

/// The same, where product(k) is a.product.
template <class C, class Product>
void products_in_turn(const typename C::Args& a, Product product) {
  rows_in_turn<C>(
      a,
      [&](std::int64_t k, std::int64_t end) {
        typename C::T sum = 0;
        for (; k < end; ++k) sum += product(k);
        return sum;
      },
      [&](std::int64_t r, typename C::T sum) { a.store(r, sum); });
}

/// The sum of the products of these elements.
template <class C>
typename C::T sum_of(const typename C::Args& a, std::int64_t k, std::int64_t end) {
  typename C::T sum = 0;
  for (; k < end; ++k) sum += a.product(k);
  return sum;
}

}  // namespace tandem
