// Sparse matrices of Python in other layouts, as dense ones and in files of the Matrix Market.

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>

#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "python/src/sparse_matrix.h"
#include "tandem/matrix_market.h"
#include "tandem/sparse_layouts.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

/// What make(rows) returns, `rows` those of `a`, while other Python threads run.
template <class Make>
auto made_of(Call& call, const Csr& a, Make make) {
  const SparseRows rows = a.rows(call);
  std::optional<decltype(make(rows))> result;
  call.run([&](Context&, const Options&) { result.emplace(make(rows)); });
  return *std::move(result);
}

/// An array of the library of `like`, with elements of this type.
nb::object values_array(std::vector<double> values, Type type, std::span<const std::int64_t> shape,
                        nb::handle like) {
  return with_float(type,
                    [&]<class T>() { return handed_over(converted<T>(std::move(values)), shape, like); });
}
nb::object values_array(std::vector<double> values, Type type, nb::handle like) {
  const auto size = static_cast<std::int64_t>(values.size());
  return values_array(std::move(values), type, {&size, 1}, like);
}

nb::object type_of_results(const char* name) { return nb::module_::import_("tandem").attr(name); }

/// A CsrMatrix of Python.
template <class... Arguments>
nb::object new_csr(Arguments&&... arguments) {
  return nb::cast(new Csr(std::forward<Arguments>(arguments)...), nb::rv_policy::take_ownership);
}

nb::object elements_object(SparseElements all, Type type, nb::handle like) {
  return type_of_results("SparseElements")(
      values_array(std::move(all.values), type, like), handed_over(std::move(all.row_numbers), like),
      handed_over(std::move(all.column_numbers), like), nb::make_tuple(all.rows, all.cols));
}

nb::object transposed_matrix(nb::handle a) {
  Call call("transposed", "");
  return new_csr(call, a, Columns{}, true);
}

nb::object in_elements(nb::handle a_object) {
  Call call("by_elements", "");
  const Matrix a(call, a_object);
  return elements_object(made_of(call, *a, [](const SparseRows& rows) { return by_elements(rows); }),
                         a->type(), a->like());
}

nb::object in_blocks(nb::handle a_object, std::int64_t block_rows, std::int64_t block_cols) {
  Call call("by_blocks", "");
  const Matrix a(call, a_object);
  SparseBlocks all =
      made_of(call, *a, [&](const SparseRows& rows) { return by_blocks(rows, block_rows, block_cols); });
  const auto blocks = static_cast<std::int64_t>(all.columns.size());
  return type_of_results("SparseBlocks")(
      values_array(std::move(all.values), a->type(), std::array{blocks, block_rows, block_cols}, a->like()),
      handed_over(std::move(all.columns), a->like()), handed_over(std::move(all.offsets), a->like()),
      nb::make_tuple(all.rows, all.cols));
}

nb::object in_slices(nb::handle a_object, std::int64_t slice_rows, std::int64_t sort_rows) {
  Call call("by_slices", "");
  const Matrix a(call, a_object);
  SparseSlices all =
      made_of(call, *a, [&](const SparseRows& rows) { return by_slices(rows, slice_rows, sort_rows); });
  return type_of_results("SparseSlices")(
      values_array(std::move(all.values), a->type(), a->like()),
      handed_over(std::move(all.columns), a->like()), handed_over(std::move(all.offsets), a->like()),
      handed_over(std::move(all.row_numbers), a->like()), slice_rows, nb::make_tuple(all.rows, all.cols));
}

nb::object canonical_matrix(nb::handle a_object) {
  Call call("canonical", "");
  const Matrix a(call, a_object);
  return new_csr(call, made_of(call, *a, [](const SparseRows& rows) { return canonical(rows); }), a->type(),
                 a->like());
}

nb::object dense_matrix(nb::handle a_object) {
  Call call("to_dense", "");
  const Matrix a(call, a_object);
  return values_array(made_of(call, *a, [](const SparseRows& rows) { return to_dense(rows); }), a->type(),
                      std::array{a->pattern().rows(), a->pattern().cols()}, a->like());
}

nb::object sparse_matrix(nb::handle x_object) {
  Call call("from_dense", "");
  const Array x(call, "x", x_object);
  const Type type = require_type(call, x, OperatorId::none, floats);
  const MatrixView<std::byte> all = x.matrix(call);
  require_on_host(call, "x", call.device);
  SparseRows rows;
  call.run([&](Context& ctx, const Options&) {
    const auto from = [&](const void* data) {
      return from_dense({static_cast<const double*>(data), all.rows, all.cols, all.ld, all.layout});
    };
    if (type == Type::f64) {
      rows = from(all.data);
    } else {
      const auto [lines, width] =
          all.layout == Layout::row_major ? std::pair{all.rows, all.cols} : std::pair{all.cols, all.rows};
      const std::int64_t storage = x.size() == 0 ? 0 : (lines - 1) * all.ld + width;
      rows = from(doubles(ctx, type, {all.data, storage}).data());
    }
  });
  return new_csr(call, std::move(rows), type, x_object);
}

nb::object read_file(const std::filesystem::path& file) {
  SparseElements all;
  {
    const nb::gil_scoped_release others_run;
    all = read_matrix_market(file);
  }
  return elements_object(std::move(all), Type::f64, nb::none());
}

void write_file(const std::filesystem::path& file, nb::handle a) {
  Call call("write_matrix_market", "");
  const SparseElements all = elements_of(call, a);
  call.run([&](Context&, const Options&) { write_matrix_market(file, all); });
}

}  // namespace

void add_sparse_conversions(nb::module_& module) {
  module.def("transposed", &transposed_matrix, "a"_a, nb::sig("def transposed(a: SparseMatrix) -> CsrMatrix"),
             R"(The transposed of a sparse matrix in rows, on the CPU or a GPU.

a  CsrMatrix, or what makes one but for a tuple

Returns a CsrMatrix of as many rows as a has columns. Its arrays are those of a by columns (CSC), and
scipy.sparse.csc_array((t.data, t.indices, t.indptr), a.shape) is a again. Of a matrix by columns (csc) it is a view;
otherwise all is copied, and the elements of a row stand in the order of the rows of a.
O(elements * log(rows) + columns * log(elements)); waits for its result.

Raises InvalidArgument, OutOfMemory, DeviceError.)");

  module.def("by_elements", &in_elements, "a"_a,
             nb::sig("def by_elements(a: SparseMatrix) -> SparseElements"),
             R"(A sparse matrix element by element, row by row (CSR to COO), on the CPU.

a  CsrMatrix, or what makes one but for a tuple

Returns SparseElements with arrays like those of a. O(rows + elements).

Raises InvalidArgument, OutOfMemory.)");

  module.def(
      "by_blocks", &in_blocks, "a"_a, "block_rows"_a, "block_cols"_a,
      nb::sig("def by_blocks(a: SparseMatrix, block_rows: int, block_cols: int) -> SparseBlocks"),
      R"(A sparse matrix in dense blocks of one size, those that hold elements (CSR to BSR), on the CPU.

a                       CsrMatrix, or what makes one but for a tuple
block_rows, block_cols  of a block, from 1 to 2^31 - 1; they need not divide the rows and columns of a

Several elements at one place are added up. CsrMatrix() of the result is the way back, without elements that are 0.

Returns SparseBlocks with arrays like those of a, blocks of a row by their columns.
O(rows + columns / block_cols + elements * log(elements) + elements of all blocks).

Raises InvalidArgument, OutOfMemory.)");

  module.def("by_slices", &in_slices, "a"_a, "slice_rows"_a, "sort_rows"_a = 1,
             nb::sig("def by_slices(a: SparseMatrix, slice_rows: int, sort_rows: int = 1) -> SparseSlices"),
             R"(A sparse matrix in slices of padded rows (CSR to SELL-C-sigma), on the CPU.

a           CsrMatrix, or what makes one but for a tuple
slice_rows  rows of a slice (C), from 1 to 2^31 - 1
sort_rows   within each so many rows those with more elements come first (sigma), which saves padding; from 1, which
            sorts nothing, to 2^31 - 1

CsrMatrix() of the result is the way back: rows, and elements of a row, stand as they stood.

Returns SparseSlices with arrays like those of a. O(rows * log(sort_rows) + elements with padding).

Raises InvalidArgument, OutOfMemory.)");

  module.def(
      "canonical", &canonical_matrix, "a"_a, nb::sig("def canonical(a: SparseMatrix) -> CsrMatrix"),
      R"(The same matrix with the elements of each row by ascending columns, one at each place, on the CPU.

a  CsrMatrix, or what makes one but for a tuple

Several elements at one place are added up in their order, as float64; a stored 0 stays.

Returns a CsrMatrix with arrays of its own, like those of a. O(rows + columns + elements).

Raises InvalidArgument, OutOfMemory.)");

  module.def("from_dense", &sparse_matrix, "x"_a, nb::sig("def from_dense(x: SupportsDLPack) -> CsrMatrix"),
             R"(The elements of a dense matrix that are not 0, NaN among them, in rows, on the CPU.

x  matrix of float32 or float64 whose rows or columns lie in one piece; a slice will do

Returns a CsrMatrix with arrays of its own, like x; elements of a row by their columns. O(rows * columns).

Raises InvalidArgument, OutOfMemory.)");

  module.def("to_dense", &dense_matrix, "a"_a, nb::sig("def to_dense(a: SparseMatrix) -> typing.Any"),
             R"(All elements of a sparse matrix, with those that are 0, on the CPU.

a  CsrMatrix, or what makes one but for a tuple

Several elements at one place are added up in their order, as float64.

Returns an array of shape (rows, columns) in C order, of the library and type of a's data. O(rows * columns + elements).

Raises InvalidArgument, OutOfMemory.)");

  module.def("read_matrix_market", &read_file, "file"_a,
             nb::sig("def read_matrix_market(file: str | os.PathLike[str]) -> SparseElements"),
             R"(Reads a sparse matrix from a Matrix Market file.

file  a regular file: coordinate, of real, integer or pattern (each value is 1), general, symmetric or
      skew-symmetric; of the last two elements below the diagonal give those above it, too, each behind its own

Returns SparseElements of NumPy arrays, data of float64; CsrMatrix() makes rows of them. O(size of the file).

Raises BadFile (with the line: another form, what is no number or out of range, more or fewer elements than the file
says), OutOfMemory.)");

  module.def("write_matrix_market", &write_file, "file"_a, "a"_a,
             nb::sig("def write_matrix_market(file: str | os.PathLike[str], a: SparseMatrix) -> None"),
             R"(Writes a sparse matrix as a Matrix Market file: coordinate, real, general.

file  a file that is there stays as it is until the new one is complete on the disk
a     SparseElements, or another object of the format coo, whose elements are written in their order; or CsrMatrix, or
      what makes one but for a tuple, by rows. What is read from the file are the same elements, bit for bit.
      O(rows + elements)

Raises InvalidArgument, BadFile (with the system's reason), OutOfMemory; the file is as it was.)");
}

}  // namespace tandem::python
