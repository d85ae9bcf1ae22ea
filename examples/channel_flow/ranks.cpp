#include "ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>

namespace channel {
namespace {

/// The first rank that failed; their number where none did.
int first_of(tandem::Communicator& all, bool failed) {
  const std::array<std::int32_t, 1> mine{failed ? all.rank() : all.size()};
  return tandem::reduce(all, mine, tandem::minimum);
}

}  // namespace

Planes planes_of(const Flow& flow, const Where& where) {
  const std::int64_t n = flow.n[0];
  if (!where.all) return {0, n, 0};
  const std::int64_t parts = std::clamp<std::int64_t>(n / 2, 1, where.all->size());
  const auto begin_of = [&](std::int64_t rank) { return n * std::min(rank, parts) / parts; };
  const std::int64_t first = begin_of(where.all->rank());
  return {first, begin_of(where.all->rank() + 1) - first, 1};
}

void together(const Where& where, const std::function<void()>& work) {
  std::exception_ptr thrown;
  try {
    work();
  } catch (...) {
    thrown = std::current_exception();
  }
  const int first = where.all ? first_of(*where.all, thrown != nullptr) : 0;
  if (thrown) std::rethrow_exception(thrown);
  if (where.all && first < where.all->size())
    throw tandem::RankFailed(first,
                             fmt::format("channel_flow: rank {} threw in its part of the work", first));
}

int one_speaks(const Where& where, int failed, const std::function<int()>& work) {
  if (!where.all) return work();
  std::exception_ptr own;
  try {
    return work();
  } catch (const tandem::RankFailed&) {
  } catch (...) {
    own = std::current_exception();
  }
  if (first_of(*where.all, own != nullptr) == where.all->rank()) std::rethrow_exception(own);
  return failed;
}

}  // namespace channel
