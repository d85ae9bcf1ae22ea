// Idea:    a block of neighbouring columns at once: an element of A multiplies a vector of its row of B, and the sums of a row
//          of C stay in registers.
// New:     against threads, neighbouring columns are independent sums, which vectors add up at once, and A is read once for a
//          block of them instead of each.
// Expect:  one load and one vector multiply-add for 8 floats; the bandwidth of the cache that holds B, or of the memory.
// Limits:  B must be row-major. What is left of the width takes narrower blocks, up to two of them; a block that
//          would reach beyond the last column begins earlier and computes some columns twice. Small products stay on one
//          thread.
// Source:  Yang, Buluç, Owens 2018, "Design principles for sparse matrix multiplication on the GPU" (row splitting).

#include <bit>

#include "custom_kernels/segmented_reduce/detail/shares.h"
#include "lib/core/target_clones.h"
#include "lib/ops/spmm/contract.h"

namespace tandem {
namespace {

constexpr int kMost = 32;                          // columns of a block
constexpr std::int64_t kSmallPiece = kPiece / 16;  // elements and rows that a thread claims at once

/// Sums of neighbouring columns.
template <class T, int kColumns>
struct Sums {
  T of[kColumns] = {};

  Sums() = default;
  explicit Sums(T value) { std::fill(of, of + kColumns, value); }
  friend Sums operator+(Sums a, const Sums& b) {
    for (int i = 0; i < kColumns; ++i) a.of[i] += b.of[i];
    return a;
  }
};

/// Up to 32 bytes of neighbouring columns, without alignment beyond an element's.
template <class T, int kColumns>
struct Vector {
  static constexpr int kLanes = std::min(kColumns, 32 / static_cast<int>(sizeof(T)));
  typedef T type __attribute__((vector_size(kLanes * sizeof(T)), aligned(alignof(T)), may_alias));
};
template <class T>
struct Vector<T, 1> {
  static constexpr int kLanes = 1;
  using type = T;
};

/// sums[i] = those of the products of elements [k, end) and column i of B from `b` on.
template <class T, class Column, int kColumns>
TANDEM_CLONES void sum_products(const T* values, const Column* columns, const T* b, std::int64_t ld,
                                std::int64_t k, std::int64_t end, T* sums) {
  using V = typename Vector<T, kColumns>::type;
  constexpr int kVectors = kColumns / Vector<T, kColumns>::kLanes;
  V sum[kVectors] = {};
  for (; k < end; ++k) {
    const auto* line = reinterpret_cast<const V*>(b + columns[k] * ld);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sum[v] += values[k] * line[v];
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) reinterpret_cast<V*>(sums)[v] = sum[v];
}

/// Columns [from, from + kColumns), of which those from `first` on are wanted.
template <class C, int kColumns>
void multiply_block(const typename C::Args& a, std::int64_t from, std::int64_t first, void* carries) {
  using T = typename C::T;
  using All = Sums<T, kColumns>;
  reduce_shares<Plus, All>(
      a.rows, kSmallPiece, static_cast<PieceCarry<All>*>(carries),
      [&](std::int64_t k, std::int64_t end) {
        All sums;
        sum_products<T, typename C::ColumnNumber, kColumns>(a.values, a.columns, a.b.data + from, a.b.row, k,
                                                            end, sums.of);
        return sums;
      },
      [&](std::int64_t r, const All& sums) {
        for (auto i = static_cast<int>(first - from); i < kColumns; ++i) a.store(r, from + i, sums.of[i]);
      });
}

template <class C, int kColumns = kMost>
void multiply_block(int columns, const typename C::Args& a, std::int64_t from, std::int64_t first,
                    void* carries) {
  if (columns == kColumns)
    multiply_block<C, kColumns>(a, from, first, carries);
  else if constexpr (kColumns > 1)
    multiply_block<C, kColumns / 2>(columns, a, from, first, carries);
}

template <class C>
void simd(const typename C::Args& given, Context& ctx) {
  auto* const carries =
      ctx.scratch<PieceCarry<Sums<typename C::T, kMost>>>(pieces_of(given.rows, kSmallPiece));
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    for (std::int64_t first = 0; first < a.width;) {
      const auto left = static_cast<unsigned>(std::min<std::int64_t>(a.width - first, kMost));
      int columns = static_cast<int>(std::bit_ceil(left));
      if (columns > a.width) columns /= 2;
      const std::int64_t from = std::min(first, a.width - columns);
      multiply_block<K>(columns, a, from, first, carries);
      first = from + columns;
    }
  });
}

REGISTER(Spmm, simd, .note = "sums of up to 32 columns in vector registers",
         .refuses = Spmm::refuse_columns_of_b)

}  // namespace
}  // namespace tandem
