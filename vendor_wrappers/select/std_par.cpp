// needs: tbb
// std::copy_if, unique_copy and partition_copy with std::execution::par_unseq, which libstdc++ runs on TBB.
// Limits:  no flags: a predicate of the library sees a copy of an element, not its place.

#include <algorithm>
#include <execution>

#include "lib/ops/select/contract.h"

namespace tandem {
namespace {

template <class C>
void std_par(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr auto policy = std::execution::par_unseq;
  T* end;
  if (a.kind == Select::Kind::unique) {
    end = std::unique_copy(policy, a.in, a.in + a.n, a.out);
  } else if (a.kind == Select::Kind::partition) {
    T* room = ctx.scratch<T>(a.n);
    const auto ends = std::partition_copy(policy, a.in, a.in + a.n, a.out, room, a.range);
    std::copy(policy, room, ends.second, ends.first);
    end = ends.first;
  } else {
    end = std::copy_if(policy, a.in, a.in + a.n, a.out, a.range);
  }
  *a.count = end - a.out;
}

std::string no_flags(const Select::Shape& shape, CaseId id) {
  if (shape.kind == Select::Kind::flags) return "std::copy_if has no flags beside the elements";
  return Select::refuses(shape, id);
}

REGISTER(Select, std_par, .note = "std::copy_if(par_unseq)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE), .refuses = no_flags)

}  // namespace
}  // namespace tandem
