#pragma once
// What the tests of calls over ranks share. Run by mpirun; all ranks go through the same tests.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "lib/harness/rank_shares.h"
#include "tandem/ranks.h"
#include "tests/ranks/own_operators.h"
#include "tests/support.h"

namespace tandem {

inline Context& context() {
  static Context ctx = Context::host();
  return ctx;
}
inline Communicator& world() {
  static Communicator all = Communicator::mpi(context());
  return all;
}

/// Where the part of each rank begins, in every way of Shares.
inline std::vector<std::vector<std::int64_t>> partitions(std::int64_t n) {
  std::vector<std::vector<std::int64_t>> all;
  for (const Shares shares : kShares) all.push_back(share_out(shares, n, world().size()));
  return all;
}

template <class F>
void for_each_type(const F& f) {
#define TANDEM_ROW(name, T, ...) f.template operator()<T>();
  TANDEM_ELEMENT_TYPES(TANDEM_ROW)
#undef TANDEM_ROW
}
template <class T, class F>
void for_each_operator(const F& f) {
  f(plus), f(multiplies), f(minimum), f(maximum);
  if constexpr (detail::reduces<T, LogicalAnd>()) f(logical_and), f(logical_or);
}

/// Whether they have the same bits.
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// On rank `odd` an E is thrown, on the others RankFailed, which names it.
template <class E, class Call>
void expect_failed(int odd, const Call& call) {
  if (world().rank() == odd) {
    thrown<E>(call);
  } else {
    try {
      call();
      FAIL_CHECK("nothing was thrown");
    } catch (const RankFailed& failed) {
      CHECK(failed.rank == odd);
      CHECK(contains(failed.what(), "rank " + std::to_string(odd) + " threw"));
    }
  }
}

/// Ranks whose calls differ: RanksDiffer on every one, which names the last rank.
template <class Usual, class Odd>
void expect_differ(const Usual& usual, const Odd& odd, const std::string& text) {
  if (world().size() < 3) return;  // of two ranks neither is the odd one
  const int last = world().size() - 1;
  try {
    if (world().rank() == last)
      odd();
    else
      usual();
    FAIL_CHECK("nothing was thrown");
  } catch (const RanksDiffer& differ) {
    CHECK(differ.rank == last);
    CHECK_MESSAGE(contains(differ.what(), "rank " + std::to_string(last) + " calls " + text), differ.what());
  }
}

}  // namespace tandem
