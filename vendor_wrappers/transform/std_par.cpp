// needs: tbb
// std::transform with std::execution::par_unseq, which libstdc++ runs on TBB. It takes at most two inputs;
// for more, std::for_each visits the results and takes the index from the address of each.

#include <execution>

#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

template <class C>
void std_par(const typename C::Args& a, Context&) {
  using T = typename C::T;
  constexpr auto policy = std::execution::par_unseq;
  if constexpr (C::kInputs == 1) {
    std::transform(policy, a.in[0], a.in[0] + a.n, a.out, a.f);
  } else if constexpr (C::kInputs == 2) {
    std::transform(policy, a.in[0], a.in[0] + a.n, a.in[1], a.out, a.f);
  } else {
    std::for_each(policy, a.out, a.out + a.n, [&a](T& z) { z = C::at(a, &z - a.out); });
  }
}

REGISTER(Transform, std_par, .note = "std::transform(par_unseq)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
