// transpose by its public functions: right calls in both layouts and in place, and bad ones, each of which
// throws InvalidArgument, names operation, argument, value and limit, and leaves the output untouched.

#include <complex>

#include "tandem/tandem.h"
#include "tests/host_rows.h"
#include "tests/matrix_calls.h"

namespace tandem {

TEST_SUITE_BEGIN("transpose");

TEST_CASE("both layouts, out of place and in place") {
  Context ctx = Context::host();
  for (const Layout layout : kLayouts) {
    const Owned a(5, 9, layout, 2);
    Owned t(9, 5, layout, 1);
    transpose(ctx, a.view, t.view);
    for (std::int64_t i = 0; i < 5; ++i) {
      for (std::int64_t j = 0; j < 9; ++j) CHECK(at(t.view, j, i) == at(a.view, i, j));
    }
    Owned square(6, 6, layout, 3);
    const std::vector<float> before = square.memory;
    transpose(ctx, square.view);
    CHECK(square.memory[1] == before[9]);
    transpose(ctx, square.view);
    CHECK(square.memory == before);
  }
  transpose(ctx, MatrixView<float>{nullptr, 0, 7, 7}, MatrixView<float>{nullptr, 7, 0, 0});
}

namespace {
template <class T>
void transpose_elements(const std::vector<T>& elements) {
  Context ctx = Context::host();
  std::vector<T> moved(6);
  transpose(ctx, matrix(elements, 2, 3), matrix(moved, 3, 2));
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) CHECK(moved[2 * j + i] == elements[3 * i + j]);
  }
}
struct Pixel {
  std::uint8_t red, green, blue, alpha;
  bool operator==(const Pixel&) const = default;
};
}  // namespace

TEST_CASE("elements of any type of 1, 2, 4 or 8 bytes") {
  transpose_elements<char>({'a', 'b', 'c', 'd', 'e', 'f'});
  transpose_elements<std::int8_t>({-128, 127, 0, 1, 2, 3});
  transpose_elements<std::uint16_t>({0, 65535, 1, 2, 3, 4});
  transpose_elements<bfloat16>(
      {bfloat16(1.0f), bfloat16(2.0f), bfloat16(3.0f), bfloat16(4.0f), bfloat16(5.0f), bfloat16(6.0f)});
  transpose_elements<std::uint32_t>({0, 4294967295u, 1, 2, 3, 4});
  transpose_elements<std::uint64_t>({0, ~std::uint64_t{0}, 1, 2, 3, 4});
  transpose_elements<Pixel>(
      {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}, {}, {255, 0, 0, 1}});

  alignas(8) const std::complex<float> numbers[6] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
  alignas(8) std::complex<float> moved[6];
  Context ctx = Context::host();
  transpose(ctx, MatrixView<const std::complex<float>>{numbers, 2, 3, 3},
            MatrixView<std::complex<float>>{moved, 3, 2, 2});
  CHECK(moved[1] == numbers[3]);
  CHECK(moved[4] == numbers[2]);
}

TEST_CASE("bad transpositions") {
  Context ctx = Context::host();
  std::vector<float> x(64, 1), z(64, -7);
  using M = MatrixView<float>;
  const M in{x.data(), 3, 4, 4}, out{z.data(), 4, 3, 3};
  const auto expect = [&](const M& in, const M& out, const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        z, [&] { transpose(ctx, in, out); }, parts);
  };
  expect(in, {z.data(), 3, 3, 3}, {"transpose: rows of 'out' is 3; it must be 4, the cols of 'in'"});
  expect(in, {z.data(), 4, 4, 4}, {"transpose: cols of 'out' is 4; it must be 3, the rows of 'in'"});
  expect(in, {z.data(), 4, 3, 4, Layout::column_major},
         {"transpose: layout of 'out' is column_major; it must be row_major, the layout of 'in'"});
  for_each_bad_view<2>("transpose", {in, out}, {"in", "out"},
                       [&](const auto& m, const auto& parts) { expect(m[0], m[1], parts); });
  expect({z.data(), 3, 4, 4}, {z.data(), 4, 3, 3},
         {"'out' overlaps 'in' by starting 0 bytes after it"});  // not square
  expect({z.data(), 4, 4, 4}, {z.data() + 1, 4, 4, 4}, {"'out' overlaps 'in' by starting 4 bytes after it"});
  expect({z.data(), 4, 4, 4}, {z.data(), 4, 4, 5}, {"'out' overlaps 'in'"});  // two leading dimensions
  expect_refused<InvalidArgument>(z,
                                  [&] {
                                    transpose(ctx, M{z.data(), 3, 4, 4});
                                  },
                                  {"rows of 'out' is 3; it must be 4"});
  for (const char* use :
       {"nothing", "custom/nothing", "gemm/custom/serial", "custom", "serial@simt", "*", "/", " "}) {
    expect_refused<InvalidArgument>(
        z, [&] { transpose(ctx, in, out, {.use = use}); },
        {std::string("transpose: unknown implementation '") + use + "'", "known: custom/serial"});
  }
  CHECK(refused_calls >= 50);
}

TEST_CASE("every host row takes the smallest matrices") {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("transpose")) {
    CAPTURE(i->name);
    try {
      std::vector<double> one{3}, result{-7};
      transpose(ctx, matrix(one, 1, 1), matrix(result, 1, 1), {.use = i->name});
      CHECK(result[0] == 3);
    } catch (const Unavailable&) {  // does not take such a case, and said why
    }
  }
}

TEST_SUITE_END();

}  // namespace tandem
