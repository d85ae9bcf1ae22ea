#pragma once
// A small call of every operation through its public functions, whose result is known.

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/tandem.h"

namespace tandem {

struct KnownCall {
  std::string_view operation;
  /// By the implementation `use`, which may refuse it (Unavailable).
  std::function<void(Context& ctx, std::string_view use)> run;
  /// Whether the last run gave the known result, which is forgotten.
  std::function<bool()> right;
};

/// A sparse triangle: ones on the diagonal and before it.
struct Chain {
  static constexpr int rows = 600;
  Array<std::int64_t> offsets;
  Array<std::int32_t> columns;
  Array<float> values;
  SptrsvPlan<float> plan;
  explicit Chain(Context& ctx)
      : offsets(ctx, begins()),
        columns(ctx, pairs()),
        values(ctx, std::vector<float>(2 * rows - 1, 1.0f)),
        plan(analyse_triangular(ctx, CsrMatrix<float>::unchecked(rows, rows, offsets, columns, values))) {}
  static std::vector<std::int64_t> begins() {
    std::vector<std::int64_t> all{0};
    for (int i = 0; i < rows; ++i) all.push_back(2 * i + 1);
    return all;
  }
  static std::vector<std::int32_t> pairs() {
    std::vector<std::int32_t> all{0};
    for (std::int32_t i = 1; i < rows; ++i) all.insert(all.end(), {i - 1, i});
    return all;
  }
};

/// At least one call for each operation; data lies in the memory of `ctx`.
inline std::vector<KnownCall> known_calls(Context& ctx) {
  std::vector<KnownCall> calls;
  // An output of floats that must become `wanted`.
  struct Output {
    Array<float> array;
    std::vector<float> wanted;
    Output(Context& ctx, std::vector<float> values)
        : array(ctx, static_cast<std::int64_t>(values.size())), wanted(std::move(values)) {
      forget();
    }
    void forget() { array.upload(std::vector<float>(wanted.size(), -7)); }
    bool right() {
      const std::vector<float> got = array.to_vector();
      forget();
      for (std::size_t i = 0; i < got.size(); ++i) {
        if (!(std::fabs(got[i] - wanted[i]) <= 1e-4f * (1 + std::fabs(wanted[i])))) return false;
      }
      return true;
    }
  };
  const auto add = [&](std::string_view operation, std::shared_ptr<Output> out, auto run) {
    calls.push_back({operation, run, [out] { return out->right(); }});
  };
  const auto values = [](std::size_t n, auto f) {
    std::vector<float> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<float>(f(static_cast<int>(i)));
    return all;
  };

  constexpr std::size_t n = 3000;
  const auto x = std::make_shared<Array<float>>(ctx, values(n, [](int i) { return i % 5; }));
  const auto sum = std::make_shared<float>(-7.0f);
  calls.push_back({"reduce", [=](Context& c, std::string_view use) { *sum = reduce(c, *x, plus, {use}); },
                   [=] { return std::exchange(*sum, -7.0f) == 6000; }});
  const auto wide = std::make_shared<Array<double>>(ctx, std::vector<double>(n, 0.5));
  const auto wide_sum = std::make_shared<double>(-7.0);
  calls.push_back({"reduce",
                   [=](Context& c, std::string_view use) { *wide_sum = reduce(c, *wide, plus, {use}); },
                   [=] { return std::exchange(*wide_sum, -7.0) == 1500; }});
  auto out = std::make_shared<Output>(ctx, std::vector<float>{6000});
  add("reduce", out, [=](Context& c, std::string_view use) { reduce_into(c, *x, out->array, {use}); });

  for (const std::int64_t of :
       {std::int64_t{n}, std::int64_t{300}}) {  // quadratic steps refuse the longer one
    std::vector<float> sums = x->to_vector();
    sums.resize(static_cast<std::size_t>(of));
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    out = std::make_shared<Output>(ctx, sums);
    add("scan", out, [=](Context& c, std::string_view use) {
      inclusive_scan(c, View<const float>{x->data(), of}, out->array, plus, {use});
    });
  }

  // Every fifth element; the count tells, too.
  const auto fours = std::make_shared<Output>(ctx, std::vector<float>(n / 5, 4.0f));
  const auto room = std::make_shared<Array<float>>(ctx, std::int64_t{n});
  const auto kept = std::make_shared<std::int64_t>(-7);
  calls.push_back({"select",
                   [=](Context& c, std::string_view use) {
                     *kept = select(c, *x, greater{3.0f}, *room, {use});
                     c.copy(fours->array.data(), room->data(), fours->array.bytes());
                   },
                   [=] { return fours->right() && std::exchange(*kept, -7) == n / 5; }});
  // The same by flags; first what is above 3, then the others; and one of each run.
  std::vector<std::uint8_t> is_four(n);
  for (std::size_t i = 0; i < n; ++i) is_four[i] = i % 5 == 4;
  const auto flags = std::make_shared<Array<std::uint8_t>>(ctx, is_four);
  const auto kept_into = std::make_shared<Array<std::int64_t>>(ctx, 1);
  out = std::make_shared<Output>(ctx, std::vector<float>(n / 5, 4.0f));
  add("select", out, [=](Context& c, std::string_view use) {
    select_flagged_into(c, *x, *flags, *room, *kept_into, {use});
    c.copy(out->array.data(), room->data(), out->array.bytes());
  });
  out = std::make_shared<Output>(ctx,
                                 values(n, [](int i) { return i < int{n} / 5 ? 4 : (i - int{n} / 5) % 4; }));
  add("select", out, [=](Context& c, std::string_view use) {
    partition_into(c, *x, greater{3.0f}, out->array, *kept_into, {use});
  });
  const auto runs = std::make_shared<Array<float>>(ctx, values(n, [](int i) { return i / 5; }));
  out = std::make_shared<Output>(ctx, values(n / 5, [](int i) { return i; }));
  add("select", out, [=](Context& c, std::string_view use) {
    unique_into(c, *runs, *room, *kept_into, {use});
    c.copy(out->array.data(), room->data(), out->array.bytes());
  });
  // Short enough for what one block holds.
  constexpr std::int64_t kKeys = 2000;
  const auto keys = std::make_shared<Array<float>>(ctx, values(kKeys, [](int i) { return i * 7 % kKeys; }));
  out = std::make_shared<Output>(ctx, values(kKeys, [](int i) { return i; }));
  add("sort", out, [=](Context& c, std::string_view use) { sort_into(c, *keys, out->array, {}, {use}); });
  const auto places = std::make_shared<Output>(ctx, values(kKeys, [](int i) { return i; }));
  const auto sorted = std::make_shared<Array<float>>(ctx, kKeys);
  add("sort", places, [=](Context& c, std::string_view use) {
    sort_by_key_into(c, *keys, *keys, *sorted, places->array, {}, {use});
  });
  // The first hundred of these keys, and where they stand: 7 · 1143 is 1 more than 4 · kKeys.
  out = std::make_shared<Output>(ctx, values(100, [](int i) { return kKeys - 1 - i; }));
  const auto positions = std::make_shared<Array<std::int64_t>>(ctx, 100);
  add("top_k", out,
      [=](Context& c, std::string_view use) { top_k(c, *keys, out->array, Order::descending, {use}); });
  calls.push_back({"top_k",
                   [=](Context& c, std::string_view use) {
                     top_k(c, *keys, out->array, *positions, Order::descending, {use});
                   },
                   [=] {
                     const std::vector<std::int64_t> last = positions->to_vector();
                     positions->upload(std::vector<std::int64_t>(100, -7));
                     bool right = out->right();
                     for (std::size_t i = 0; i < 100; ++i)
                       right = right && last[i] == static_cast<std::int64_t>(kKeys - 1 - i) * 1143 % kKeys;
                     return right;
                   }});

  // Rows of five, once by their offsets, and columns of 60.
  out = std::make_shared<Output>(ctx, std::vector<float>(n / 5, 10.0f));
  add("segmented_reduce", out, [=](Context& c, std::string_view use) {
    segmented_reduce(c, *x, Segments::equal(n / 5, 5), out->array, {use});
  });
  std::vector<std::int64_t> fives(n / 5 + 1);
  for (std::size_t i = 0; i < fives.size(); ++i) fives[i] = static_cast<std::int64_t>(5 * i);
  const auto every_fifth = std::make_shared<Array<std::int64_t>>(ctx, fives);
  out = std::make_shared<Output>(ctx, std::vector<float>(n / 5, 10.0f));
  add("segmented_reduce", out, [=](Context& c, std::string_view use) {
    segmented_reduce(c, *x, Segments(c, *every_fifth), out->array, {use});
  });
  // Every two of them begin anew; each is its own run.
  out = std::make_shared<Output>(ctx, values(n, [](int i) { return i % 2 ? i % 5 + (i - 1) % 5 : i % 5; }));
  add("segmented_scan", out, [=](Context& c, std::string_view use) {
    segmented_inclusive_scan(c, *x, Segments::equal(n / 2, 2), out->array, {use});
  });
  out = std::make_shared<Output>(ctx, values(n, [](int i) { return i % 5; }));
  add("segmented_scan", out,
      [=](Context& c, std::string_view use) { inclusive_scan_by_key(c, *x, *x, out->array, {use}); });
  out = std::make_shared<Output>(ctx, values(n, [](int i) { return i % 5; }));
  const auto found = std::make_shared<Array<float>>(ctx, std::int64_t{n});
  const auto found_runs = std::make_shared<Array<std::int64_t>>(ctx, 1);
  add("reduce_by_key", out, [=](Context& c, std::string_view use) {
    reduce_by_key_into(c, *x, *x, *found, out->array, *found_runs, {use});
  });
  out = std::make_shared<Output>(ctx, values(60, [](int i) { return 50 * (i % 5); }));
  add("segmented_reduce", out,
      [=](Context& c, std::string_view use) { reduce_axis(c, matrix(*x, 50, 60), 0, out->array, {use}); });

  // A fifth in each of five bins, which are even ones and then lie between edges.
  const auto edges = std::make_shared<BinEdges<float>>(ctx, std::vector<float>{-1, 1, 2, 3, 4, 5});
  for (const bool even : {true, false}) {
    const auto counts = std::make_shared<Array<std::int64_t>>(ctx, 5);
    calls.push_back({"histogram",
                     [=](Context& c, std::string_view use) {
                       if (even)
                         histogram(c, *x, 0, 5, *counts, {use});
                       else
                         histogram(c, *x, *edges, *counts, {use});
                     },
                     [=] {
                       const auto last = counts->to_vector();
                       counts->upload(std::vector<std::int64_t>(5, -7));
                       return last == std::vector<std::int64_t>(5, n / 5);
                     }});
  }

  // Libraries make other numbers, and refuse.
  out = std::make_shared<Output>(ctx, values(n, [](int i) {
                                   return random_element(Normal<float>(1, 2), Philox(7),
                                                         static_cast<std::uint64_t>(i + 5));
                                 }));
  add("random", out, [=](Context& c, std::string_view use) {
    random(c, out->array, Normal<float>(1, 2), {.seed = 7, .offset = 5}, {.use = use, .bits = portable});
  });
  for (const double mean : {10.0, 1000.0}) {  // by one word, and by attempts
    const auto whole = std::make_shared<Array<std::uint32_t>>(ctx, std::vector<std::uint32_t>(n));
    std::vector<std::uint32_t> wanted(n);
    for (std::size_t i = 0; i < n; ++i) wanted[i] = Poisson<>(mean).at(Philox(7), i + 5);
    const auto run = [=](Context& c, std::string_view use) {
      random(c, *whole, Poisson<>(mean), {.seed = 7, .offset = 5}, {.use = use, .bits = portable});
    };
    calls.push_back({"random", run, [=] {
                       const bool right = whole->to_vector() == wanted;
                       whole->upload(std::vector<std::uint32_t>(n));
                       return right;
                     }});
  }
  const RandomKey points{
      .seed = 7, .offset = 5, .generator = Generator::sobol, .dimensions = 3, .scrambling = Scrambling::owen};
  out = std::make_shared<Output>(
      ctx, values(n, [&](int i) {
        return random_element(Uniform<float>(), Sobol(points.dimensions, points.scrambling, points.seed),
                              points.offset + static_cast<std::uint64_t>(i));
      }));
  add("random", out, [=](Context& c, std::string_view use) {
    random(c, out->array, Uniform<float>(), points, {.use = use, .bits = portable});
  });

  out = std::make_shared<Output>(ctx, values(n, [](int i) { return 3 * (i % 5); }));
  add("transform", out,
      [=](Context& c, std::string_view use) { transform(c, axpy(2.0f), *x, *x, out->array, {use}); });

  // A 1 in the middle of 1,024 numbers becomes 1, −1, 1, …
  const auto impulse = std::make_shared<Array<std::complex<float>>>(ctx, [] {
    std::vector<std::complex<float>> all(1024);
    all[512] = 1;
    return all;
  }());
  out = std::make_shared<Output>(ctx, values(2048, [](int i) { return i % 2 ? 0 : i % 4 ? -1 : 1; }));
  add("fft", out, [=](Context& c, std::string_view use) {
    fft(c, *impulse,
        View<std::complex<float>>{reinterpret_cast<std::complex<float>*>(out->array.data()), impulse->size()},
        {use});
  });

  // That is the spectrum of a shift by half a row.
  const auto row = std::make_shared<Array<float>>(ctx, values(2048, [](int i) { return i % 5; }));
  const auto shift = std::make_shared<Array<float>>(ctx, out->wanted);
  out = std::make_shared<Output>(ctx, values(2048, [](int i) { return (i + 1024) % 2048 % 5; }));
  add("convolve", out, [=](Context& c, std::string_view use) {
    const auto numbers = [](Array<float>& parts) {
      return View<std::complex<float>>{reinterpret_cast<std::complex<float>*>(parts.data()), 1024};
    };
    convolve(c, numbers(*row), numbers(*shift), numbers(out->array), {use});
  });

  // The same of 2,048 real numbers, to n/2.
  const auto real_impulse =
      std::make_shared<Array<float>>(ctx, values(2048, [](int i) { return i == 1024; }));
  out = std::make_shared<Output>(ctx, values(2050, [](int i) { return i % 2 ? 0 : i % 4 ? -1 : 1; }));
  add("real_fft", out, [=](Context& c, std::string_view use) {
    real_fft(c, *real_impulse,
             View<std::complex<float>>{reinterpret_cast<std::complex<float>*>(out->array.data()), 1025},
             {use});
  });

  // In the middle of a grid of even sides it becomes a chessboard; of a real grid half of one, with the column in the middle.
  for (const std::int64_t side : {32, 60}) {
    const std::int64_t points = side * side;
    const auto impulse = [=](auto one) {
      std::vector<decltype(one)> all(static_cast<std::size_t>(points));
      all[static_cast<std::size_t>(side / 2 * (side + 1))] = one;
      return all;
    };
    const auto board = [=](std::int64_t columns) {
      return values(static_cast<std::size_t>(2 * side * columns), [=](int i) {
        return i % 2 ? 0 : (i / 2 % columns + i / 2 / columns) % 2 ? -1 : 1;
      });
    };
    const auto numbers = [](Output& results, std::int64_t count) {
      return View<std::complex<float>>{reinterpret_cast<std::complex<float>*>(results.array.data()), count};
    };
    const auto centre = std::make_shared<Array<std::complex<float>>>(ctx, impulse(std::complex<float>(1)));
    out = std::make_shared<Output>(ctx, board(side));
    add("fft_nd", out, [=](Context& c, std::string_view use) {
      fft_nd(c, *centre, numbers(*out, points), {.extents = {side, side}}, {use});
    });
    const std::int64_t columns = side / 2 + 1;
    const auto real_centre = std::make_shared<Array<float>>(ctx, impulse(1.0f));
    out = std::make_shared<Output>(ctx, board(columns));
    add("real_fft_nd", out, [=](Context& c, std::string_view use) {
      real_fft_nd(c, *real_centre, numbers(*out, side * columns), {.extents = {side, side}}, {use});
    });
  }

  out = std::make_shared<Output>(ctx, values(n, [](int i) { return (i % 50 * 60 + i / 50) % 5; }));
  add("transpose", out, [=](Context& c, std::string_view use) {
    transpose(c, matrix(*x, 50, 60), matrix(out->array, 60, 50), {use});
  });
  // Row i of 600 has elements of 1 in columns 5·i … 5·i + 4, two of them in the last.
  std::vector<std::int64_t> sixes(n / 5 + 1);
  for (std::size_t i = 0; i < sixes.size(); ++i) sixes[i] = static_cast<std::int64_t>(6 * i);
  std::vector<std::int32_t> in_columns;
  for (std::int32_t i = 0; i < std::int32_t{n / 5}; ++i) {
    for (const std::int32_t j : {0, 1, 2, 3, 4, 4}) in_columns.push_back(5 * i + j);
  }
  const auto rows = std::make_shared<Array<std::int64_t>>(ctx, sixes);
  const auto columns = std::make_shared<Array<std::int32_t>>(ctx, in_columns);
  const auto stored = std::make_shared<Array<float>>(ctx, std::vector<float>(in_columns.size(), 1.0f));
  out = std::make_shared<Output>(ctx, std::vector<float>(n / 5, 28.0f));
  add("spmv", out, [=](Context& c, std::string_view use) {
    spmv(c, CsrMatrix(c, n / 5, n, *rows, *columns, *stored), *x, out->array, {.alpha = 2}, {use});
  });
  const auto slices = std::make_shared<OwnedSell<float>>(
      ctx, by_slices({n / 5, n, sixes, in_columns, std::vector<double>(in_columns.size(), 1.0)}, 32));
  out = std::make_shared<Output>(ctx, std::vector<float>(n / 5, 28.0f));
  add("spmv_sell", out, [=](Context& c, std::string_view use) {
    spmv(c, slices->view(), *x, out->array, {.alpha = 2}, {use});
  });
  const auto blocks = std::make_shared<OwnedBsr<float>>(
      ctx, by_blocks({n / 5, n, sixes, in_columns, std::vector<double>(in_columns.size(), 1.0)}, 5, 5));
  out = std::make_shared<Output>(ctx, std::vector<float>(n / 5, 28.0f));
  add("spmv_bsr", out, [=](Context& c, std::string_view use) {
    spmv(c, blocks->view(), *x, out->array, {.alpha = 2}, {use});
  });
  // The same row sums in each of five columns.
  const auto repeated = std::make_shared<Array<float>>(ctx, values(5 * n, [](int i) { return i / 5 % 5; }));
  out = std::make_shared<Output>(ctx, std::vector<float>(n, 28.0f));
  add("spmm", out, [=](Context& c, std::string_view use) {
    spmm(c, CsrMatrix(c, n / 5, n, *rows, *columns, *stored), matrix(*repeated, n, 5),
         matrix(out->array, n / 5, 5), {.alpha = 2}, {use});
  });

  // With the solution 1.
  const auto chain = std::make_shared<Chain>(ctx);
  const auto sums =
      std::make_shared<Array<float>>(ctx, values(Chain::rows, [](int i) { return i == 0 ? 1 : 2; }));
  out = std::make_shared<Output>(ctx, std::vector<float>(Chain::rows, 2.0f));
  add("sptrsv", out, [=](Context& c, std::string_view use) {
    sptrsv(c, chain->plan, *sums, out->array, {.alpha = 2}, {use});
  });

  const auto square = std::make_shared<Output>(ctx, values(1024, [](int i) { return i % 32 * 32 + i / 32; }));
  const auto numbers = values(1024, [](int i) { return i; });
  add("transpose", square, [=](Context& c, std::string_view use) {
    square->array.upload(numbers);
    const auto a = matrix(square->array, 32, 32);
    transpose(c, a, a, {use});
  });

  // Every element of A is 1, so rows of C are the sums of B's columns.
  const auto ones = std::make_shared<Array<float>>(ctx, std::vector<float>(20 * 9, 1.0f));
  const auto b = std::make_shared<Array<float>>(ctx, values(9 * 16, [](int i) { return i % 16; }));
  out = std::make_shared<Output>(ctx, values(20 * 16, [](int i) { return 9 * (i % 16); }));
  add("gemm", out, [=](Context& c, std::string_view use) {
    gemm(c, 1, matrix(*ones, 20, 9), matrix(*b, 9, 16), 0, matrix(out->array, 20, 16), {use});
  });

  const auto narrow_ones = std::make_shared<Array<half>>(ctx, std::vector<half>(20 * 9, half(1.0f)));
  const auto narrow = std::make_shared<Array<half>>(ctx, std::int64_t{20 * 20});
  out = std::make_shared<Output>(ctx, std::vector<float>(1, 9.0f));
  add("gemm", out, [=](Context& c, std::string_view use) {
    gemm(c, 1, matrix(*narrow_ones, 20, 9), transposed(matrix(*narrow_ones, 20, 9)), 0,
         matrix(*narrow, 20, 20), {use});
    const half first = narrow->to_vector()[0];
    const float value = first;
    c.copy(out->array.data(), &value, sizeof value);
    c.synchronize();
  });

  // −1, 4, −1 with the solution 1: short systems, and such as tiles take.
  constexpr int systems = 8;
  for (const auto& [rows, interleaved_rows] : {std::pair{16, false}, {16, true}, {80, false}}) {
    const auto off = std::make_shared<Array<float>>(ctx, std::vector<float>(rows * systems, -1.0f));
    const auto diag = std::make_shared<Array<float>>(ctx, std::vector<float>(rows * systems, 4.0f));
    const auto rhs = std::make_shared<Array<float>>(
        ctx, values(rows * systems, [rows = rows, interleaved_rows = interleaved_rows](int i) {
          const int row = interleaved_rows ? i / systems : i % rows;
          return row == 0 || row + 1 == rows ? 3 : 2;
        }));
    const Systems batch = interleaved_rows ? interleaved(rows, systems) : contiguous(rows, systems);
    out = std::make_shared<Output>(ctx, std::vector<float>(rows * systems, 1.0f));
    add("tridiagonal", out, [=](Context& c, std::string_view use) {
      tridiagonal(c, *off, *diag, *off, *rhs, out->array, batch, {use});
    });
    if (interleaved_rows) continue;
    // The same systems as a list.
    std::vector<std::int64_t> starts(systems + 1);
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<std::int64_t>(i) * rows;
    const auto offsets = std::make_shared<Array<std::int64_t>>(ctx, starts);
    out = std::make_shared<Output>(ctx, std::vector<float>(rows * systems, 1.0f));
    add("tridiagonal", out, [=](Context& c, std::string_view use) {
      tridiagonal(c, *off, *diag, *off, *rhs, out->array, system_list(*offsets), {use});
    });
  }

  std::vector<std::uint32_t> even(300), all(700);
  for (std::uint32_t i = 0; i < even.size(); ++i) even[i] = 2 * i;
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<std::vector<std::uint32_t>> lists{even, all, {3, 4, 5, 6, 900}};
  const Index plain(lists);
  const PackedIndex packed(plain);
  Queries queries;
  queries.add({0, 1});
  queries.add({0, 2, 1});
  queries.add({2});
  const Intersections wanted{{0, 300, 302, 307}, [&] {
                               std::vector<std::uint32_t> ids = even;
                               ids.insert(ids.end(), {4, 6, 3, 4, 5, 6, 900});
                               return ids;
                             }()};
  for (const AnyIndex& index : {AnyIndex(plain), AnyIndex(packed)}) {
    const auto got = std::make_shared<Intersections>();
    calls.push_back({"intersect",
                     [=](Context& c, std::string_view use) { *got = intersect(c, index, queries, {use}); },
                     [=] {
                       const Intersections last = std::exchange(*got, {});
                       return last.offsets == wanted.offsets && last.ids == wanted.ids;
                     }});
    const auto counts = std::make_shared<std::vector<std::uint64_t>>();
    calls.push_back(
        {"intersect",
         [=](Context& c, std::string_view use) { *counts = intersect_count(c, index, queries, {use}); },
         [=] {
           return std::exchange(*counts, {}) == std::vector<std::uint64_t>{300, 2, 5};
         }});
    const auto offsets = std::make_shared<Array<std::uint64_t>>(ctx, queries.size() + 1);
    const auto ids = std::make_shared<Array<std::uint32_t>>(ctx, 400);
    calls.push_back({"intersect",
                     [=](Context& c, std::string_view use) {
                       intersect_into(c, QueryBatch(c, index, queries), *offsets, *ids, {use});
                     },
                     [=] {
                       auto last = ids->to_vector();
                       last.resize(wanted.ids.size());
                       const bool right = offsets->to_vector() == wanted.offsets && last == wanted.ids;
                       offsets->upload(std::vector<std::uint64_t>(4, 7));
                       return right;
                     }});
  }
  return calls;
}

}  // namespace tandem
