// Posting lists: what an index accepts, and packed lists, which are the same lists in fewer bits.

#include <fmt/format.h>
#include <rapidcheck.h>

#include <memory>

#include "lib/ops/intersect/device_copies.h"
#include "tandem/tandem.h"
#include "tests/posting_lists.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("postings");

TEST_CASE("lists that do not ascend are refused") {
  const auto refused = [](const Lists& lists, const std::string& part) {
    const std::string message = thrown<InvalidArgument>([&] { Index index(lists); });
    CHECK_MESSAGE(contains(message, part), message);
  };
  refused({{1, 2}, {4, 4}}, "id 1 of list 1 is 4; it must be above 4, the one before it");
  refused({{1, 2, 0}}, "id 2 of list 0 is 0; it must be above 2");
  for (const std::size_t bad :
       {std::size_t{1}, std::size_t{511}, std::size_t{512}, std::size_t{513}, std::size_t{1599}}) {
    Ids ids = every(10, 10, 1600);
    ids[bad] = ids[bad - 1];
    refused({ids}, fmt::format("id {} of list 0", bad));
  }
  const Ids ids{1, 2, 3};
  const auto starts = [&](std::vector<std::uint64_t> values) {
    return thrown<InvalidArgument>([&] { Index index(values, ids); });
  };
  CHECK(contains(starts({}), "'starts' goes from nothing to nothing; it must go from 0 to 3"));
  CHECK(contains(starts({0, 2}), "goes from 0 to 2; it must go from 0 to 3"));
  CHECK(contains(starts({1, 3}), "goes from 1 to 3"));
  CHECK(contains(starts({0, 2, 1, 3}), "starts[2] is 1; it must be from 2"));
  CHECK(contains(starts({0, 9, 3}), "starts[1] is 9; it must be from 0, the start before it, to 3"));
  const Index index(Lists{{1}});
  CHECK(contains(thrown<InvalidArgument>([&] { index[1]; }), "list is 1; it must be in [0, 1)"));
}

TEST_CASE("lists and queries that were moved from say so") {
  Index a(Lists{{1, 2}});
  PackedIndex b(a);
  const Index c = std::move(a);
  const PackedIndex d = std::move(b);
  const char* const kMessage = "posting lists or queries: were moved from; assign them new ones";
  CHECK(thrown<InvalidArgument>([&] { static_cast<void>(a.ids()); }) == kMessage);
  CHECK(thrown<InvalidArgument>([&] { static_cast<void>(b.bytes()); }) == kMessage);
  a = c;
  CHECK(a.ids() == 2);
}

TEST_CASE("copies of lists end with their context, whatever else was copied there") {
  using Copy = std::shared_ptr<int>;
  DeviceCopies<Copy> one, other;
  int made = 0;
  const auto make = [&] { return std::make_shared<int>(++made); };
  std::weak_ptr<int> of_one, of_other;
  {
    Context ctx = Context::host();
    of_one = one.of(ctx, make);
    of_other = other.of(ctx, make);
    Context moved = std::move(ctx);
    one.of(moved, make);
    CHECK(made == 2);
  }
  Context next = Context::host();
  one.of(next, make);
  other.of(next, make);
  CHECK(made == 4);
  CHECK(of_one.expired());
  CHECK(of_other.expired());
}

TEST_CASE("packed lists are the same lists") {
  Lists lists;
  Queries queries;
  build(lists, queries);
  // Every width of gaps, in a full block and in each length of a last one.
  for (std::uint32_t width = 0; width <= 32; ++width) {
    for (const std::uint32_t n : {1u, 2u, 3u, 4u, 5u, 63u, 127u, 128u, 129u, 131u, 260u}) {
      Ids ids;
      // The largest gap, less one, is 2^width − 1: in the middle, or, of 32 bits, in front.
      std::uint64_t id = width < 32 ? 0 : 0xFFFFFE00u;
      for (std::uint32_t i = 0; i < n; ++i, ++id) {
        if (i == n / 2 && width < 32) id += (std::uint64_t{1} << width) - 1;
        ids.push_back(static_cast<std::uint32_t>(id));
      }
      lists.push_back(std::move(ids));
    }
  }
  for (const Ids& last : {Ids{0}, every(0, 1, 128), every(7, 1, 1280)})  // which take no bits
    CHECK(PackedIndex(Index(Lists{{5}, last})).unpack(1) == last);
  const Index index(lists);
  const PackedIndex packed(index);
  CHECK(packed.lists() == index.lists());
  CHECK(packed.ids() == index.ids());
  for (std::size_t l = 0; l < lists.size(); ++l)
    CHECK_MESSAGE(packed.unpack(static_cast<std::int64_t>(l)) == lists[l], l);
  CHECK(contains(thrown<InvalidArgument>([&] { packed.unpack(-1); }), "list is -1; it must be in [0, "));

  // Each of them with itself and with its neighbour, by all that reads packed lists.
  for (std::size_t l = 1; l < lists.size(); ++l) {
    queries.add({static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(l - 1)});
    queries.add({static_cast<std::uint32_t>(l)});
  }
  Context ctx = Context::host();
  const Intersections expected = intersect(ctx, index, queries, {"custom/serial"});
  for (const Implementation* i : host_rows("intersect")) {
    if (i->reads != "packed") continue;
    const Intersections results = intersect(ctx, packed, queries, {i->name});
    CHECK_MESSAGE(results.offsets == expected.offsets, i->name);
    CHECK_MESSAGE(results.ids == expected.ids, i->name);
  }
}

TEST_CASE("packed lists of any gaps") {
  CHECK(rc::check([](const std::vector<std::vector<std::uint32_t>>& gaps) {
    Lists lists;
    for (const Ids& list : gaps) {
      Ids ids;
      std::uint64_t id = 0;
      for (const std::uint32_t gap : list) {
        id += gap % 2 == 0 ? gap % 64 : gap;
        if (id > 0xFFFFFFFFu) break;
        ids.push_back(static_cast<std::uint32_t>(id++));
      }
      lists.push_back(ids);
    }
    const PackedIndex packed{Index(lists)};
    for (std::size_t l = 0; l < lists.size(); ++l)
      RC_ASSERT(packed.unpack(static_cast<std::int64_t>(l)) == lists[l]);
  }));
}

TEST_CASE("how large packed lists are") {
  // Gaps of one bit: 16 bytes for 128 ids, and 8 to find the block.
  Ids ids(128 * 1000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>(2 * i + i % 2);
  const std::size_t lists = 2 * 3 * 8, padding = 16;
  CHECK(PackedIndex(Index(Lists{ids})).bytes() == 1000 * (2 * 16 + 8) + lists + padding);
  // Runs need no bits at all; of a last block only what its ids need is kept.
  CHECK(PackedIndex(Index(Lists{every(0, 1, 1280)})).bytes() == 10 * 8 + lists + padding);
  CHECK(PackedIndex(Index(Lists{{0xFFFFFFFF}})).bytes() == 16 + 8 + lists + padding);
  CHECK(PackedIndex(Index(Lists{})).bytes() == lists / 2 + padding);
}

TEST_SUITE_END();

}  // namespace tandem
