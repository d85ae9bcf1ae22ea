// Collections of posting lists made from a seed: the same bytes on every machine.

#include <numeric>

#include "lib/harness/fnv1a.h"
#include "lib/harness/posting_collection.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("posting_collection");

TEST_CASE("the same seed gives the same collection on every machine") {
  const auto of_index = [](const Index& index) {
    return fnv1a(index.starts(), std::span(index.data(), static_cast<std::size_t>(index.ids())));
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
