// intersect over ranks beside that of one rank: every rank has the whole lists, and gives their ids of its range.

#include <algorithm>
#include <random>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

using Ids = std::vector<std::uint32_t>;
using Lists = std::vector<Ids>;

/// Lists of random ids below 3000, the last with ids near the largest one, and one that is empty.
Lists some_lists() {
  std::mt19937 random(5);
  Lists lists;
  for (const unsigned step : {2, 3, 5, 30, 300}) {
    Ids ids;
    for (std::uint32_t id = random() % step; id < 3000; id += 1 + random() % step) ids.push_back(id);
    lists.push_back(ids);
  }
  lists.push_back({0, 1, 2999, 0xFFFFFFFE, 0xFFFFFFFF});
  lists.push_back({});
  return lists;
}
Queries some_queries() {
  Queries queries;
  for (std::uint32_t i = 0; i < 7; ++i) {
    queries.add({i});
    for (std::uint32_t j = 0; j < 7; ++j) queries.add({i, j, 0});
  }
  queries.add(std::span<const std::uint32_t>());
  return queries;
}

/// The ids from `begin` up to `end` of each list.
Lists within(const Lists& lists, std::int64_t begin, std::int64_t end) {
  Lists part(lists.size());
  for (std::size_t l = 0; l < lists.size(); ++l)
    for (const std::uint32_t id : lists[l])
      if (id >= begin && id < end) part[l].push_back(id);
  return part;
}

TEST_CASE("results in rank order are those of the whole") {
  const Lists lists = some_lists();
  const Queries queries = some_queries();
  const Intersections whole = intersect(context(), Index(lists), queries);
  const auto counts = intersect_count(context(), Index(lists), queries);
  auto all_begins = partitions(3000);
  for (auto& begins : all_begins) begins.back() = std::int64_t{1} << 32;
  for (const auto& begins : all_begins) {
    const std::int64_t begin = begins[world().rank()], end = begins[world().rank() + 1];
    const Index plain(within(lists, begin, end));
    for (const AnyIndex& index : {AnyIndex(plain), AnyIndex(PackedIndex(plain))}) {
      const RanksIntersections found = intersect(world(), index, queries);
      CHECK(found.counts == counts);
      CHECK(intersect_count(world(), index, queries) == counts);
      for (std::int64_t q = 0; q < queries.size(); ++q) {
        const Ids all(whole[q].begin(), whole[q].end());
        const Ids here(found.here[q].begin(), found.here[q].end());
        CHECK(here == within({all}, begin, end)[0]);
      }
    }
  }
  const Index none(Lists(3));
  CHECK(intersect(world(), none, Queries()).counts.empty());
  Queries one;
  one.add({2});
  CHECK(intersect(world(), none, one).counts == std::vector<std::uint64_t>{0});
}

TEST_CASE("bad batches are refused on every rank") {
  const int ranks = world().size(), last = ranks - 1;
  const bool odd = world().rank() == last;
  const auto at = static_cast<std::uint32_t>(world().rank());
  // List 0 ascends with the ranks, ranges of list 1 overlap, and those of list 2 have one id in common.
  Ids many;
  for (std::uint32_t i = 0; i < 200; ++i) many.push_back(100 * at + 3 * i);
  const Index index(Lists{{10 * at, 10 * at + 5}, many, {10 * at, 10 * at + 10}});
  Queries good, wrong;
  good.add({0}), wrong.add({odd ? 3u : 0u});
  const auto expect_range = [&](std::uint32_t list, const std::string& least, const std::string& greatest) {
    Queries bad;
    bad.add({list});
    for (const AnyIndex& lists : {AnyIndex(index), AnyIndex(PackedIndex(index))}) {
      const auto text = thrown<InvalidArgument>([&] { intersect(world(), lists, bad); });
      CHECK(text == "intersect: the least id of rank 1 is " + least + "; it must be above " + greatest +
                        ", the greatest of rank 0");
      CHECK(thrown<InvalidArgument>([&] { intersect_count(world(), lists, bad); }) == text);
    }
  };
  if (ranks > 1) expect_range(1, "100", "597"), expect_range(2, "10", "10");
  expect_failed<InvalidArgument>(last, [&] { intersect(world(), index, wrong); });
  expect_failed<InvalidArgument>(
      last, [&] { intersect_count(world(), index, good, {.use = odd ? "nothing" : ""}); });
  Queries two = good;
  two.add({1});
  expect_differ([&] { intersect(world(), index, good); }, [&] { intersect(world(), index, two); },
                "intersect u32 of 2 x 3 elements, others intersect u32 of 1 x 3 elements");
  const Index four(Lists(4));
  expect_differ([&] { intersect(world(), index, good); }, [&] { intersect(world(), four, good); },
                "intersect u32 of 1 x 4 elements");
  CHECK(intersect(world(), index, good).counts[0] ==
        static_cast<std::uint64_t>(2 * ranks));  // and all goes on
}

}  // namespace
}  // namespace tandem

TEST_SUITE_END();
