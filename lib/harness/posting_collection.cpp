#include "lib/harness/posting_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lib/core/random_bits.h"
#include "lib/harness/first_error.h"
#include "lib/ops/intersect/index_memory.h"
#include "tandem/error.h"

namespace tandem {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kCluster = 16;  // ids
constexpr std::uint64_t kRich = 16;     // one document in so many holds many words

/// Independent streams of random bits from one seed.
enum Stream : std::uint64_t { kOrder = 1, kLengths, kTerms, kPlaces };
std::uint64_t bits(std::uint64_t seed, Stream stream, std::uint64_t i, std::uint64_t j = 0) {
  return random_bits(random_bits(seed, stream) + i, j);
}

/// Where the i-th of `parts` even parts of [0, size) begins.
std::uint64_t part(std::uint64_t i, std::uint64_t parts, std::uint64_t size) {
  return static_cast<std::uint64_t>(static_cast<Wide>(i) * size / parts);
}

/// Clusters lie in even parts of the documents, and the ids of a cluster in even parts of an eighth of that,
/// so all differ and ascend.
void fill_list(std::span<std::uint32_t> ids, std::uint64_t documents, std::uint64_t seed,
               std::uint64_t list) {
  const std::uint64_t n = ids.size(), clusters = (n + kCluster - 1) / kCluster;
  for (std::uint64_t c = 0; c < clusters; ++c) {
    const std::uint64_t first = part(c, clusters, n), count = part(c + 1, clusters, n) - first;
    const std::uint64_t low = part(c, clusters, documents), width = part(c + 1, clusters, documents) - low;
    const std::uint64_t span = std::min(width, std::max(width / 8, 2 * count));
    const std::uint64_t start = low + bits(seed, kPlaces, list, ~c) % (width - span + 1);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t random = bits(seed, kPlaces, list, first + k);
      const std::uint64_t lowest = start + part(k, count, span), end = start + part(k + 1, count, span);
      std::uint64_t id = lowest + (random >> 8) % (end - lowest);
      if (random % 2 == 0) id = std::max(lowest, id / kRich * kRich);
      ids[first + k] = static_cast<std::uint32_t>(id);
    }
  }
}

}  // namespace

std::vector<std::uint64_t> Collection::lengths() const {
  for (const auto& [what, value] : {std::pair{"lists", lists},
                                    {"length", length},
                                    {"documents", documents},
                                    {"least_terms", least_terms}}) {
    if (value < 1)
      throw InvalidArgument(fmt::format("Collection: {} is {}; it must be at least 1", what, value));
  }
  const auto count = static_cast<std::uint64_t>(lists), average = static_cast<std::uint64_t>(length),
             most = static_cast<std::uint64_t>(documents);
  if (average > most / 2 || most > std::uint64_t{1} << 32) {
    throw InvalidArgument(fmt::format(
        "Collection: length is {} of {} documents; it must be half at the most, and documents 2^32", length,
        documents));
  }
  constexpr std::uint64_t kOne = std::uint64_t{1} << 40;
  std::uint64_t sum = 0;  // of 1/r, in units of 1/kOne
  for (std::uint64_t r = 1; r <= count; ++r) sum += kOne / r;
  std::vector<std::uint64_t> lengths(count);
  for (std::uint64_t l = 0; l < count; ++l) {
    std::uint64_t& n = lengths[l];
    n = zipf ? static_cast<std::uint64_t>(static_cast<Wide>(average) * count * (kOne / (l + 1)) / sum)
             : average * 2 / 3 + bits(seed, kLengths, l) % (average * 2 / 3 + 1);
    n = std::clamp<std::uint64_t>(n, 1, most / 2);
  }
  if (zipf) {  // what was rounded off goes to the longest
    const std::uint64_t total = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
    lengths[0] = std::min(most / 2, lengths[0] + average * count - std::min(average * count, total));
  }
  for (std::uint64_t l = count - 1; l > 0; --l)
    std::swap(lengths[l], lengths[bits(seed, kOrder, l) % (l + 1)]);
  return lengths;
}

Index Collection::index(const std::function<void(std::int64_t done)>& progress) const {
  const std::vector<std::uint64_t> sizes = lengths();
  IndexBuilder builder(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  std::vector<std::span<std::uint32_t>> spans;
  for (const std::uint64_t size : sizes) {
    spans.emplace_back(builder.append(size), size);
    builder.end_list();
  }
  std::int64_t done = 0;
  FirstError error;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t l = 0; l < spans.size(); ++l) {
    fill_list(spans[l], static_cast<std::uint64_t>(documents), seed, l);
    if (progress) {
#pragma omp critical
      error.keep([&] { progress(++done); });
    }
  }
  error.rethrow();
  return builder.finish();
}

Queries Collection::random_queries() const {
  Queries all;
  std::vector<std::uint32_t> query;
  for (std::uint64_t q = 0; q < static_cast<std::uint64_t>(queries); ++q) {
    query.clear();
    const std::uint64_t terms =
        static_cast<std::uint64_t>(least_terms) +
        bits(seed, kTerms, q, 0) % static_cast<std::uint64_t>(most_terms - least_terms + 1);
    for (std::uint64_t t = 1; t <= terms; ++t)
      query.push_back(
          static_cast<std::uint32_t>(bits(seed, kTerms, q, t) % static_cast<std::uint64_t>(lists)));
    all.add(query);
  }
  return all;
}

Collection Collection::lab(std::uint64_t seed) { return {2000, 19899, 25205174, 1000, 2, 5, true, seed}; }
Collection Collection::small(std::uint64_t seed) { return {1000, 75, 250, 300, 5, 5, false, seed}; }

}  // namespace tandem
