#pragma once
// What the tables of the inverted-index lab share: its rows, its queries, and the check that all rows agree.

#include <string>
#include <vector>

#include "bench/reproduce/reproduce.h"
#include "lib/ops/intersect/contract.h"
#include "lib/harness/posting_random.h"
#include "tandem/intersect.h"

namespace tandem::command {

/// A row of the lab's table: an implementation of ours for each column, and the lab's milliseconds.
struct LabRow {
  const char* name;
  struct Column {
    const char* implementation;  // none where the lab has no number
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

/// Of that name, and not its row on the executor.
const Implementation& lab_implementation(const std::string& name);

/// The queries of a collection, and what the serial step answers.
class Lab {
 public:
  Lab(const Collection& like, Experiment& experiment);

  const Collection collection;
  const Index index;
  const PackedIndex packed;
  const Queries queries;
  std::vector<std::string> wrong;

  /// One call, results on the host. False where they are not those of the serial step; then `wrong` says so.
  bool check(Context& ctx, const AnyIndex& index, const std::string& use);
  /// In the form that an implementation reads.
  AnyIndex lists_for(const Implementation& i) const {
    return (i.reads == "packed") ? AnyIndex(packed) : AnyIndex(index);
  }
  /// Of the collection, and of the results.
  Json figures() const;

 private:
  Experiment& experiment_;
  std::uint64_t ids_ = 0, hash_ = 0;
};

/// A batch that is ready in a context, with room for its results there.
struct ReadyBatch {
  QueryBatch batch;
  Array<std::uint64_t> offsets;
  Array<std::uint32_t> ids;
  ReadyBatch(Context& ctx, const AnyIndex& index, const Queries& queries)
      : batch(ctx, index, queries), offsets(ctx, batch.queries() + 1), ids(ctx, batch.most()) {}
  void intersect(Context& ctx, const std::string& use) { intersect_into(ctx, batch, offsets, ids, {use}); }
};

}  // namespace tandem::command
