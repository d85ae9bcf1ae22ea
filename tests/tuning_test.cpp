// Tunings: every point computes what its operation means, and the published ends of the tables are there.

#include "lib/harness/tuning.h"

#include <set>

#include "lib/harness/operation.h"
#include "tests/support.h"

namespace tandem {
namespace {

[[maybe_unused]] std::set<std::string> names(std::string_view operation, std::string_view tuning) {
  std::set<std::string> found;
  for (const TuningPoint& point : tuning_points(operation, tuning)) found.insert(point.implementation.name);
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("tuning");

TEST_CASE("an unknown tuning is refused") {
  CHECK(contains(thrown<InvalidArgument>([] { tuning_points("gemm", "tiles"); }),
                 "--tuning is 'tiles'; tunings of gemm: "));
  CHECK(thrown<InvalidArgument>([] { tuning_points("scan", "tile"); }) ==
        "--tuning is 'tile'; tunings of scan: none in this build");
}

#if defined(TANDEM_HAS_SIMT) && !defined(TANDEM_HAS_ONLY_SOME)

TEST_CASE("the points of the published tables are there") {
  for (const char* name :
       {"gemm/tile/1x1@simt", "gemm/tile/2x2@simt", "gemm/tile/8x8@simt", "gemm/tile/32x32@simt"})
    CHECK_MESSAGE(names("gemm", "tile").contains(name), name);
  for (const char* name :
       {"gemm/inputs/2x2/2+2@simt", "gemm/inputs/2x2/64+64@simt", "gemm/inputs/2x2/128+128@simt"})
    CHECK_MESSAGE(names("gemm", "inputs").contains(name), name);
  for (const char* name : {"gemm/neighbours/2+2@simt", "gemm/neighbours/128+128@simt"})
    CHECK_MESSAGE(names("gemm", "neighbours").contains(name), name);
  for (const char* name :
       {"intersect/bucket/hash/16", "intersect/bucket/hash/512", "intersect/bucket/hash/4096",
        "intersect/bucket/hash_coarse/16@simt", "intersect/bucket/hash_fine/4096@simt"})
    CHECK_MESSAGE(names("intersect", "bucket").contains(name), name);
}

TEST_CASE("the model allows at most the bound, and more to more warps") {
  for (const auto& [operation, tuning] : tunings()) {
    for (const TuningPoint& point : tuning_points(operation, tuning)) {
      CAPTURE(point.implementation.name);
      double last = 0;
      for (const int warps : {1, 4, 16, 64}) {
        const double share = point.model(point, warps);
        CHECK(share >= last);
        CHECK(share > 0);
        CHECK(share <= 1);
        last = share;
      }
    }
  }
}

#endif

TEST_CASE("every point is right") {
  long executed = 0;
  for (const auto& [of, name] : tunings()) {
    const Operation& op = operation(of);
    for (const TuningPoint& point : tuning_points(of, name)) {
      const Implementation& i = point.implementation;
      if (!i.unavailable().empty()) continue;
      Context ctx = i.place == Place::device ? Context::device() : Context::host();
      for (const Trial& trial : op.tests(op.cases[0], Coverage::brief, 1)) {
        const auto problem = op.make(ctx, 0, trial);
        const Verdict verdict = check(i, 0, *problem, ctx, trial.n);
        CHECK_MESSAGE(verdict.correct, i.name, " ", trial.str(), ": ", verdict.text);
        ++executed;
      }
    }
  }
  MESSAGE(executed, " cases of points executed");
}

TEST_SUITE_END();

}  // namespace tandem
