// needs: tbb
// std::transform_reduce with std::execution::par_unseq, which libstdc++ runs on TBB.

#include <execution>
#include <numeric>

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void std_par(const typename C::Args& a, Context&) {
  using Acc = typename C::Acc;
  *a.out = std::transform_reduce(std::execution::par_unseq, a.in, a.in + a.n, C::Op::template identity<Acc>(),
                                 typename C::Op{}, [](typename C::T x) -> Acc { return C::load(x); });
}

REGISTER(Reduce, std_par, .note = "std::transform_reduce(par_unseq)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE), .repeats = false)

}  // namespace
}  // namespace tandem
