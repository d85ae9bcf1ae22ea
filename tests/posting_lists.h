#pragma once
// What the tests of posting lists and of intersect share: lists made up on the spot, and a batch of queries
// over whatever lists may look like.

#include <cstdint>
#include <vector>

#include "tandem/intersect.h"
#include "tests/host_rows.h"

namespace tandem {

using Ids = std::vector<std::uint32_t>;
using Lists = std::vector<Ids>;

/// n ids from `first` on, `step` apart.
inline Ids every(std::uint32_t first, std::uint32_t step, std::uint32_t n) {
  Ids ids(n);
  for (std::uint32_t i = 0; i < n; ++i) ids[i] = first + i * step;
  return ids;
}

/// Both sides of pieces, every pattern, skew from 1:1 to 1:10^6, dense and sparse, and what is odd but legal.
inline void build(Lists& lists, Queries& queries) {
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

/// The lists as an implementation reads them.
struct BothForms {
  Index plain;
  PackedIndex packed;
  explicit BothForms(const Index& index) : plain(index), packed(index) {}
  AnyIndex operator()(const Implementation& i) const {
    return i.reads == "packed" ? AnyIndex(packed) : AnyIndex(plain);
  }
};

}  // namespace tandem
