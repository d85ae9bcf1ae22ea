#include "bench/ranks/call.h"

#include <fmt/format.h>

#include <fmt/ranges.h>

namespace tandem::command {

std::string RanksCase::str() const {
  return fmt::format("{} {}, {} parts", tandem::name(type), fmt::join(shape, "x"), tandem::name(shares));
}

std::vector<RanksPath> paths_of(RankCall call, bool portable_bits) {
  std::vector<RanksPath> paths(1);
  for (const std::string& name : ranks_paths(call)) paths.push_back({name, {.use = name}});
  if (portable_bits) paths.push_back({"portable bits", {.bits = portable}});
  return paths;
}

const std::vector<RanksOperation>& ranks_operations() {
  static const std::vector<RanksOperation> all{ranks_all_reduce(), ranks_reduce(), ranks_scan(),
                                               ranks_transpose(),  ranks_gemm(),   ranks_tridiagonal(),
                                               ranks_intersect()};
  return all;
}

}  // namespace tandem::command
