#pragma once
// What the tests of calls over ranks share. Run by mpirun; all ranks go through the same tests.

#include <algorithm>
#include <string>
#include <vector>

#include "tandem/ranks.h"
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

/// Where the part of each rank begins: shared out evenly, unevenly, to one rank alone, to every other rank, one element each and the
/// rest to the last.
inline std::vector<std::vector<std::int64_t>> partitions(std::int64_t n) {
  const int ranks = world().size();
  std::vector<std::vector<std::int64_t>> all(5);
  for (int r = 0; r <= ranks; ++r) {
    all[0].push_back(n * r / ranks);
    all[1].push_back(r == ranks ? n : n * r * r / (ranks * ranks));
    all[2].push_back(r <= ranks / 2 ? 0 : n);
    all[3].push_back(r == ranks ? n : n * ((r + 1) / 2) / ranks);
    all[4].push_back(r == ranks ? n : std::min<std::int64_t>(r, n));
  }
  return all;
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
