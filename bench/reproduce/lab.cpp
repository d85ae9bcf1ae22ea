#include "bench/reproduce/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/harness/fnv1a.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

Index make_index(const Collection& like, Progress& progress) {
  return like.index([&](std::int64_t done) {
    progress.show(fmt::format("making the collection: list {} of {}", done, like.lists));
  });
}

double megabytes(std::size_t bytes) { return std::round(static_cast<double>(bytes) * 1e-5) / 10; }

}  // namespace

Lab::Lab(const Collection& like, Experiment& experiment)
    : collection(like),
      index(make_index(like, experiment.progress)),
      packed(index),
      queries(like.random_queries()),
      experiment_(experiment) {
  experiment.progress.show("asking the serial step");
  const Intersections right =
      intersect(experiment.contexts.host, index, queries, {"intersect/custom/serial"});
  ids_ = right.ids.size();
  hash_ = fnv1a(right.offsets, right.ids);
}

bool Lab::check(Context& ctx, const AnyIndex& lists, const std::string& use) {
  experiment_.progress.show("checking " + use);
  const Intersections results = intersect(ctx, lists, queries, {use});
  const std::uint64_t hash = fnv1a(results.offsets, results.ids);
  if (hash == hash_ && results.ids.size() == ids_) return true;
  wrong.push_back(fmt::format("{} gives {} ids with hash {:016x}; {} with {:016x} are right", use,
                              results.ids.size(), hash, ids_, hash_));
  return false;
}

std::pair<Index, Queries> Lab::alone(std::int64_t query) const {
  std::vector<std::vector<std::uint32_t>> lists;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t list : queries[query]) {
    const auto ids = index[list];
    numbers.push_back(static_cast<std::uint32_t>(lists.size()));
    lists.emplace_back(ids.begin(), ids.end());
  }
  Queries one;
  one.add(numbers);
  return {Index(lists), std::move(one)};
}

std::vector<std::int64_t> Lab::first_queries(std::int64_t count, std::int64_t most) const {
  std::vector<std::int64_t> first;
  for (std::int64_t q = 0; q < queries.size() && std::ssize(first) < count; ++q) {
    const auto is_short = [&](std::uint32_t list) { return std::ssize(index[list]) <= most; };
    if (std::ranges::any_of(queries[q], is_short)) first.push_back(q);
  }
  return first;
}

double Lab::seconds_alone(Context& ctx, const std::string& use, const std::vector<std::int64_t>& of) const {
  double seconds = 0;
  for (const std::int64_t q : of) {
    auto [index, query] = alone(q);
    std::optional<Index> lists(std::move(index));
    seconds += backend(experiment_.contexts.host).seconds([&, &query = query] {
      intersect(ctx, *lists, query, {use});
      lists.reset();
    });
  }
  return seconds;
}

bool Lab::check_alone(Context& ctx, const std::string& use, const std::vector<std::int64_t>& of) {
  experiment_.progress.show("checking " + use);
  for (const std::int64_t q : of) {
    const auto [lists, query] = alone(q);
    const Intersections right =
        intersect(experiment_.contexts.host, lists, query, {kSerial.columns[0].implementation});
    if (intersect(ctx, lists, query, {use}).ids == right.ids) continue;
    wrong.push_back(fmt::format("{} gives other ids for query {}; {} are right", use, q, right.ids.size()));
    return false;
  }
  return true;
}

Json Lab::figures() const {
  return {{"queries", collection.queries},
          {"lists in a query", fmt::format("{} to {}", collection.least_terms, collection.most_terms)},
          {"lists", collection.lists},
          {"ids", index.ids()},
          {"MB", megabytes(index.bytes())},
          {"MB packed", megabytes(packed.bytes())},
          {"seed", collection.seed},
          {"ids in all results", ids_},
          {"hash", fmt::format("{:016x}", hash_)}};
}

}  // namespace tandem::command
