#pragma once
// A matrix of a problem.

#include <fmt/format.h>

#include <cstring>

#include "lib/harness/operation.h"
#include "lib/ops/gemm/contract.h"

namespace tandem {

/// Gaps behind its lines count as part of the buffer, so that a stray write there shows.
template <class T>
struct MatrixOperand {
  MatrixOperand(Operands& all, std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t gap,
                int offset, const char* name = "")
      : shape{nullptr, rows, cols, 0, layout},
        values(all, shape.lines() * (shape.line() + gap), offset, name) {
    shape.ld = shape.line() + gap;
  }
  /// With random numbers where the call reads it, else with NaN.
  void fill(bool read, const Inputs& inputs) {
    values.sent = read;
    if (read)
      fill_random(std::span<T>(values.values), OperatorId::plus, inputs.values, inputs.seed);
    else if (!values.values.empty())
      std::memset(values.values.data(), 0xFF, values.values.size() * sizeof(T));
  }
  MatrixView<T> view() { return view(values.data()); }
  /// Before the call.
  T& operator()(std::int64_t i, std::int64_t j) { return strided(view(values.values.data()))(i, j); }
  const T& operator()(std::int64_t i, std::int64_t j) const {
    return const_cast<MatrixOperand&>(*this)(i, j);
  }
  /// Whether the gaps of what a call left are as they were.
  Verdict check_gaps(const Contents<T>& got) const {
    Verdict verdict;
    const auto line = static_cast<std::size_t>(shape.line()), ld = static_cast<std::size_t>(shape.ld);
    for (std::size_t i = 0; ld > line && i < static_cast<std::size_t>(shape.lines()); ++i) {
      const std::size_t gap = i * ld + line;
      if (std::memcmp(got.data() + gap, values.values.data() + gap, (ld - line) * sizeof(T)) != 0) {
        verdict.include(Verdict::wrong(fmt::format("wrote into the gap behind {} {}",
                                                   shape.layout == Layout::row_major ? "row" : "column", i)));
      }
    }
    return verdict;
  }

  MatrixView<T> shape;  // of no memory
  Input<T> values;

 private:
  MatrixView<T> view(T* data) const {
    MatrixView<T> result = shape;
    result.data = data;
    return result;
  }
};

}  // namespace tandem
