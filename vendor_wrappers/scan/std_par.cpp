// needs: tbb
// std::inclusive_scan and exclusive_scan with std::execution::par_unseq, which libstdc++ runs on TBB. Those
// of libstdc++ 12 give wrong results in two cases (pstl/numeric_impl.h), which are refused with the reason.

#include <execution>
#include <numeric>

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

/// libstdc++ starts each part of a floating-point scan from 0.
constexpr bool starts_from_identity(OperatorId op) {
  return op == OperatorId::plus || op == OperatorId::logical_or;
}

template <class C>
void std_par(const typename C::Args& a, Context&) {
  constexpr auto policy = std::execution::par_unseq;
  const typename C::Op op;
  if constexpr (C::kNarrow || (std::is_floating_point_v<typename C::T> && !starts_from_identity(C::Op::id))) {
    return;  // refused
  } else if constexpr (C::kLoadsPlain) {
    if (a.exclusive)
      std::exclusive_scan(policy, a.in, a.in + a.n, a.out, a.init, op);
    else
      std::inclusive_scan(policy, a.in, a.in + a.n, a.out, op, a.init);
  } else {
    if (a.exclusive)
      std::transform_exclusive_scan(policy, a.in, a.in + a.n, a.out, a.init, op, typename C::Load{});
    else
      std::transform_inclusive_scan(policy, a.in, a.in + a.n, a.out, op, typename C::Load{}, a.init);
  }
}

std::string wrong_in_library(const Scan::Shape& shape, CaseId id) {
  const bool floating = id.type == Type::f32 || id.type == Type::f64;
  if (floating && !starts_from_identity(id.op)) {
    return "libstdc++ starts each part of a floating-point scan from 0, which is not the identity of this "
           "operator";
  }
  if (shape.exclusive && shape.in_place)
    return "libstdc++'s exclusive scan in place reads what it has overwritten";
  return Scan::refuse_narrow(shape, id);
}

REGISTER(Scan, std_par, .note = "std::inclusive_scan(par_unseq)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE), .refuses = wrong_in_library,
         .repeats = false,
         .deviates =
             "wrong for floating-point operators but plus and logical_or, and for an exclusive scan in "
             "place: refused")

}  // namespace
}  // namespace tandem
