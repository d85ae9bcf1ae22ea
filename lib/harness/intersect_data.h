#pragma once
// Posting lists and queries that intersect is tested with, and their results by definition.

#include <algorithm>
#include <vector>

#include "lib/harness/posting_collection.h"
#include "lib/ops/intersect/contract.h"
#include "tandem/intersect.h"

namespace tandem::intersect_data {

/// How the ids of the tests lie. zipf: lists of many lengths, clustered, 2 to `lists` of them in a query, as
/// in a collection of documents; all others: each query has `lists` lists of its own, the shortest of
/// `length` ids, the longest `skew` times as long.
enum class Pattern : std::uint8_t {
  zipf,
  random,
  dense,        // every second number or more
  equal,        // all lists of a query the same
  disjoint,     // nothing in common, though the ranges overlap
  nested,       // each list holds all of the shorter ones
  alternating,  // odd numbers against even ones, a few in both
  high,         // up to 2^32 − 1
  shifted,      // every second list lies higher, so that the ranges of two neighbours overlap in a third
  odd,          // what is legal but odd: empty lists, no lists, one list, one list many times, many lists
};

struct TestShape : Intersect::Shape {
  std::int64_t length = 0;  // the third extent
  std::int64_t skew = 1;
  Pattern pattern = Pattern::random;
  std::uint64_t seed = 1;
};

const char* name(Pattern pattern);

/// The shape with `average` and `candidates` as a call would find them. O(1): of Zipf's law an estimate.
TestShape as_called(TestShape s);
/// A collection of documents whose lists have this average length, in the proportions of the lab's.
Collection collection(const TestShape& s);
/// Ids in list t of a query.
std::int64_t length(const TestShape& s, std::int64_t t);

struct Made {
  Index index;
  Queries queries;
};
Made make(const TestShape& s);

/// Results by looking every candidate up in the other lists.
Intersections reference(const Index& index, const Queries& queries);

}  // namespace tandem::intersect_data
