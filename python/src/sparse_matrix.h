#pragma once
// The sparse matrices that calls take: by rows, whatever arrays of Python they come from.

#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "python/src/arrays.h"
#include "tandem/sparse_arrays.h"
#include "tandem/sparse_rows.h"

namespace tandem::python {

/// work.operator()<T>() for float or double.
template <class Work>
decltype(auto) with_float(Type type, Work work) {
  return type == Type::f32 ? work.template operator()<float>() : work.template operator()<double>();
}

/// Elements of layouts in host memory, which hold doubles, in another type.
template <class T, class From>
std::vector<T> converted(std::vector<From> values) {
  if constexpr (std::is_same_v<T, From>)
    return values;
  else
    return {values.begin(), values.end()};
}
/// Elements in any place as those layouts hold them.
std::vector<double> doubles(Context& ctx, Type type, detail::ConstMemory values);
/// int32 and int64, as indices hold. Throws InvalidArgument for others.
detail::Indices indices_of(const Call& call, const Array& indices);
/// work(View<const std::int32_t>) or work(View<const std::int64_t>) of indices_of().
template <class Work>
void with_index(const detail::Indices& indices, Work work) {
  if (indices.type == Type::i64)
    work(View<const std::int64_t>{static_cast<const std::int64_t*>(indices.data), indices.size});
  else
    work(View<const std::int32_t>{static_cast<const std::int32_t*>(indices.data), indices.size});
}
/// In host memory. Throws InvalidArgument for the first of int64 that does not fit.
std::vector<std::int32_t> narrowed(const Call& call, Context& ctx, const Array& indices);

/// Throws InvalidArgument where an argument lies on a GPU.
void require_on_host(const Call& call, const char* argument, dlpack::Device device);

/// How many columns three arrays have that do not say it.
struct Columns {
  std::optional<std::int64_t> given = {};
  bool as_rows = false;  // as many as there are rows
};

/// A sparse matrix by rows, looked at: arrays of Python, exported as long as this lives, or what was made of them.
class Csr {
 public:
  /// `object` has the attributes of its format, or is a tuple of data, indices and indptr, whose number of columns is `cols`.
  /// `transpose`: its transposed is wanted. A view of rows, or of columns that are to be transposed; of all others a copy, in
  /// memory of this object's own. Throws InvalidArgument where it is none of these, or no such matrix.
  Csr(Call& call, nb::handle object, Columns cols, bool transpose = false);
  /// A copy in the memory of the call, with elements of this type, and arrays as `like` is.
  Csr(Call& call, SparseRows rows, Type type, nb::handle like);
  Csr(const Csr&) = delete;

  /// It takes part in a call.
  void join(Call& call) const { call.settle("a", device_, like_); }
  const void* values() const { return stored_; }
  const detail::CsrPattern& pattern() const { return *pattern_; }
  Type type() const { return type_; }
  dlpack::DataType dtype() const { return dlpack_type(type_); }
  /// Whose arrays results are like.
  nb::handle like() const { return like_; }

  // Its arrays: the caller's, or what was made, which `self`, the same matrix in Python, keeps.
  nb::object data(nb::handle self) const;
  nb::object indices(nb::handle self) const;
  nb::object indptr(nb::handle self) const;

  /// A copy in host memory. Throws InvalidArgument on a GPU.
  SparseRows rows(Call& call) const;

 private:
  // From the formats csr and csc, coo, bsr and sell.
  void take_lines(Call& call, nb::handle object, Columns cols, bool by_columns, bool transpose);
  void take_elements(Call& call, nb::handle object, bool transpose);
  void take_layout(Call& call, nb::handle object, bool in_blocks, bool transpose);
  void take_rows(Context& ctx, SparseRows rows);
  template <class T>
  void take_made(OwnedCsr<T> made);

  nb::object like_;
  dlpack::Device device_{dlpack::kCpu, 0};
  Type type_ = Type::f64;
  // The caller's arrays that are read as they lie, and their memory; null where others were made.
  nb::object data_, indices_, indptr_;
  std::optional<Array> values_, columns_, offsets_;
  std::optional<tandem::Array<std::int64_t>> wide_;
  std::variant<std::monostate, OwnedCsr<float>, OwnedCsr<double>> made_;
  std::optional<detail::CsrPattern> pattern_;
  const void* stored_ = nullptr;
};

/// The matrix of a call: one that is kept, or one that is looked at now.
class Matrix {
 public:
  Matrix(Call& call, nb::handle object, Columns cols = {});
  Matrix(const Matrix&) = delete;
  const Csr* operator->() const { return csr_; }
  const Csr& operator*() const { return *csr_; }

 private:
  const nb::object object_;
  std::optional<Csr> made_;
  const Csr* csr_;
};

/// The elements of any matrix in host memory: of the format coo in their order, of others by rows. Throws as Csr and Csr::rows.
SparseElements elements_of(Call& call, nb::handle object);

}  // namespace tandem::python
