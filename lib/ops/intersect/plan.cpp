#include "lib/ops/intersect/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tandem/error.h"

namespace tandem {

QueryPlan::QueryPlan(std::span<const std::uint64_t> list_starts, const Queries& given) {
  if (given.starts.empty() || given.starts.front() != 0 || given.starts.back() != given.lists.size()) {
    throw InvalidArgument(fmt::format(
        "intersect: starts of 'queries' must go from 0 to {}, the number of its lists", given.lists.size()));
  }
  PlanView& s = sizes_;
  s.queries = given.size();
  const auto count = static_cast<std::size_t>(s.queries) + 1;
  const std::size_t lists = list_starts.size() - 1;
  const auto length = [&](std::uint32_t list) { return list_starts[list + 1] - list_starts[list]; };
  std::vector<std::uint32_t> sorted;
  sorted.reserve(given.lists.size());
  words_.assign(3 * count, 0);
  for (std::size_t q = 0; q + 1 < count; ++q) {
    if (given.starts[q + 1] < given.starts[q] || given.starts[q + 1] > given.lists.size()) {
      throw InvalidArgument(fmt::format("intersect: starts[{}] of 'queries' is {}; it must be from {} to {}",
                                        q + 1, given.starts[q + 1], given.starts[q], given.lists.size()));
    }
    const std::size_t first = sorted.size();
    for (std::uint64_t t = given.starts[q]; t < given.starts[q + 1]; ++t) {
      if (given.lists[t] >= lists) {
        throw InvalidArgument(
            fmt::format("intersect: list {} of query {} is {}; it must be below {}, the number of lists",
                        t - given.starts[q], q, given.lists[t], lists));
      }
      sorted.push_back(given.lists[t]);
    }
    const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return length(a) != length(b) ? length(a) < length(b) : a < b;
    });
    sorted.erase(std::unique(begin, sorted.end()), sorted.end());
    const std::uint64_t shortest = sorted.size() == first ? 0 : length(sorted[first]);
    words_[q + 1] = sorted.size();
    words_[count + q + 1] = words_[count + q] + shortest;
    s.longest = std::max(s.longest, static_cast<std::int64_t>(shortest));
    s.most_terms = std::max(s.most_terms, static_cast<int>(sorted.size() - first));
  }
  s.term_count = static_cast<std::int64_t>(sorted.size());
  for (const std::uint32_t list : sorted) s.term_ids += static_cast<std::int64_t>(length(list));
  s.candidates = static_cast<std::int64_t>(words_[2 * count - 1]);
  // Long pieces share what it costs to find their place in the other lists, short ones keep every core busy.
  s.piece = s.candidates >= s.queries * 4 * kLongPiece ? kLongPiece : kShortPiece;
  for (std::size_t q = 0; q + 1 < count; ++q) {
    const std::uint64_t mine = words_[count + q + 1] - words_[count + q];
    words_[2 * count + q + 1] = words_[2 * count + q] + (mine + static_cast<std::uint64_t>(s.piece) - 1) /
                                                            static_cast<std::uint64_t>(s.piece);
  }
  s.pieces = static_cast<std::int64_t>(words_.back());
  words_.resize(words_.size() + (sorted.size() + 1) / 2);
  if (!sorted.empty())
    std::memcpy(words_.data() + 3 * count, sorted.data(), sorted.size() * sizeof sorted[0]);
}

PlanView QueryPlan::at(const std::uint64_t* words) const {
  PlanView view = sizes_;
  const std::int64_t count = view.queries + 1;
  view.first_term = words;
  view.first_candidate = words + count;
  view.first_piece = words + 2 * count;
  view.terms = reinterpret_cast<const std::uint32_t*>(words + 3 * count);
  return view;
}

}  // namespace tandem
