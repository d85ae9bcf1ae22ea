#pragma once
// The loops that wrong steps on the host start from.

#include "lib/ops/spmm/contract.h"

namespace tandem {

/// Right where sum(r, j) is that of the products of row r and column j, and store(r, j, sum) is a.store.
template <class C, class Sum, class Store>
void elements_in_turn(const typename C::Args& a, Sum sum, Store store) {
  for (std::int64_t r = 0; r < a.rows.count; ++r) {
    for (std::int64_t j = 0; j < a.width; ++j) store(r, j, sum(r, j));
  }
}

/// The same, where sum(k, end, j) is that of the products of these elements and column j.
template <class C, class Sum>
void rows_in_turn(const typename C::Args& a, Sum sum) {
  elements_in_turn<C>(
      a, [&](std::int64_t r, std::int64_t j) { return sum(a.rows.begin(r), a.rows.end(r), j); },
      [&](std::int64_t r, std::int64_t j, typename C::T value) { a.store(r, j, value); });
}

/// The same, where product(k, j) is a.product.
template <class C, class Product>
void products_in_turn(const typename C::Args& a, Product product) {
  rows_in_turn<C>(a, [&](std::int64_t k, std::int64_t end, std::int64_t j) {
    typename C::T sum = 0;
    for (; k < end; ++k) sum += product(k, j);
    return sum;
  });
}

/// The sum of the products of row r and column j.
template <class C>
typename C::T sum_of(const typename C::Args& a, std::int64_t r, std::int64_t j) {
  typename C::T sum = 0;
  for (std::int64_t k = a.rows.begin(r); k < a.rows.end(r); ++k) sum += a.product(k, j);
  return sum;
}

}  // namespace tandem
