#pragma once
// Buckets of 16 to 4096 ids in the three steps that hash: how many ids should a bucket hold?
//
// Expect:  half the bucket means half the comparisons for a candidate, until a bucket is smaller than a
//          sector or a warp. But the table of a list is twice as long, and each of its entries costs a
//          search.

#include <algorithm>
#include <string>
#include <utility>

#include "lib/harness/tuning.h"

namespace tandem {

using BucketSizes = std::integer_sequence<int, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096>;

/// Share of the bound when a candidate is compared with so many ids of a list at least eight times as long as
/// its own.
///
/// The bound counts the candidate and the sector where it is found. Read are the candidate, a sector of the
/// table, and the ids, at least a sector of them. Making the tables is not counted: its cost depends on the
/// lengths of the lists alone.
inline double bucket_model(double ids) {
  constexpr double kId = 4, kSector = 32;  // bytes
  return (kId + kSector) / (kId + kSector + std::max(kSector, ids * kId));
}

/// For a step that stops at the candidate or at the first id above it: half a bucket on average at best,
/// since the width is a power of two, and a bucket may hold up to twice its size.
inline double half_bucket_model(const TuningPoint& point, int) { return bucket_model(point.column / 2.0); }

/// For a step that reads the whole bucket where the candidate is not found.
inline double whole_bucket_model(const TuningPoint& point, int) { return bucket_model(point.column); }

/// The point of a step, which is a row of the picture, at a size.
inline TuningPoint bucket_point(int row, const std::string& step, int bucket,
                                double (*model)(const TuningPoint&, int)) {
  const std::string size = std::to_string(bucket);
  TuningPoint point{
      .tuning = "bucket",
      .shapes = {{64, 2, 4096, 64}},  // dozens of buckets even of the largest size, and quick on a CPU
      .row = row,
      .column = bucket,
      .row_label = step,
      .column_label = size + " ids",
      .model = model};
  point.implementation.name = step + "/" + size;
  return point;
}

}  // namespace tandem
