#pragma once
// Shared by the tables of the inverted-index lab: its rows, its queries, and the check that all rows agree.

#include <string>
#include <utility>
#include <vector>

#include "bench/reproduce/reproduce.h"
#include "lib/harness/posting_collection.h"
#include "lib/ops/intersect/contract.h"
#include "tandem/intersect.h"

namespace tandem::command {

/// A row of the lab's table: an implementation of ours for each column, the lab's milliseconds, and how many
/// times as fast as the serial row it says that is (0: it does not; it computed with exact times, and for ADP
/// it gives 180.24 ms in one place and 180.74 in another).
struct LabRow {
  const char* name;
  struct Column {
    const char* implementation;  // null where the lab has no number
    double milliseconds, speed_up;
  } columns[3];
};
inline constexpr const char* kLabColumns[] = {"SvS", "ADP", "Hash(512)"};
inline constexpr LabRow kSerial{"serial",
                                {{"intersect/custom/serial", 4380, 0},
                                 {"intersect/custom/adp", 3396, 0},
                                 {"intersect/custom/hash", 15423, 0}}};
inline constexpr LabRow kBefore{
    "coarse, before precise start",
    {{"intersect/custom/svs_coarse", 353, 0}, {"intersect/custom/adp_coarse", 397, 0}, {nullptr, 0, 0}}};
inline constexpr LabRow kCoarse{"coarse",
                                {{"intersect/custom/svs_precise_start", 199, 21.98},
                                 {"intersect/custom/precise_start", 180, 18.78},
                                 {"intersect/custom/hash_coarse", 361, 42.69}}};
inline constexpr LabRow kFine{"fine",
                              {{"intersect/custom/svs_fine", 237, 18.44},
                               {"intersect/custom/adp_fine", 199, 17.05},
                               {"intersect/custom/hash_fine", 749, 20.57}}};

/// Fine as the lab ran it, and the candidates that the step takes in a call.
inline constexpr const char* kFineAsPublished = "intersect/custom/svs_flag";
inline constexpr std::int64_t kMostCandidates = 4096;

/// The queries of a collection, and the answers of the serial step.
class Lab {
 public:
  Lab(const Collection& like, Experiment& experiment);

  const Collection collection;
  const Index index;
  const PackedIndex packed;
  const Queries queries;
  std::vector<std::string> wrong;

  /// Compares the results of one call with those of the serial step. False where they differ,
  /// with a line in `wrong`.
  bool check(Context& ctx, const AnyIndex& index, const std::string& use);
  /// The posting lists, plain or packed, as the implementation reads them.
  AnyIndex lists_for(const Implementation& i) const {
    return (i.reads == "packed") ? AnyIndex(packed) : AnyIndex(index);
  }
  /// An index of one query's lists alone, and that query: what the lab copied to the GPU for it.
  std::pair<Index, Queries> alone(std::int64_t query) const;
  /// The first `count` queries, those left out whose shortest list has more than `most` ids.
  std::vector<std::int64_t> first_queries(std::int64_t count, std::int64_t most) const;
  /// Seconds of a call for each of these queries: memory taken for its lists, lists copied, the result fetched,
  /// memory given back.
  double seconds_alone(Context& ctx, const std::string& use, const std::vector<std::int64_t>& queries) const;
  /// Compares the results of such calls with those of the serial step.
  bool check_alone(Context& ctx, const std::string& use, const std::vector<std::int64_t>& queries);
  /// Properties of the collection and of the results.
  Json figures() const;

 private:
  Experiment& experiment_;
  std::uint64_t ids_ = 0, hash_ = 0;
};

/// A batch prepared in a context, with memory for its results there.
struct ReadyBatch {
  QueryBatch batch;
  Array<std::uint64_t> offsets;
  Array<std::uint32_t> ids;
  ReadyBatch(Context& ctx, const AnyIndex& index, const Queries& queries)
      : batch(ctx, index, queries), offsets(ctx, batch.queries() + 1), ids(ctx, batch.most()) {}
  void intersect(Context& ctx, const std::string& use) { intersect_into(ctx, batch, offsets, ids, {use}); }
};

}  // namespace tandem::command
