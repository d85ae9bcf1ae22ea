#pragma once
// tridiagonal: many systems  lower[i]·x[i−1] + diag[i]·x[i] + upper[i]·x[i+1] = rhs[i],  i = 0 … n−1, laid
// out by strides.

#include <array>
#include <cstdint>

#include "lib/core/registry.h"
#include "tandem/tridiagonal.h"

namespace tandem {

/// Elements from the first to the last of the batch; −1 beyond 2^63.
TANDEM_API std::int64_t storage_size(const Systems& systems);

namespace detail {
/// What a batch must be: lower, diag, upper, rhs and x with extents, strides and sizes as check_tridiagonal asks, and x
/// apart from the others, but for rhs.
void check_tridiagonal(Context& ctx, const Systems& systems, const ConstMemory (&arrays)[5],
                       std::size_t element_bytes);
}  // namespace detail

struct Tridiagonal {
  static constexpr const char* name = "tridiagonal";
  static constexpr const char* meaning = "many systems lower x[i-1] + diag x[i] + upper x[i+1] = rhs[i]";
  static constexpr std::array<std::string_view, 6> variants = {
      "contiguous", "interleaved", "list", "contiguous pivot", "interleaved pivot", "list pivot"};
  static constexpr std::array<std::string_view, 2> features = {"n", "systems"};

  struct Shape {
    Systems systems;  // of a list: as many, each of the greatest length that one may have
    bool list = false;
    bool in_place = false;
    bool report = false;  // a singular matrix must be reported
    std::int64_t scale() const { return systems.n; }
    std::array<std::int64_t, 3> features() const { return {systems.n, systems.count()}; }
    std::size_t variant() const { return (list ? 2 : systems.row == 1 ? 0 : 1) + (systems.pivot ? 3 : 0); }
  };

  static Shape automatic(Shape shape) {
    shape.report = true;
    return shape;
  }

  struct Strides {
    std::int64_t row, system, block;
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      const T *lower, *diag, *upper;
      const T* rhs;
      T* x;  // may be rhs
      std::int64_t n, count, inner;
      Strides matrix, vector;  // of lower, diag and upper; of rhs and x
      std::uint64_t* status;   // see PivotFailure (tandem/device/pivot.h)
      // Set only for lists, where steps use locate(s): where systems start, and how many rows there may be in
      // all. n is then no less than the longest, the strides between rows are 1.
      const std::int64_t* offsets = nullptr;
      std::int64_t rows = 0;

      /// Where row 0 of system s lies.
      TANDEM_HD std::int64_t start(const Strides& strides, std::int64_t s) const {
        if (s < inner) return s * strides.system;  // a division takes a kernel longer than the rest
        return s % inner * strides.system + s / inner * strides.block;
      }
      /// Where row 0 of system s lies in lower, diag and upper and in rhs and x, and how many rows it has.
      struct Location {
        std::int64_t matrix, vector, n;
      };
      TANDEM_HD Location locate(std::int64_t s) const {
        if (offsets) return {offsets[s], offsets[s], offsets[s + 1] - offsets[s]};
        return {start(matrix, s), start(vector, s), n};
      }
      /// Scratch for all rows of all systems: interleaved, whatever their layout, or like the list.
      TANDEM_HD std::int64_t unknowns() const { return offsets ? rows : n * count; }
      TANDEM_HD std::int64_t first_of_all(std::int64_t s) const { return offsets ? offsets[s] : s; }
      TANDEM_HD std::int64_t step_of_all() const { return offsets ? 1 : count; }
    };
    static Args args(const T* lower, const T* diag, const T* upper, const T* rhs, T* x,
                     const Systems& systems, std::uint64_t* status) {
      const Strides vector{systems.row, systems.system, systems.block};
      return {lower,
              diag,
              upper,
              rhs,
              x,
              systems.n,
              systems.count(),
              systems.inner,
              systems.shared_matrix ? Strides{1, 0, 0} : vector,
              vector,
              status};
    }
    static Args args(const T* lower, const T* diag, const T* upper, const T* rhs, T* x,
                     const std::int64_t* offsets, std::int64_t count, std::int64_t longest, std::int64_t rows,
                     std::uint64_t* status) {
      const Strides vector{1, 0, 0};
      return {lower, diag, upper, rhs, x, longest, count, count, vector, vector, status, offsets, rows};
    }
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args&, Context&) {
    return false;
  }

  /// Whether there are enough systems, for their length, for a thread each (measured on an H200).
  static bool suits_threads(const Shape& s) {
    constexpr std::int64_t kShort = 4096, kRowsPerSystem = 16;
    return s.systems.n <= kShort || s.systems.n <= kRowsPerSystem * s.systems.count();
  }

  /// For steps that never exchange rows.
  static std::string refuse_pivot(const Shape& shape, CaseId) {
    return shape.systems.pivot ? "never exchanges rows, which this matrix may need" : "";
  }

  /// For steps that take systems of one length only, and never exchange rows.
  static std::string refuse_list_and_pivot(const Shape& shape, CaseId id) {
    return shape.list ? "takes systems of one length only" : refuse_pivot(shape, id);
  }
};

}  // namespace tandem
