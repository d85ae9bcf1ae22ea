#pragma once
// The list of cases that a contract is compiled for, walked at compile time.

#include <type_traits>

#include "tandem/operators.h"

namespace tandem {

template <class... C>
struct CaseList {
  template <class F>
  static constexpr void for_each(F&& f) {
    (f.template operator()<C>(), ...);
  }
};

namespace detail {
template <class... Lists>
struct Join;
template <class... C>
struct Join<CaseList<C...>> {
  using type = CaseList<C...>;
};
template <class... A, class... B, class... Rest>
struct Join<CaseList<A...>, CaseList<B...>, Rest...> : Join<CaseList<A..., B...>, Rest...> {};
}  // namespace detail
template <class... Lists>
using Joined = typename detail::Join<Lists...>::type;

/// Position of a case in a contract's list; −1 where it is not there.
template <class Contract, class C>
constexpr int case_index() {
  int index = 0, found = -1;
  Contract::Cases::for_each([&]<class D>() {
    if constexpr (std::is_same_v<C, D>) found = index;
    ++index;
  });
  return found;
}

/// Calls f.operator()<C>() for the case with this id; false where the contract has none.
template <class Contract, class F>
bool for_case(CaseId id, F&& f) {
  bool found = false;
  Contract::Cases::for_each([&]<class C>() {
    if (!found && C::id == id) {
      found = true;
      f.template operator()<C>();
    }
  });
  return found;
}

}  // namespace tandem
