#include "lib/harness/intersect_data.h"

#include <cmath>

#include "lib/core/random_bits.h"
#include "lib/harness/first_error.h"
#include "lib/ops/intersect/kept_bits.h"

namespace tandem::intersect_data {

const char* name(Pattern pattern) {
  constexpr const char* kNames[] = {"zipf",   "random",      "dense", "equal",   "disjoint",
                                    "nested", "alternating", "high",  "shifted", "odd"};
  return kNames[static_cast<int>(pattern)];
}

Collection collection(const TestShape& s) {
  Collection like = Collection::lab(s.seed);
  constexpr std::int64_t kMost = std::int64_t{1} << 32;  // ids have 32 bits
  like.documents = std::max(2 * s.length, std::min(kMost, s.length * like.documents / like.length));
  like.length = s.length;
  like.lists = 2 * s.queries;
  like.queries = s.queries;
  like.most_terms = s.lists;
  like.least_terms = std::min(like.least_terms, s.lists);
  return like;
}

TestShape as_called(TestShape s) {
  const bool zipf = s.pattern == Pattern::zipf;
  const std::int64_t longest = zipf ? s.length : length(s, s.lists - 1);  // of Zipf's law some are longer
  s.dense = s.form != Intersect::Form::packed && longest >= KeptBits::kFewest;
  s.average = s.length * (1 + s.skew) / 2;
  s.candidates = s.queries * s.length;
  if (!zipf) return s;
  // A list has c/r ids, r evenly drawn from all ranks. On average 1/r is harmonic/lists; of the largest of k
  // ranks it is k/(k - 1)/lists.
  const Collection like = collection(s);
  const double harmonic = std::log(static_cast<double>(std::max<std::int64_t>(1, like.lists))) + 0.577;
  const double terms = static_cast<double>(like.least_terms + like.most_terms) / 2;
  s.average = s.length;
  if (terms > 1)
    s.candidates = s.queries * std::llround(static_cast<double>(s.length) * terms / (terms - 1) /
                                            std::max(1.0, harmonic));
  return s;
}

std::int64_t length(const TestShape& s, std::int64_t t) {
  if (s.pattern == Pattern::equal || s.lists == 1) return s.length;
  return s.length + (s.length * s.skew - s.length) * t / (s.lists - 1);
}

namespace {

using Ids = std::vector<std::uint32_t>;

/// List t of query q.
Ids make_list(const TestShape& s, std::int64_t q, std::int64_t t) {
  const std::int64_t n = length(s, t), longest = length(s, s.lists - 1);
  const auto random = [&](std::int64_t stream, std::int64_t i) {
    return static_cast<std::int64_t>(
        random_bits(s.seed + static_cast<std::uint64_t>(q * 1000 + stream), static_cast<std::uint64_t>(i)) >>
        1);
  };
  // One id in each of n parts of `documents`, evenly cut.
  const auto spread = [&](std::int64_t documents, std::int64_t i) {
    const auto begin = [&](std::int64_t k) {
      return static_cast<std::int64_t>(static_cast<__int128>(k) * documents / n);
    };
    return begin(i) + random(t, i) % (begin(i + 1) - begin(i));
  };
  Ids ids;
  std::int64_t id = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    switch (s.pattern) {
      case Pattern::dense:  // unevenly: pieces of other patterns end where words of bits do
        id += 1 + random(t, i) % 2;
        break;
      case Pattern::equal:
        id = 5 * i + random(0, i) % 5;
        break;
      case Pattern::disjoint:
        id = spread(3 * longest, i) * s.lists + t;
        break;
      case Pattern::alternating:
        id = 2 * i + (t % 2 == 0 || i % 97 == 0);
        break;
      case Pattern::high:
        id = i == 0       ? 0
             : i + 1 == n ? std::int64_t{0xFFFFFFFF}
                          : (std::int64_t{1} << 31) - 2 * n + spread(4 * n, i);
        break;
      case Pattern::shifted:
        id = spread(3 * longest, i) + (t + q) % 2 * 2 * longest;
        break;
      default:
        id = spread(3 * longest, i);
    }
    ids.push_back(static_cast<std::uint32_t>(id));
  }
  return ids;
}

/// Each list is the same long one without the elements above a threshold of its own.
Ids make_nested(const TestShape& s, std::int64_t q, std::int64_t t) {
  const auto longest = static_cast<std::uint64_t>(length(s, s.lists - 1));
  Ids ids;
  for (std::uint64_t i = 0; i < longest; ++i) {
    const std::uint64_t bits = random_bits(s.seed + static_cast<std::uint64_t>(q), i);
    if (bits % longest < static_cast<std::uint64_t>(length(s, t)))
      ids.push_back(static_cast<std::uint32_t>(3 * i + (bits >> 60) % 3));
  }
  return ids;
}

}  // namespace

Made make(const TestShape& s) {
  if (s.pattern == Pattern::zipf) {
    const Collection like = collection(s);
    return {like.index(), like.random_queries()};
  }
  std::vector<Ids> lists(static_cast<std::size_t>(s.queries * s.lists));
  FirstError error;
#pragma omp parallel for schedule(dynamic) if (s.queries * s.lists * s.length > 100000)
  for (std::int64_t l = 0; l < s.queries * s.lists; ++l) {
    error.keep([&] {
      const std::int64_t q = l / s.lists, t = l % s.lists;
      lists[static_cast<std::size_t>(l)] =
          s.pattern == Pattern::nested ? make_nested(s, q, t) : make_list(s, q, t);
    });
  }
  error.rethrow();
  Queries queries;
  std::vector<std::uint32_t> query;
  for (std::int64_t q = 0; q < s.queries; ++q) {
    query.clear();
    for (std::int64_t t = 0; t < s.lists; ++t)
      query.push_back(static_cast<std::uint32_t>(q * s.lists + (t + q) % s.lists));
    if (s.pattern == Pattern::odd && q % 6 != 0) {
      const auto first = static_cast<std::uint32_t>(q * s.lists);
      const auto empty = static_cast<std::uint32_t>(lists.size());
      if (q % 6 == 1) query = {first};
      if (q % 6 == 2) query = {};
      if (q % 6 == 3) query = {first, empty};
      if (q % 6 == 4) query = {first, first, first + 1, first};
      if (q % 6 == 5) query.assign(40, first + 1), query.push_back(0), query.push_back(first);
    }
    queries.add(query);
  }
  lists.emplace_back();
  return {Index(lists), queries};
}

Intersections reference(const Index& index, const Queries& queries) {
  std::vector<std::vector<std::uint32_t>> results(static_cast<std::size_t>(queries.size()));
  FirstError error;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t q = 0; q < results.size(); ++q) {
    const auto query = queries[static_cast<std::int64_t>(q)];
    if (query.empty()) continue;
    const auto shortest = std::min_element(query.begin(), query.end(), [&](std::uint32_t a, std::uint32_t b) {
      return index[a].size() < index[b].size();
    });
    for (const std::uint32_t id : index[*shortest]) {
      const bool all = std::all_of(query.begin(), query.end(), [&](std::uint32_t l) {
        return std::binary_search(index[l].begin(), index[l].end(), id);
      });
      if (all) error.keep([&] { results[q].push_back(id); });
    }
  }
  error.rethrow();
  Intersections joined{{0}, {}};
  for (const auto& ids : results) {
    joined.ids.insert(joined.ids.end(), ids.begin(), ids.end());
    joined.offsets.push_back(joined.ids.size());
  }
  return joined;
}

}  // namespace tandem::intersect_data
