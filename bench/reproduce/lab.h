#pragma once
// Shared by the tables of the inverted-index lab: its rows, its queries, and the check that all rows agree.

#include <string>
#include <vector>

#include "bench/reproduce/reproduce.h"
#include "lib/harness/posting_random.h"
#include "lib/ops/intersect/contract.h"
#include "tandem/intersect.h"

namespace tandem::command {

/// A row of the lab's table: an implementation of ours for each column, and the lab's milliseconds.
struct LabRow {
  const char* name;
  struct Column {
    const char* implementation;  // null where the lab has no number
    double published;
  } columns[3];
};
inline constexpr const char* kLabColumns[] = {"SvS", "ADP", "Hash(512)"};
inline constexpr LabRow kSerial{
    "serial",
    {{"intersect/custom/serial", 4380}, {"intersect/custom/adp", 3396}, {"intersect/custom/hash", 15423}}};
inline constexpr LabRow kBefore{
    "coarse, before precise start",
    {{"intersect/custom/svs_coarse", 353}, {"intersect/custom/adp_coarse", 397}, {nullptr, 0}}};
inline constexpr LabRow kCoarse{"coarse",
                                {{"intersect/custom/svs_precise_start", 199},
                                 {"intersect/custom/precise_start", 180},
                                 {"intersect/custom/hash_coarse", 361}}};
inline constexpr LabRow kFine{"fine",
                              {{"intersect/custom/svs_fine", 237},
                               {"intersect/custom/adp_fine", 199},
                               {"intersect/custom/hash_fine", 749}}};

/// The implementation of that name; never its row on the executor.
const Implementation& lab_implementation(const std::string& name);

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
