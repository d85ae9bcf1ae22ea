#pragma once
// What the tests of random share.

#include <string_view>
#include <vector>

#include "tandem/context.h"
#include "tandem/random.h"

namespace tandem {

/// n numbers by the automatic choice, or by `use`.
template <class D>
std::vector<typename D::Value> numbers(std::size_t n, const D& distribution, const RandomKey& key = {},
                                       std::string_view use = {}) {
  Context ctx = Context::host();
  std::vector<typename D::Value> x(n);
  random(ctx, x, distribution, key, {use});
  return x;
}

}  // namespace tandem
