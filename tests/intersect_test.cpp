// Posting lists: what an index and queries accept, the calls, all paths on the same batches with one hash over all
// results, files that are cut off or damaged anywhere, and the generator's bytes.

#include <fmt/format.h>
#include <rapidcheck.h>

#include <chrono>
#include <fstream>
#include <map>
#include <numeric>

#include "lib/core/fnv1a.h"
#include "lib/ops/intersect/device_copies.h"
#include "lib/harness/posting_random.h"
#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

using Ids = std::vector<std::uint32_t>;
using Lists = std::vector<Ids>;

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void spill(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}
std::string words(const Ids& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]};
}

Lists lists_of(const Index& index) {
  Lists lists;
  for (std::int64_t l = 0; l < index.lists(); ++l) lists.emplace_back(index[l].begin(), index[l].end());
  return lists;
}
bool sound(const Index& index) {
  for (const Ids& list : lists_of(index)) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (list[i] <= list[i - 1]) return false;
    }
  }
  return true;
}

/// n ids from `first` on, `step` apart.
Ids every(std::uint32_t first, std::uint32_t step, std::uint32_t n) {
  Ids ids(n);
  for (std::uint32_t i = 0; i < n; ++i) ids[i] = first + i * step;
  return ids;
}

// Both sides of pieces, every pattern, skew from 1:1 to 1:10^6, dense and sparse, and what is odd but legal.
void build(Lists& lists, Queries& queries) {
  const auto add = [&](Lists of_query) {
    Ids numbers;
    for (Ids& list : of_query) {
      numbers.push_back(static_cast<std::uint32_t>(lists.size()));
      lists.push_back(std::move(list));
    }
    queries.add(numbers);
  };
  for (const std::uint32_t n : {0u, 1u, 2u, 7u, 8u, 9u, 511u, 512u, 513u, 1024u}) {
    add({every(5, 3, n), every(5, 3, n)});                      // equal
    add({every(0, 2, n), every(1, 2, n)});                      // disjoint, alternating
    add({every(6, 6, n), every(0, 3, 2 * n + 3)});              // nested
    add({every(0, 1, n), every(n / 2, 1, n), every(0, 1, 1)});  // dense, half in common
    add({every(0, 999, n), every(0, 998, n), every(0, 1, n)});  // sparse
  }
  for (const std::uint32_t skew : {1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u})
    add({{0, skew, 3 * skew + 1}, every(0, 1, 3 * skew)});
  add({{0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF}, {0, 1, 0x80000000, 0xFFFFFFFF}});
  const auto some = static_cast<std::uint32_t>(lists.size());
  add({every(3, 5, 100)});
  lists.push_back({});
  queries.add({some, some, 0});
  queries.add({some, some, some});
  queries.add({some, some + 1});
  queries.add(std::span<const std::uint32_t>());
  queries.add(Ids(100, some));
}

std::vector<const Implementation*> host_rows() {
  std::vector<const Implementation*> rows;
  for (const Implementation& i : implementations()) {
    if (i.operation == "intersect" && i.unavailable().empty() && i.place != Place::device &&
        i.path != "wrong")
      rows.push_back(&i);
  }
  return rows;
}

}  // namespace

TEST_SUITE_BEGIN("intersect");

/// The lists as an implementation reads them.
struct BothForms {
  Index plain;
  PackedIndex packed;
  explicit BothForms(const Index& index) : plain(index), packed(index) {}
  AnyIndex operator()(const Implementation& i) const {
    return Intersect::reads_packed(i) ? AnyIndex(packed) : AnyIndex(plain);
  }
};

TEST_CASE("all paths give the same ids, and the same counts") {
  Lists lists;
  Queries queries;
  build(lists, queries);
  const BothForms index{Index(lists)};
  Context ctx = Context::host();
  std::map<std::uint64_t, std::vector<std::string>> by_hash;
  std::uint64_t total = 0;
  for (const Implementation* i : host_rows()) {
    const Intersections results = intersect(ctx, index(*i), queries, {i->name});
    by_hash[fingerprint(results.offsets, results.ids)].push_back(i->name);
    total = results.ids.size();
    const auto counts = intersect_count(ctx, index(*i), queries, {i->name});
    for (std::int64_t q = 0; q < queries.size(); ++q)
      CHECK(counts[static_cast<std::size_t>(q)] == results[q].size());
  }
  for (const auto& [h, names] : by_hash)
    fmt::print("{} paths: {} ids of {} queries, hash {:016x}\n", names.size(), total, queries.size(), h);
  CHECK(by_hash.size() == 1);
}

TEST_CASE("a small collection like the lab's, on all paths") {
  const Collection collection = Collection::small(1);
  const BothForms index(collection.index());
  const Queries queries = collection.random_queries();
  Context ctx = Context::host();
  std::map<std::uint64_t, std::uint64_t> totals;
  for (const Implementation* i : host_rows()) {
    const Intersections results = intersect(ctx, index(*i), queries, {i->name});
    totals[fingerprint(results.offsets, results.ids)] = results.ids.size();
  }
  for (const auto& [h, total] : totals) fmt::print("small collection: {} ids, hash {:016x}\n", total, h);
  CHECK(totals.size() == 1);
}

TEST_CASE("what the calls return") {
  Context ctx = Context::host();
  const Index index(Lists{{1, 3, 5, 7, 9}, {2, 3, 5, 8}, {}, {3, 5, 4000000000u}});
  Queries queries;
  queries.add({0, 1});
  queries.add({0, 2});
  queries.add({3});
  queries.add(std::span<const std::uint32_t>());
  queries.add({3, 1, 0, 1});
  const Intersections results = intersect(ctx, index, queries);
  CHECK(results.offsets == std::vector<std::uint64_t>{0, 2, 2, 5, 5, 7});
  CHECK(results.ids == Ids{3, 5, 3, 5, 4000000000u, 3, 5});
  CHECK(intersect_count(ctx, index, queries) == std::vector<std::uint64_t>{2, 0, 3, 0, 2});
  std::vector<Ids> seen;
  intersect_each(ctx, index, queries, [&](std::int64_t q, std::span<const std::uint32_t> ids) {
    CHECK(q == static_cast<std::int64_t>(seen.size()));
    seen.emplace_back(ids.begin(), ids.end());
  });
  CHECK(seen == std::vector<Ids>{{3, 5}, {}, {3, 5, 4000000000u}, {}, {3, 5}});

  const QueryBatch batch(ctx, index, queries);
  CHECK(batch.queries() == 5);
  CHECK(batch.most() == 4 + 0 + 3 + 0 + 3);
  std::vector<std::uint64_t> offsets(6), counts(5);
  Ids ids(10, 77);
  intersect_into(ctx, batch, offsets, ids);
  CHECK(offsets == results.offsets);
  CHECK(std::equal(results.ids.begin(), results.ids.end(), ids.begin()));
  intersect_count_into(ctx, batch, counts);
  CHECK(counts == std::vector<std::uint64_t>{2, 0, 3, 0, 2});

  const Intersections none = intersect(ctx, index, Queries{});
  CHECK(none.offsets == std::vector<std::uint64_t>{0});
  CHECK(intersect_count(ctx, Index(Lists{}), Queries{}).empty());
  CHECK(index.lists() == 4);
  CHECK(index.ids() == 12);
}

TEST_CASE("no call of a known size allocates in the context") {
  Context ctx = Context::host();
  const Collection collection = Collection::small(3);
  const BothForms index(collection.index());
  const Queries queries = collection.random_queries();
  for (const Implementation* i : host_rows()) {
    intersect(ctx, index(*i), queries, {i->name});
    intersect_count(ctx, index(*i), queries, {i->name});
    const std::size_t after_first = ctx.allocations();
    intersect(ctx, index(*i), queries, {i->name});
    intersect_count(ctx, index(*i), queries, {i->name});
    CHECK_MESSAGE(ctx.allocations() == after_first, i->name);
  }
}

// --- packed lists

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
  for (const Implementation* i : host_rows()) {
    if (!Intersect::reads_packed(*i)) continue;
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

TEST_CASE("what reads packed lists is chosen for them, and nothing else can be") {
  Context ctx = Context::host();
  const Index index(Lists{{1, 2, 3}, {2, 3, 4, 5}});
  const PackedIndex packed(index);
  Queries queries;
  queries.add({0, 1});
  CHECK(intersect(ctx, packed, queries).ids == Ids{2, 3});
  CHECK(ctx.last().implementation == "intersect/custom/packed_openmp");
  intersect(ctx, index, queries);
  CHECK(ctx.last().implementation.find("packed") == std::string_view::npos);
  CHECK(contains(thrown<Unavailable>([&] { intersect(ctx, packed, queries, {"custom/serial"}); }),
                 "intersect/custom/serial: reads plain lists, and these are packed"));
  CHECK(contains(thrown<Unavailable>([&] { intersect(ctx, index, queries, {"packed_openmp"}); }),
                 "intersect/custom/packed_openmp: reads packed lists; make a PackedIndex of these"));
  CHECK(intersect_count(ctx, packed, queries) == std::vector<std::uint64_t>{2});
  const QueryBatch batch(ctx, packed, queries);
  std::vector<std::uint64_t> offsets(2);
  Ids ids(3);
  intersect_into(ctx, batch, offsets, ids);
  CHECK(offsets == std::vector<std::uint64_t>{0, 2});
  CHECK(ids[1] == 3);
  const QueryBatch keeps(ctx, PackedIndex(index), queries);  // the lists, which nobody else has
  intersect_into(ctx, keeps, offsets, ids);
  CHECK(ids[0] == 2);
}

TEST_CASE("every path reads plain lists or packed ones, and says which") {
  for (const Implementation& i : implementations()) {
    if (i.operation != "intersect" || i.path == "wrong" || !i.left_out.empty()) continue;
    int refused = 0;
    for (const Intersect::Form form : {Intersect::Form::plain, Intersect::Form::packed}) {
      const Intersect::Shape shape{.queries = 1, .lists = 2, .length = 3, .skew = 1, .form = form};
      refused += !i.refusal(&shape, Intersect::Case<std::uint32_t>::id).empty();
    }
    CHECK_MESSAGE(refused == 1, i.name);
  }
}

TEST_CASE("an intersection commutes, and of a list with itself is the list") {
  CHECK(rc::check([](std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
    for (Ids* list : {&a, &b}) {
      for (std::uint32_t& id : *list) id %= 64;  // so that some are common
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    Context ctx = Context::host();
    const Index index(Lists{a, b});
    Queries queries;
    queries.add({0, 1});
    queries.add({1, 0});
    queries.add({0, 0});
    const Intersections results = intersect(ctx, index, queries);
    RC_ASSERT(std::ranges::equal(results[0], results[1]));
    RC_ASSERT(std::ranges::equal(results[2], a));
    Ids expected;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    RC_ASSERT(std::ranges::equal(results[0], expected));
  }));
}

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

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  const Index index(Lists{{1, 2, 3}, {2, 3, 4, 5}});
  Queries queries;
  queries.add({0, 1});
  queries.add({1, 1, 2});
  CHECK(contains(thrown<InvalidArgument>([&] { intersect(ctx, index, queries); }),
                 "list 2 of query 1 is 2; it must be below 2, the number of lists"));
  queries.starts = {0, 2, 1, 5};
  CHECK(contains(thrown<InvalidArgument>([&] { intersect(ctx, index, queries); }),
                 "starts[2] of 'queries' is 1"));
  queries.starts = {0, 2};
  CHECK(contains(thrown<InvalidArgument>([&] { intersect(ctx, index, queries); }), "must go from 0 to 5"));
  queries = {};
  queries.add({0, 1});
  const QueryBatch batch(ctx, index, queries);
  std::vector<std::uint64_t> offsets(2, 7), counts(1, 7);
  Ids ids(3, 7);
  const auto bad = [&](View<std::uint64_t> o, View<std::uint32_t> i, const std::string& part) {
    const std::string message = thrown<InvalidArgument>([&] { intersect_into(ctx, batch, o, i); });
    CHECK_MESSAGE(contains(message, part), message);
    CHECK(offsets == std::vector<std::uint64_t>{7, 7});
    CHECK(ids == Ids{7, 7, 7});
  };
  bad({offsets.data(), 1}, {ids.data(), 3}, "size of 'offsets' is 1; it must be at least 2");
  bad({offsets.data(), 2}, {ids.data(), 2}, "size of 'ids' is 2; it must be at least 3");
  bad({nullptr, 2}, {ids.data(), 3}, "'offsets' is null");
  bad({offsets.data(), 2}, {nullptr, 3}, "'ids' is null");
  bad({offsets.data(), 2}, {reinterpret_cast<std::uint32_t*>(offsets.data() + 1), 3},
      "'ids' overlaps 'offsets'");
  CHECK(contains(thrown<InvalidArgument>([&] {
                   intersect_count_into(ctx, batch, View<std::uint64_t>{counts.data(), 0});
                 }),
                 "size of 'counts' is 0; it must be at least 1"));
  CHECK(contains(thrown<InvalidArgument>([&] { intersect(ctx, index, queries, {"nothing"}); }),
                 "intersect: unknown implementation 'nothing'; known: custom/serial"));
}

// --- files

TEST_CASE("files are written as the formats say, and read again") {
  const TemporaryDirectory directory;
  const std::string path = directory / "index";
  const Index index(Lists{{7, 9}, {}, {0, 1, 0xFFFFFFFE}});
  write_index(path, index);
  CHECK(slurp(path) == words({2, 7, 9, 0, 3, 0, 1, 0xFFFFFFFE}));
  CHECK(lists_of(read_index(path)) == lists_of(index));
  write_index(path, index, IndexFormat::pisa_docs);
  CHECK(slurp(path) == words({1, 0xFFFFFFFF, 2, 7, 9, 0, 3, 0, 1, 0xFFFFFFFE}));
  CHECK(lists_of(read_index(path, IndexFormat::pisa_docs)) == lists_of(index));
  CHECK(contains(
      thrown<InvalidArgument>([&] { write_index(path, Index(Lists{{0xFFFFFFFF}}), IndexFormat::pisa_docs); }),
      "an id is 4294967295"));
  write_index(path, Index(Lists{}));
  CHECK(slurp(path).empty());
  CHECK(read_index(path).lists() == 0);
  // Lists across the reader's blocks.
  const Index large(Lists{every(0, 2, 65530), {}, {5}, every(1, 3, 200000), {8}, every(0, 1, 65536)});
  write_index(path, large);
  CHECK(lists_of(read_index(path)) == lists_of(large));
  std::string content = slurp(path);
  content[4 * (1 + 65530 + 3 + 1 + 100000)] = 0;  // somewhere in the fourth list
  spill(path, content);
  CHECK(contains(thrown<BadFile>([&] { read_index(path); }), "id 100000 of a list is 299"));

  Queries queries;
  queries.add({0, 2});
  queries.add({1});
  queries.add(std::span<const std::uint32_t>());
  write_queries(path, queries);
  CHECK(slurp(path) == "0 2\n1\n\n");
  const Queries again = read_queries(path, index);
  CHECK(again.starts == queries.starts);
  CHECK(again.lists == queries.lists);
  spill(path, "  2\t0 \r\n01 1\n0");
  const Queries odd = read_queries(path, index);
  CHECK(odd.lists == Ids{2, 0, 1, 1, 0});
  CHECK(odd.starts == std::vector<std::uint64_t>{0, 2, 4, 5});
}

TEST_CASE("what is wrong with a file is said with its byte") {
  const TemporaryDirectory directory;
  const std::string path = directory / "index";
  const auto refused = [&](const std::string& content, IndexFormat format, const std::string& part) {
    spill(path, content);
    const std::string message = thrown<BadFile>([&] { read_index(path, format); });
    CHECK_MESSAGE(contains(message, part), message);
    CHECK(message.starts_with(path + ": "));
  };
  const auto plain = IndexFormat::exp_index, docs = IndexFormat::pisa_docs;
  refused(words({2, 7, 7}), plain, "id 1 of a list is 7; it must be above 7, the one before it (at byte 8)");
  refused(words({1, 5, 3, 1, 9, 8}), plain,
          "id 2 of a list is 8; it must be above 9, the one before it (at byte 20)");
  refused(words({1, 5, 3, 1, 9}), plain, "a list has 3 ids, but only 2 words are left (at byte 8)");
  refused(words({0xFFFFFFFF, 1}), plain, "a list has 4294967295 ids, but only 1 words are left (at byte 0)");
  refused(words({1, 5}) + "x", plain,
          "ends inside a word: 9 bytes are no whole number of 4-byte words (at byte 8)");
  refused(words({2, 10, 1, 3}), docs, "starts with a list of 2 elements; a .docs file starts with");
  refused(words({1}), docs, "holds 1 words; a .docs file starts with");
  refused(words({1, 10, 2, 3, 10}), docs,
          "an id is 10; it must be below 10, the number of documents (at byte 16)");
  refused("", docs, "holds 0 words");
  CHECK(contains(thrown<BadFile>([&] { read_index(directory / "none"); }), "cannot be opened"));
  CHECK(contains(thrown<BadFile>([&] { read_index(directory / "."); }),
                 "is a directory; a file of posting lists is needed"));

  const Index index(Lists{{1}, {2}});
  const auto bad_queries = [&](const std::string& content, const std::string& part) {
    spill(path, content);
    const std::string message = thrown<BadFile>([&] { read_queries(path, index); });
    CHECK_MESSAGE(contains(message, part), message);
  };
  bad_queries("0 1\n0 2\n", "line 2 names list 2; it must be below 2, the number of lists (at byte 6)");
  bad_queries("0 x\n", "line 1 has 'x' where the number of a list is needed (at byte 2)");
  bad_queries("0 1x\n", "line 1 has 'x' where the number of a list is needed (at byte 3)");
  bad_queries("-1\n", "line 1 has '-'");
  bad_queries("1.5\n", "line 1 has '.'");
  bad_queries("\n\n1,0", "line 3 has ','");
  bad_queries(std::string("0\0001", 3), "line 1 has byte 0x00");
  bad_queries("99999999999999999999999999999", "names list 99999999999999999999; it must be below 2");
  bad_queries("4294967296", "names list 4294967296");
}

// Whatever is in it, a file is refused at a byte that it has, or holds lists that ascend.
template <class Read>
void survives(const std::string& path, const std::string& content, long& refused, Read read) {
  spill(path, content);
  try {
    read();
  } catch (const BadFile& error) {
    ++refused;
    CHECK(error.offset <= content.size());
  }
}

TEST_CASE("files cut off anywhere, and with any bit turned") {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  const Index index(Lists{{7, 9, 200}, {}, {0, 1, 0x7FFFFFFF}, every(3, 1000, 20), {5}});
  for (const IndexFormat format : {IndexFormat::exp_index, IndexFormat::pisa_docs}) {
    write_index(path, index, format);
    const std::string whole = slurp(path);
    const auto read = [&] {
      const Index got = read_index(path, format);
      CHECK(sound(got));
      CHECK(static_cast<std::uint64_t>(got.ids()) * 4 <= whole.size());
    };
    long refused = 0, tried = 0;
    for (std::size_t length = 0; length < whole.size(); ++length, ++tried)
      survives(path, whole.substr(0, length), refused, read);
    // Cut off between two lists it is whole, and only there.
    CHECK(refused == tried - 5);
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit, ++tried) {
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
      survives(path, damaged, refused, read);
    }
    CHECK(refused > tried / 3);
  }
  Queries queries;
  queries.add({0, 4, 2});
  queries.add({3});
  queries.add({1, 1});
  write_queries(path, queries);
  const std::string whole = slurp(path);
  const auto read = [&] {
    for (const std::uint32_t list : read_queries(path, index).lists) CHECK(list < 5);
  };
  long refused = 0;
  for (std::size_t length = 0; length < whole.size(); ++length)
    survives(path, whole.substr(0, length), refused, read);
  CHECK(refused == 0);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    survives(path, damaged, refused, read);
  }
  CHECK(refused > 20);
}

TEST_CASE("a cached file of lists comes in fast") {
  const TemporaryDirectory directory;
  const std::string path = directory / "index";
  Lists lists(100, every(17, 211, 80000));
  write_index(path, Index(lists));
  read_index(path);
  const auto start = std::chrono::steady_clock::now();
  const Index index = read_index(path);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{:.0f} MB read and checked at {:.1f} GB/s\n", static_cast<double>(index.ids()) * 4e-6,
             static_cast<double>(index.ids()) * 4e-9 / seconds);
}

// --- the generator

TEST_CASE("the same seed gives the same collection on every machine") {
  const auto of_index = [](const Index& index) {
    return fingerprint(index.starts(), std::span(index.data(), static_cast<std::size_t>(index.ids())));
  };
  const Collection small = Collection::small(1);
  CHECK(of_index(small.index()) == 11300704257874379333u);
  CHECK(of_index(Collection::small(2).index()) != of_index(small.index()));
  Collection zipf = Collection::lab(1);
  zipf.lists = 50;
  zipf.length = 200;
  zipf.documents = 253316;
  CHECK(of_index(zipf.index()) == 6209408402778612899u);
  const auto lengths = zipf.lengths();
  CHECK(std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}) == 50 * 200);

  const Collection lab = Collection::lab(1);
  const auto of_lab = lab.lengths();
  CHECK(std::accumulate(of_lab.begin(), of_lab.end(), std::uint64_t{0}) == 2000u * 19899u);
  const Queries queries = lab.random_queries();
  CHECK(queries.size() == 1000);
  for (std::int64_t q = 0; q < queries.size(); ++q) CHECK((queries[q].size() >= 2 && queries[q].size() <= 5));
  for (std::int64_t l = 0; l < 1000; ++l) {
    const std::size_t length = small.lengths()[static_cast<std::size_t>(l)];
    if (length < 50 || length > 100) FAIL_CHECK("a list of ", length);
    if (l == 20) break;
  }
  CHECK(contains(thrown<InvalidArgument>([] { Collection{10, 60, 100, 1, 1, 1}.lengths(); }),
                 "length is 60 of 100 documents"));
  CHECK(contains(thrown<InvalidArgument>([] { Collection{0, 6, 100, 1, 1, 1}.lengths(); }), "lists is 0"));
}

TEST_SUITE_END();

}  // namespace tandem
