#include "lib/ops/intersect/kept_bits.h"

#include "tandem/parallel_for.h"

namespace tandem {

bool KeptBits::keeps(std::span<const std::uint32_t> ids) {
  const auto size = static_cast<std::int64_t>(ids.size());
  return size >= kFewest && std::int64_t{ids.back()} - ids.front() < size * kSparsest;
}

KeptBits::KeptBits(const Index& index) : places_(static_cast<std::size_t>(index.lists())) {
  std::uint64_t words = 0;
  for (std::int64_t l = 0; l < index.lists(); ++l) {
    const auto ids = index[l];
    if (!keeps(ids)) continue;
    const std::uint32_t begin = ids.front() / 64, end = ids.back() / 64 + 1;
    places_[static_cast<std::size_t>(l)] = {words, begin, end};
    words += end - begin;
  }
  words_.resize(words);
  parallel_for(index.lists(), {}, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t l = first; l < last; ++l) {
      const Place& at = places_[static_cast<std::size_t>(l)];
      if (at.begin == at.end) continue;
      std::uint64_t* to = words_.data() + at.first;
      for (const std::uint32_t id : index[l]) to[id / 64 - at.begin] |= std::uint64_t{1} << id % 64;
    }
  });
}

}  // namespace tandem
