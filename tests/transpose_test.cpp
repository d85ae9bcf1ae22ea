// transpose by its public functions: right calls in both layouts and in place, and bad ones, each of which
// throws InvalidArgument, names operation, argument, value and limit, and leaves the output untouched.

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
