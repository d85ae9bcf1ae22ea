// intersect by its public functions: all paths on the same batches with one hash over all results, what the
// calls return, and bad ones.

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <thread>

#include "lib/harness/fnv1a.h"
#include "lib/harness/posting_collection.h"
#include "lib/ops/intersect/contract.h"
#include "tandem/tandem.h"
#include "tests/posting_lists.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("intersect");

/// Whether a row takes a call: one may refuse it for its many candidates, and for nothing else. equivalence_test has
/// calls for all.
template <class Call>
bool taken(Call&& call) {
  try {
    call();
    return true;
  } catch (const Unavailable& refused) {
    CHECK(std::string(refused.what()).find("candidates") != std::string::npos);
    return false;
  }
}

TEST_CASE("all paths give the same ids, and the same counts") {
  Lists lists;
  Queries queries;
  build(lists, queries);
  const BothForms index{Index(lists)};
  Context ctx = Context::host();
  std::map<std::uint64_t, std::vector<std::string>> by_hash;
  std::uint64_t total = 0;
  for (const Implementation* i : host_rows("intersect")) {
    if (!taken([&] { intersect_count(ctx, index(*i), queries, {i->name}); })) continue;
    const Intersections results = intersect(ctx, index(*i), queries, {i->name});
    by_hash[fnv1a(results.offsets, results.ids)].push_back(i->name);
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
  for (const Implementation* i : host_rows("intersect")) {
    if (!taken([&] { intersect_count(ctx, index(*i), queries, {i->name}); })) continue;
    const Intersections results = intersect(ctx, index(*i), queries, {i->name});
    totals[fnv1a(results.offsets, results.ids)] = results.ids.size();
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
  for (const Implementation* i : host_rows("intersect")) {
    if (!taken([&] { intersect_count(ctx, index(*i), queries, {i->name}); })) continue;
    intersect(ctx, index(*i), queries, {i->name});
    intersect_count(ctx, index(*i), queries, {i->name});
    const std::size_t after_first = ctx.allocations();
    intersect(ctx, index(*i), queries, {i->name});
    intersect_count(ctx, index(*i), queries, {i->name});
    CHECK_MESSAGE(ctx.allocations() == after_first, i->name);
  }
}

TEST_CASE("what reads packed lists is chosen for them, and nothing else can be") {
  Context ctx = Context::host();
  const Index index(Lists{{1, 2, 3}, {2, 3, 4, 5}});
  const PackedIndex packed(index);
  Queries queries;
  queries.add({0, 1});
  CHECK(intersect(ctx, packed, queries).ids == Ids{2, 3});
  CHECK(ctx.last().implementation == "intersect/custom/packed_threads");
  intersect(ctx, index, queries);
  CHECK(ctx.last().implementation.find("packed") == std::string_view::npos);
  CHECK(contains(thrown<Unavailable>([&] { intersect(ctx, packed, queries, {"custom/serial"}); }),
                 "intersect/custom/serial: reads plain lists, and these are packed"));
  CHECK(contains(thrown<Unavailable>([&] { intersect(ctx, index, queries, {"packed_threads"}); }),
                 "intersect/custom/packed_threads: reads packed lists; make a PackedIndex of these"));
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
      const Intersect::Shape shape{.queries = 1, .lists = 2, .average = 3, .candidates = 3, .form = form};
      refused += !i.refusal(&shape, Intersect::Case<std::uint32_t>::id).empty();
    }
    CHECK_MESSAGE(refused == 1, i.name);
  }
}

TEST_CASE("lists come in the form that the implementation asked for reads") {
  const Index index(Lists{{1, 2, 3}, {2, 3, 4, 5}});
  Queries queries;
  queries.add({0, 1});
  Context ctx = Context::host();
  CHECK(std::holds_alternative<Index>(lists_for("", index)));
  for (const Implementation* i : host_rows("intersect")) {
    const AnyIndex lists = lists_for(i->name, index);
    CHECK_MESSAGE(std::holds_alternative<PackedIndex>(lists) == (i->reads == "packed"), i->name);
    const bool agree = intersect(ctx, lists, queries, {.use = i->name}).ids == Ids{2, 3};
    CHECK_MESSAGE(agree, i->name);
  }
}

TEST_CASE("bits of dense lists are made once, and thin lists beside them stay lists") {
  // Dense from a large number on, dense from 0 on, with gaps of many words, and thin; more lists than are taken together.
  constexpr std::uint32_t kFar = 4'000'000'000;
  Ids gaps;
  for (std::uint32_t i = 0; i < 6000; ++i) gaps.push_back(i / 1000 * 15'000 + i % 1000);
  const Index index(Lists{every(kFar + 7, 3, 5000), every(0, 2, 40'000), gaps, every(5, 1000, 70),
                          every(kFar, 1, 20'000), every(0, 1, 70'000), every(1, 1, 69'999),
                          every(2, 1, 70'001), every(3, 1, 70'000), every(4, 1, 70'000), every(5, 1, 70'000),
                          every(6, 1, 70'000), every(7, 2, 35'000)});
  Queries queries;
  queries.add({0, 4});
  queries.add({0, 1});
  queries.add({1, 2});
  queries.add({1, 3, 2});
  queries.add({1, 5, 6, 7, 8, 9, 10, 11, 2, 3});
  queries.add({5, 6, 7, 8, 9, 10, 11, 12});
  queries.add({5, 6, 7, 8, 9, 10, 11, 12, 2});
  queries.add({4});
  Context ctx = Context::host();
  const Intersections right = intersect(ctx, index, queries, {"intersect/custom/serial"});
  std::vector<std::thread> threads;
  std::vector<int> agree(4);
  for (int& a : agree) {
    threads.emplace_back([&] {
      Context own = Context::host();
      const Intersections found = intersect(own, index, queries, {"kept_bits"});
      const auto counts = intersect_count(own, index, queries, {"kept_bits"});
      a = found.ids == right.ids && found.offsets == right.offsets;
      for (std::int64_t q = 0; q < queries.size(); ++q)
        a &= counts[static_cast<std::size_t>(q)] == right[q].size();
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(agree == std::vector<int>{1, 1, 1, 1});
  CHECK(right[0].size() == 5000);

  intersect(ctx, index, queries);
  CHECK(ctx.last().implementation == "intersect/custom/kept_bits");
  const Index thin(Lists{every(0, 17, 40'000), every(0, 34, 40'000)});
  Queries both;
  both.add({0, 1});
  CHECK(intersect(ctx, thin, both, {"kept_bits"}).ids.size() == 20'000);
  intersect(ctx, thin, both);
  CHECK(ctx.last().implementation != "intersect/custom/kept_bits");
}

TEST_CASE("bits of dense lists are looked through by several threads where there are many candidates") {
  constexpr int kMany = 600'000;  // kept_bits works alone up to 2^18
  const Index index(
      Lists{every(0, 2, kMany), every(0, 3, kMany), every(1, 1, 2 * kMany), every(7, 1000, 1200)});
  Queries queries;
  queries.add({0, 1});
  queries.add({0, 1, 2});
  queries.add({0, 2, 3});
  Context ctx = Context::host();
  const Intersections right = intersect(ctx, index, queries, {"intersect/custom/serial"});
  const Intersections found = intersect(ctx, index, queries, {"kept_bits"});
  CHECK(found.ids == right.ids);
  CHECK(found.offsets == right.offsets);
  const auto counts = intersect_count(ctx, index, queries, {"kept_bits"});
  for (std::int64_t q = 0; q < queries.size(); ++q)
    CHECK(counts[static_cast<std::size_t>(q)] == right[q].size());
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

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  const Index index(Lists{{1, 2, 3}, {2, 3, 4, 5}});
  std::vector<std::uint64_t> memory(12, 7);  // where results would come
  std::uint64_t *offsets = memory.data(), *counts = offsets + 4;
  auto* ids = reinterpret_cast<std::uint32_t*>(offsets + 8);
  const auto refused = [&](auto call, const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(memory, call, parts);
  };
  Queries queries;
  queries.add({0, 1});
  queries.add({1, 1, 2});
  const auto bad_queries = [&](const std::string& part) {
    refused([&] { intersect(ctx, index, queries); }, {"intersect: ", part});
    refused([&] { intersect_count(ctx, index, queries); }, {"intersect: ", part});
    refused([&] { intersect(ctx, PackedIndex(index), queries); }, {"intersect: ", part});
    refused([&] { QueryBatch(ctx, index, queries); }, {"intersect: ", part});
  };
  bad_queries("list 2 of query 1 is 2; it must be below 2, the number of lists");
  queries.lists.back() = UINT32_MAX;
  bad_queries("list 2 of query 1 is 4294967295; it must be below 2");
  queries.starts = {0, 2, 1, 5};
  bad_queries("starts[2] of 'queries' is 1; it must be from 2 to 5");
  queries.starts = {0, 2, UINT64_MAX, 5};
  bad_queries("starts[2] of 'queries' is 18446744073709551615; it must be from 2 to 5");
  for (const auto& starts : {std::vector<std::uint64_t>{}, {0, 2}, {1, 5}, {0, 6}}) {
    queries.starts = starts;
    bad_queries("starts of 'queries' must go from 0 to 5, the number of its lists");
  }
  queries = {};
  queries.add({0, 1});
  const QueryBatch batch(ctx, index, queries);
  const auto into = [&](View<std::uint64_t> o, View<std::uint32_t> i, const std::string& part) {
    refused([&] { intersect_into(ctx, batch, o, i); }, {"intersect: ", part});
  };
  const auto count = [&](View<std::uint64_t> c, const std::string& part) {
    refused([&] { intersect_count_into(ctx, batch, c); }, {"intersect: ", part});
  };
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, INT64_MIN})
    into({offsets, size}, {ids, 3},
         "size of 'offsets' is " + std::to_string(size) + "; it must be at least 2");
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{2}, std::int64_t{-1}, INT64_MIN})
    into({offsets, 2}, {ids, size}, "size of 'ids' is " + std::to_string(size) + "; it must be at least 3");
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN})
    count({counts, size}, "size of 'counts' is " + std::to_string(size) + "; it must be at least 1");
  into({nullptr, 2}, {ids, 3}, "'offsets' is null");
  into({offsets, 2}, {nullptr, 3}, "'ids' is null");
  count({nullptr, 1}, "'counts' is null");
  for (const int bytes : {1, 4, 7}) {
    into({shifted(offsets, bytes), 2}, {ids, 3}, "'offsets' starts at 0x");
    count({shifted(counts, bytes), 1}, "'counts' starts at 0x");
  }
  for (const int bytes : {1, 2, 3}) into({offsets, 2}, {shifted(ids, bytes), 3}, "'ids' starts at 0x");
  into({offsets, 2}, {reinterpret_cast<std::uint32_t*>(offsets + 1), 3}, "'ids' overlaps 'offsets'");
  into({offsets + 1, 2}, {reinterpret_cast<std::uint32_t*>(offsets), 3}, "'ids' overlaps 'offsets'");
  for (const char* use : {"nothing", "custom/nothing", "scan/custom/serial", "custom", "*", "/"}) {
    const std::string part = std::string("unknown implementation '") + use + "'; known: custom/serial";
    refused([&] { intersect(ctx, index, queries, {use}); }, {"intersect: ", part});
    refused([&] { intersect_count(ctx, index, queries, {use}); }, {"intersect: ", part});
    refused(
        [&] {
          intersect_into(ctx, batch, View<std::uint64_t>{offsets, 2}, View<std::uint32_t>{ids, 3}, {use});
        },
        {"intersect: ", part});
  }
  CHECK(refused_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
