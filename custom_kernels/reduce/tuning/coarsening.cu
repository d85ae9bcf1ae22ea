// 10_coarsened with factors of 1 to 64, and a block barrier in every round of the tree, as the textbook has it:
// how many elements should a thread add before the tree?
//
// Expect:  the additions before the tree use every lane and need no barrier, so a larger factor does less; until
//          too few blocks are left to fill the GPU.

#include "custom_kernels/reduce/10_coarsened.cu"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

/// Share of the bandwidth: rounds in which all threads work, of all rounds; and enough loads in flight.
double coarsening_model(const TuningPoint& point, int warps) {
  constexpr double kRounds = 8;  // of the tree of a block
  const double loads = 2.0 * point.column;
  return loads / (loads + kRounds) * warps / kMostWarps;
}

template <int kFactor>
bool add_factor() {
  using C = Reduce::Case<float, Plus>;
  TuningPoint point{.tuning = "coarsening",
                    .shapes = {{1 << 20}, {1 << 26}},
                    .row = 1,
                    .column = kFactor,
                    .row_label = "256 threads",
                    .column_label = "factor " + std::to_string(kFactor)};
  point.implementation.name = std::to_string(kFactor);
  point.model = coarsening_model;
  return add_point<Reduce, C, coarsened<C, kFactor, 0>, coarsened_tile<C, float, kFactor, 0>, kThreads>(
      point);
}

template <int... kFactors>
bool add_factors() {
  return (add_factor<kFactors>() & ...);
}

const bool added = add_factors<1, 2, 4, 8, 16, 32, 64>();

}  // namespace
}  // namespace tandem
