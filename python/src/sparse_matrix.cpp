#include "python/src/sparse_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <utility>

#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/sparse_layouts.h"

namespace tandem::python {
namespace {

struct Sides {
  std::int64_t rows, cols;
};

enum class Format { csr, csc, coo, bsr, sell };
constexpr std::array<std::string_view, 5> kFormats = {"csr", "csc", "coo", "bsr", "sell"};

/// csr unless the object says another.
Format format_of(const Call& call, nb::handle object) {
  const nb::object format = nb::getattr(object, "format", nb::str("csr"));
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (format.equal(nb::str(kFormats[i].data()))) return static_cast<Format>(i);
  }
  call.refuse(fmt::format("'a' has the format {}; it must be one of {} (tocsr)", nb::repr(format).c_str(),
                          fmt::join(kFormats, ", ")));
}

nb::object part(const Call& call, nb::handle object, const char* name) {
  if (!nb::hasattr(object, name))
    call.refuse(
        fmt::format("'a' is of type {}, which has no '{}'; it must be a CsrMatrix, a sparse matrix as "
                    "SciPy has it, or a tuple of data, indices, indptr",
                    Py_TYPE(object.ptr())->tp_name, name));
  return object.attr(name);
}

Sides shape_of(const Call& call, nb::handle object) {
  const nb::object shape = part(call, object, "shape");
  Sides sides{};
  if (nb::len(shape) != 2 || !nb::try_cast(shape[0], sides.rows) || !nb::try_cast(shape[1], sides.cols))
    call.refuse(fmt::format("the shape of 'a' is {}; it must be two numbers", nb::repr(shape).c_str()));
  return sides;
}

/// The arrays of a matrix of the format coo.
struct Elements {
  Sides sides;
  Array values;
  Type type;
  Array rows, columns;

  Elements(Call& call, nb::handle object)
      : sides(shape_of(call, object)),
        values(call, "data", part(call, object, "data")),
        type(require_type(call, values, OperatorId::none, floats)),
        rows(call, "row", part(call, object, "row")),
        columns(call, "col", part(call, object, "col")) {}
};

}  // namespace

void require_on_host(const Call& call, const char* argument, dlpack::Device device) {
  if (device.type != dlpack::kCpu)
    call.refuse(fmt::format("'{}' is on {}; it must be on the CPU, where this is computed", argument,
                            device_name(device)));
}

std::vector<double> doubles(Context& ctx, Type type, detail::ConstMemory values) {
  return detail::translated([&] {
    return with_float(type, [&]<class T>() {
      std::vector<T> all(static_cast<std::size_t>(values.size));
      detail::copy_values(ctx, values, sizeof(T), all.data());
      return converted<double>(std::move(all));
    });
  });
}

detail::Indices indices_of(const Call& call, const Array& indices) {
  if (indices.dtype != dlpack_type(Type::i32))
    indices.require_dtype(call, dlpack_type(Type::i64), "or int32, as indices do");
  const detail::Memory all = indices.vector(call);
  return {all.data, all.size, *indices.type()};
}

std::vector<std::int32_t> narrowed(const Call& call, Context& ctx, const Array& indices) {
  const std::vector<std::int64_t> all = detail::copy_offsets(ctx, indices_of(call, indices)).to_vector();
  return detail::translated([&] {
    std::vector<std::int32_t> narrow;
    narrow.reserve(all.size());
    for (const std::int64_t number : all) {
      if (!std::in_range<std::int32_t>(number))
        call.refuse(fmt::format("number {} of '{}' is {}; it must be from {} to {}", narrow.size(),
                                indices.name, number, INT32_MIN, INT32_MAX));
      narrow.push_back(static_cast<std::int32_t>(number));
    }
    return narrow;
  });
}

Csr::Csr(Call& call, nb::handle object, Columns cols, bool transpose) {
  const Format format = nb::isinstance<nb::tuple>(object) ? Format::csr : format_of(call, object);
  if (format == Format::csr || format == Format::csc)
    take_lines(call, object, cols, format == Format::csc, transpose);
  else if (format == Format::coo)
    take_elements(call, object, transpose);
  else
    take_layout(call, object, format == Format::bsr, transpose);
}

Csr::Csr(Call& call, SparseRows rows, Type type, nb::handle like) : like_(nb::borrow(like)), type_(type) {
  call.run([&](Context& ctx, const Options&) { take_rows(ctx, std::move(rows)); });
}

void Csr::take_lines(Call& call, nb::handle object, Columns cols, bool by_columns, bool transpose) {
  std::array<nb::object, 3> parts;
  std::optional<Sides> said;
  if (nb::isinstance<nb::tuple>(object)) {
    const nb::tuple all = nb::borrow<nb::tuple>(object);
    if (all.size() != 3)
      call.refuse(fmt::format("'a' has {} parts; it must have 3: data, indices, indptr", all.size()));
    parts = {all[0], all[1], all[2]};
  } else {
    parts = {part(call, object, "data"), part(call, object, "indices"), part(call, object, "indptr")};
    said = shape_of(call, object);
  }
  like_ = parts[0];
  values_.emplace(call, "data", parts[0]);
  columns_.emplace(call, "indices", parts[1]);
  offsets_.emplace(call, "indptr", parts[2]);
  device_ = call.device;
  type_ = require_type(call, *values_, OperatorId::none, floats);
  const detail::Indices columns = indices_of(call, *columns_), offsets = indices_of(call, *offsets_);
  const detail::Memory values = values_->vector(call);
  if (!said && !cols.given && !cols.as_rows)
    call.refuse("cols is not given; three arrays do not say how many columns there are (CsrMatrix)");
  const std::int64_t rows = offsets.size - 1;
  const Sides sides = said.value_or(Sides{rows, cols.given.value_or(rows)});
  const auto [lines, across] = by_columns ? Sides{sides.cols, sides.rows} : sides;
  call.run([&](Context& ctx, const Options&) {
    if (offsets.type != Type::i64) wide_.emplace(detail::copy_offsets(ctx, offsets));
    const View<const std::int64_t> begins{
        wide_ ? wide_->data() : static_cast<const std::int64_t*>(offsets.data), offsets.size};
    with_index(columns, [&](const auto& numbers) {
      with_float(type_, [&]<class T>() {
        const CsrMatrix<T> matrix(ctx, lines, across, begins, numbers,
                                  View<const T>{static_cast<const T*>(values.data), values.size});
        if (by_columns != transpose) return take_made(transposed(ctx, matrix));
        pattern_.emplace(matrix);
        stored_ = matrix.values();
      });
    });
  });
  if (by_columns != transpose) {
    wide_.reset();
    return;
  }
  data_ = parts[0];
  indices_ = parts[1];
  if (!wide_) indptr_ = parts[2];
}

void Csr::take_elements(Call& call, nb::handle object, bool transpose) {
  const Elements all(call, object);
  like_ = nb::borrow(all.values.object);
  device_ = call.device;
  type_ = all.type;
  const detail::Memory values = all.values.vector(call);
  const detail::Indices rows = indices_of(call, all.rows), columns = indices_of(call, all.columns);
  call.run([&](Context& ctx, const Options&) {
    with_index(rows, [&](const auto& row_numbers) {
      with_index(columns, [&](const auto& column_numbers) {
        with_float(type_, [&]<class T>() {
          const View<const T> typed{static_cast<const T*>(values.data), values.size};
          const CooMatrix<T> matrix(ctx, all.sides.rows, all.sides.cols, row_numbers, column_numbers, typed);
          take_made(to_csr(ctx, transpose ? CooMatrix<T>::unchecked(all.sides.cols, all.sides.rows,
                                                                    column_numbers, row_numbers, typed)
                                          : matrix));
        });
      });
    });
  });
}

void Csr::take_layout(Call& call, nb::handle object, bool in_blocks, bool transpose) {
  const Sides sides = shape_of(call, object);
  like_ = part(call, object, "data");
  const Array values(call, "data", like_), columns(call, "indices", part(call, object, "indices")),
      offsets(call, "indptr", part(call, object, "indptr"));
  require_on_host(call, "a", call.device);
  type_ = require_type(call, values, OperatorId::none, floats);
  std::optional<Array> row_numbers;
  std::int64_t slice_rows = 0;
  detail::ConstMemory all{};
  if (in_blocks) {
    if (values.ndim != 3)
      call.refuse(fmt::format(
          "'data' has {} dimensions; it must have 3: blocks, and rows and columns of each", values.ndim));
    all = read_only(values.elements(call));
    if (!values.dense(Order::c))
      call.refuse(fmt::format("'data' of shape {} lies in Fortran order; it must lie in C order",
                              values.shape_text()));
  } else {
    row_numbers.emplace(call, "row_numbers", part(call, object, "row_numbers"));
    all = read_only(values.vector(call));
    if (const nb::object given = part(call, object, "slice_rows"); !nb::try_cast(given, slice_rows))
      call.refuse(fmt::format("slice_rows of 'a' is {}; it must be a whole number", nb::repr(given).c_str()));
  }
  call.run([&](Context& ctx, const Options&) {
    auto begins = detail::copy_offsets(ctx, indices_of(call, offsets)).to_vector();
    auto numbers = narrowed(call, ctx, columns);
    auto elements = doubles(ctx, type_, all);
    const SparseRows rows =
        in_blocks
            ? by_rows(SparseBlocks{sides.rows, sides.cols, values.extents[1], values.extents[2],
                                   std::move(begins), std::move(numbers), std::move(elements)})
            : by_rows(SparseSlices{sides.rows, sides.cols, slice_rows, narrowed(call, ctx, *row_numbers),
                                   std::move(begins), std::move(numbers), std::move(elements)});
    take_rows(ctx, transpose ? transposed(rows) : rows);
  });
}

template <class T>
void Csr::take_made(OwnedCsr<T> made) {
  const auto& kept = made_.emplace<OwnedCsr<T>>(std::move(made));
  pattern_.emplace(kept.view());
  stored_ = kept.view().values();
}

void Csr::take_rows(Context& ctx, SparseRows rows) {
  detail::translated([&] {
    with_float(type_, [&]<class T>() {
      take_made(OwnedCsr<T>(rows.rows, rows.cols, tandem::Array(ctx, rows.offsets),
                            tandem::Array(ctx, rows.columns),
                            tandem::Array(ctx, converted<T>(std::move(rows.values)))));
    });
  });
}

nb::object Csr::data(nb::handle self) const {
  const std::int64_t size = pattern_->elements();
  return data_.is_valid() ? data_ : lent(self, like_, device_, stored_, dtype(), {&size, 1});
}
nb::object Csr::indices(nb::handle self) const {
  const std::int64_t size = pattern_->elements();
  return indices_.is_valid()
             ? indices_
             : lent(self, like_, device_, pattern_->columns().data(), dlpack_type(Type::i32), {&size, 1});
}
nb::object Csr::indptr(nb::handle self) const {
  const std::int64_t size = pattern_->rows() + 1;
  return indptr_.is_valid()
             ? indptr_
             : lent(self, like_, device_, pattern_->offsets(), dlpack_type(Type::i64), {&size, 1});
}

SparseRows Csr::rows(Call& call) const {
  require_on_host(call, "a", device_);
  SparseRows rows;
  call.run([&](Context& ctx, const Options&) {
    rows = detail::in_host_memory(ctx, call.operation, *pattern_, {stored_, pattern_->elements()}, type_);
  });
  return rows;
}

Matrix::Matrix(Call& call, nb::handle object, Columns cols) : object_(nb::borrow(object)) {
  if (nb::isinstance<Csr>(object))
    csr_ = &nb::cast<const Csr&>(object);
  else
    csr_ = &made_.emplace(call, object, cols);
  csr_->join(call);
}

SparseElements elements_of(Call& call, nb::handle object) {
  SparseElements elements;
  if (nb::isinstance<nb::tuple>(object) || format_of(call, object) != Format::coo) {
    const SparseRows rows = Matrix(call, object)->rows(call);
    call.run([&](Context&, const Options&) { elements = by_elements(rows); });
    return elements;
  }
  const Elements all(call, object);
  require_on_host(call, "a", call.device);
  const detail::ConstMemory values = read_only(all.values.vector(call));
  call.run([&](Context& ctx, const Options&) {
    elements = {all.sides.rows, all.sides.cols, narrowed(call, ctx, all.rows),
                narrowed(call, ctx, all.columns), doubles(ctx, all.type, values)};
  });
  return elements;
}

}  // namespace tandem::python
