// Calls over ranks in the memory of GPUs, beside the same call of one rank on the whole. With TANDEM_RANKS_ON_EXECUTOR=1 there is no GPU:
// then kernels run on the executor, in the memory of the host.

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks_device");

namespace tandem {
namespace {

bool on_executor() { return std::getenv("TANDEM_RANKS_ON_EXECUTOR") != nullptr; }

/// Where this rank computes; without a GPU the program ends as a test that is skipped.
Context& here() {
  static Context ctx = [] {
    if (on_executor()) return Context::host();
    if (!why_no_device().empty()) {
      std::printf("skipped: %s\n", why_no_device().c_str());
      std::exit(77);
    }
    return local_device();
  }();
  return ctx;
}
Communicator& gpus() {
  static Communicator all = Communicator::mpi(here());
  return all;
}

std::vector<std::vector<std::int64_t>> shares_of(std::int64_t n) {
  std::vector<std::vector<std::int64_t>> all;
  for (const Shares shares : kShares) all.push_back(share_out(shares, n, gpus().size()));
  return all;
}

/// An array of numbers, and this rank's part of it, both where the rank computes.
template <class T>
struct Whole {
  Array<T> all;
  View<T> part;
  std::int64_t begin;
  Whole(const std::vector<T>& values, const std::vector<std::int64_t>& begins, std::int64_t each = 1)
      : all(here(), values), begin(begins[static_cast<std::size_t>(gpus().rank())] * each) {
    part = {all.data() + begin, begins[static_cast<std::size_t>(gpus().rank()) + 1] * each - begin};
  }
  std::vector<T> mine() const {
    const std::vector<T> values = all.to_vector();
    return {values.begin() + begin, values.begin() + begin + part.size};
  }
};

template <class T>
std::vector<T> numbers(std::int64_t n, int first = 0) {
  std::vector<T> all(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) all[i] = static_cast<T>(static_cast<float>((i * 5 + first) % 11 % 3));
  return all;
}

TEST_CASE("a communicator of GPUs has NCCL's, and can be split and adopted") {
  CHECK(gpus().nccl_handle() != nullptr);
  Communicator same = gpus().split(gpus().rank() % 2, -gpus().rank());
  CHECK(same.nccl_handle() != gpus().nccl_handle());
  Array<float> ones(here(), std::vector<float>(1000, 1.0f)), sums(here(), 1000);
  all_reduce(same, ones, sums);
  CHECK(sums.to_vector()[999] == static_cast<float>(same.size()));
  Communicator adopted = Communicator::adopt_nccl(here(), gpus().nccl_handle(), gpus().native_handle());
  CHECK(adopted.nccl_handle() == gpus().nccl_handle());
  all_reduce(adopted, ones, sums);
  CHECK(sums.to_vector()[0] == static_cast<float>(gpus().size()));
  CHECK(contains(
      thrown<InvalidArgument>([&] { Communicator::adopt_nccl(here(), nullptr, gpus().native_handle()); }),
      "'nccl' is null"));
}

template <class T, class Op>
void see_reduce_and_scan(Op op) {
  for (const std::int64_t n : {0, 1, 1000, 70'001}) {
    std::vector<T> values = numbers<T>(n);
    if (is_narrow_float<T> && n > 100) std::fill(values.begin() + 100, values.end(), static_cast<T>(0.0f));
    for (const auto& begins : shares_of(n)) {
      Whole<T> x(values, begins), y(values, begins), expected(values, begins);
      CHECK(reduce(gpus(), x.part, op) == reduce(here(), x.all, op));
      inclusive_scan(gpus(), x.part, y.part, op);
      inclusive_scan(here(), x.all, expected.all, op);
      CHECK(same(y.mine(), expected.mine()));
      exclusive_scan(gpus(), x.part, y.part, op, static_cast<T>(2.0f));
      exclusive_scan(here(), x.all, expected.all, op, static_cast<T>(2.0f));
      CHECK(same(y.mine(), expected.mine()));
    }
  }
}

TEST_CASE("reduce and scan on GPUs") {
  see_reduce_and_scan<float>(plus);
  see_reduce_and_scan<double>(maximum);
  see_reduce_and_scan<std::int32_t>(plus);
  see_reduce_and_scan<std::int64_t>(minimum);
  see_reduce_and_scan<half>(plus);
  see_reduce_and_scan<bfloat16>(maximum);
  Array<float> x(here(), std::vector<float>(3, 1.0f));
  CHECK(contains(thrown<Unavailable>([&] { reduce(gpus(), x, {.bits = portable}); }),
                 "ranks on GPUs cannot do that yet"));
}

template <class T, class Op>
void see_all_reduce(std::int64_t n, Op op) {
  using A = accumulator_t<T>;
  const Array<T> in(here(), numbers<T>(n, gpus().rank()));
  std::vector<T> expected(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    A total = op.template identity<A>();
    for (int r = 0; r < gpus().size(); ++r)
      total = op(total, op.lift(static_cast<A>(numbers<T>(i + 1, r)[i])));
    expected[i] = static_cast<T>(total);
  }
  for (const char* path : {"", "custom/gather", "custom/two_shot", "vendor/nccl"}) {
    INFO(path, " ", n);
    const bool logical = Op::id == OperatorId::logical_and || Op::id == OperatorId::logical_or;
    Array<T> out(here(), n);
    if (logical && std::string(path) == "vendor/nccl") {
      CHECK_THROWS_AS(all_reduce(gpus(), in, out, op, {.use = path}), Unavailable);
      continue;
    }
    all_reduce(gpus(), in, out, op, {.use = path});
    CHECK(same(out.to_vector(), expected));
    Array<T> both(here(), in.to_vector());
    all_reduce(gpus(), both, both, op, {.use = path});
    CHECK(same(both.to_vector(), expected));
  }
}

TEST_CASE("all_reduce on GPUs, by every path") {
  for (const std::int64_t n : {0, 1, 5, 300}) {
    see_all_reduce<float>(n, plus);
    see_all_reduce<double>(n, multiplies);
    see_all_reduce<half>(n, plus);
    see_all_reduce<bfloat16>(n, maximum);
    see_all_reduce<std::int8_t>(n, plus);
    see_all_reduce<std::uint8_t>(n, maximum);
    see_all_reduce<std::int32_t>(n, minimum);
    see_all_reduce<std::uint64_t>(n, plus);
    see_all_reduce<std::int64_t>(n, logical_or);
    see_all_reduce<float>(n, logical_and);
  }
  Array<float> x(here(), std::vector<float>(70'001, 1.0f));
  for (const char* path : {"custom/gather", "custom/two_shot", "vendor/nccl"}) {
    Array<float> out(here(), x.size());
    all_reduce(gpus(), x, out, {.use = path});
    CHECK(same(out.to_vector(), std::vector<float>(70'001, static_cast<float>(gpus().size()))));
  }
  CHECK(contains(thrown<Unavailable>([&] { all_reduce(gpus(), x, x, {.use = "custom/shared"}); }),
                 "compute on GPUs"));
  CHECK(contains(thrown<Unavailable>([&] { all_reduce(gpus(), x, x, {.use = "vendor/mpi"}); }),
                 "compute on GPUs"));
  struct Own {
    float operator()(float a, float b) const { return a + b; }
  };
  CHECK(contains(thrown<Unavailable>([&] { all_reduce(gpus(), x, x, Own{}); }), "functors.cuh"));
}

TEST_CASE("operators of one's own on GPUs keep the order, and know places in the whole") {
  for (const std::int64_t n : {1, 5, 1000}) {
    std::vector<Affine> values;
    for (std::int64_t i = 0; i < n; ++i)
      values.push_back({static_cast<std::uint64_t>(2 * i + 3), static_cast<std::uint64_t>(i * i + 1)});
    for (const auto& begins : shares_of(n)) {
      Whole<Affine> x(values, begins), y(values, begins);
      Affine running{1, 0};
      std::vector<Affine> wanted;
      for (std::int64_t i = 0; i < n; ++i) {
        running = AtPlace{}(running, AtPlace{}.lift(values[i], i));
        wanted.push_back(running);
      }
      CHECK(own_reduce(gpus(), {x.part.data, x.part.size}) == running);
      own_scan(gpus(), {x.part.data, x.part.size}, y.part);
      CHECK(same(y.mine(),
                 std::vector<Affine>(wanted.begin() + y.begin, wanted.begin() + y.begin + y.part.size)));
    }
    for (const char* path : {"", "custom/gather", "custom/two_shot"}) {
      Array<Affine> x(here(), values), y(here(), n);
      own_all_reduce(gpus(), {x.data(), n}, {y.data(), n}, path);
      std::vector<Affine> wanted;
      for (std::int64_t i = 0; i < n; ++i) {
        Affine total = AtPlace{}.lift(values[i], i);
        for (int r = 1; r < gpus().size(); ++r) total = AtPlace{}(total, AtPlace{}.lift(values[i], i));
        wanted.push_back(total);
      }
      CHECK(same(y.to_vector(), wanted));
    }
  }
}

TEST_CASE("transpose and gemm on GPUs") {
  for (const auto& [m, n, k] : {std::array{1, 1, 1}, {3, 7, 5}, {100, 33, 64}, {257, 130, 70}}) {
    const auto rows = shares_of(m), cols = shares_of(n), inner = shares_of(k);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      for (const Layout layout : {Layout::row_major, Layout::column_major}) {
        Whole<float> in(numbers<float>(m * n), rows[s], n), out(numbers<float>(m * n), cols[s], m),
            expected(numbers<float>(m * n), cols[s], m);
        const auto part_of = [&](Whole<float>& a, std::int64_t length, Layout of_layout) {
          const std::int64_t lines = a.part.size / length;
          return MatrixView<float>{a.part.data, lines, length,
                                   of_layout == Layout::row_major ? length : std::max<std::int64_t>(1, lines),
                                   of_layout};
        };
        transpose(gpus(), part_of(in, n, Layout::row_major), part_of(out, m, layout));
        transpose(here(), MatrixView<const float>{in.all.data(), m, n, n},
                  MatrixView<float>{expected.all.data(), n, m, m});
        std::vector<float> mine = out.mine(), wanted = expected.mine();
        if (layout == Layout::column_major) {
          const std::int64_t lines = out.part.size / m;
          for (std::int64_t i = 0; i < lines; ++i)
            for (std::int64_t j = 0; j < m; ++j) mine[i * m + j] = out.mine()[i + j * lines];
        }
        CHECK(same(mine, wanted));
      }
      Whole<float> a(numbers<float>(m * k), rows[s], k), b(numbers<float>(k * n, 1), inner[s], n),
          c(numbers<float>(m * n, 2), rows[s], n), expected(numbers<float>(m * n, 2), rows[s], n);
      const auto part_of = [](Whole<float>& x, std::int64_t length) {
        return MatrixView<float>{x.part.data, x.part.size / length, length, length};
      };
      gemm(gpus(), 2, part_of(a, k), part_of(b, n), 3, part_of(c, n));
      gemm(here(), 2, MatrixView<const float>{a.all.data(), m, k, k},
           MatrixView<const float>{b.all.data(), k, n, n}, 3,
           MatrixView<float>{expected.all.data(), m, n, n});
      CHECK(same(c.mine(), expected.mine()));
    }
  }
}

/// Systems of n rows in all; rows side by side, or systems.
template <class T>
void see_tridiagonal(std::int64_t n, std::int64_t count, bool interleave, bool share_matrix,
                     const char* path) {
  std::vector<T> arrays[4];
  for (int k = 0; k < 4; ++k) {
    const std::int64_t size = share_matrix && k < 3 ? n : n * count;
    for (std::int64_t i = 0; i < size; ++i)
      arrays[k].push_back(
          static_cast<T>(std::sin(static_cast<double>(i * (k + 3) + k)) / 2 + (k == 1 ? 3 : 0)));
  }
  for (const auto& begins : shares_of(n)) {
    const auto rank = static_cast<std::size_t>(gpus().rank());
    const std::int64_t first = begins[rank], rows = begins[rank + 1] - first;
    const auto mine = [&](const std::vector<T>& all) {
      std::vector<T> part;
      if (all.size() == static_cast<std::size_t>(n)) {
        part.assign(all.begin() + first, all.begin() + first + rows);
      } else if (interleave) {
        part.assign(all.begin() + first * count, all.begin() + (first + rows) * count);
      } else {
        for (std::int64_t s = 0; s < count; ++s)
          part.insert(part.end(), all.begin() + s * n + first, all.begin() + s * n + first + rows);
      }
      return part;
    };
    Systems part = interleave ? interleaved(rows, count) : contiguous(rows, count),
            whole = interleave ? interleaved(n, count) : contiguous(n, count);
    part.shared_matrix = whole.shared_matrix = share_matrix;
    std::vector<Array<T>> in;
    for (const auto& all : arrays) in.emplace_back(here(), mine(all));
    Array<T> x(here(), rows * count);
    tridiagonal(gpus(), in[0], in[1], in[2], in[3], x, part, {.use = path});
    tridiagonal(gpus(), in[0], in[1], in[2], in[3], in[3], part, {.use = path});
    static Context host = Context::host();
    std::vector<T> expected(arrays[3].size());
    tridiagonal(host, arrays[0], arrays[1], arrays[2], arrays[3], expected, whole);
    const std::vector<T> found = x.to_vector(), in_place = in[3].to_vector(), wanted = mine(expected);
    double worst = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      worst = std::max(worst, std::fabs(static_cast<double>(found[i]) - static_cast<double>(wanted[i])));
    INFO(path, " n ", n, " systems ", count, interleave, share_matrix);
    CHECK(worst <= 50 * static_cast<double>(std::numeric_limits<T>::epsilon()));
    CHECK(same(found, in_place));
  }
}

TEST_CASE("tridiagonal on GPUs") {
  for (const char* path : {"custom/split", "custom/transposed"}) {
    for (const bool interleave : {true, false}) {
      for (const bool share_matrix : {true, false}) {
        for (const std::int64_t n : {1, 2, 3, 4, 5, 9, 150})
          see_tridiagonal<double>(n, 3, interleave, share_matrix, path);
        see_tridiagonal<float>(100, 40, interleave, share_matrix, path);
      }
    }
  }
}

TEST_CASE(
    "a tridiagonal matrix that elimination over ranks would lose is solved as a whole; a singular one is "
    "named") {
  // Rows 0 1 0 / 1 0 1 / … have zero pivots within a rank's part, but 1 2 1 does not.
  const std::int64_t n = 6;
  const auto begins = share_out(Shares::even, n, gpus().size());
  const auto rank = static_cast<std::size_t>(gpus().rank());
  const std::int64_t rows = begins[rank + 1] - begins[rank];
  const std::vector<double> ones(static_cast<std::size_t>(rows), 1.0), zeros(ones.size(), 0.0);
  Array<double> lower(here(), ones), diag(here(), zeros), upper(here(), ones), rhs(here(), ones),
      x(here(), rows);
  const auto solve = [&] {
    tridiagonal(gpus(), lower, diag, upper, rhs, x, interleaved(rows, 1));
    here().synchronize();  // one rank alone tells it then, as a call without ranks does
  };
  CHECK_THROWS_AS(solve(), SingularSystem);
  Systems systems = interleaved(rows, 1);
  systems.pivot = true;
  tridiagonal(gpus(), lower, diag, upper, rhs, x, systems);
  const std::vector<double> whole{1, 1, 0, 0, 1, 1}, found = x.to_vector();
  for (std::int64_t i = 0; i < rows; ++i) CHECK(std::fabs(found[i] - whole[begins[rank] + i]) < 1e-12);
}

TEST_CASE("halos on GPUs") {
  const std::int64_t layer = 3, own = gpus().rank() == 1 ? 0 : 2;
  std::vector<float> values;
  for (std::int64_t i = 0; i < (own + 2) * layer; ++i)
    values.push_back(static_cast<float>(100 * gpus().rank() + i));
  Array<float> u(here(), values);
  halos(gpus(), layer, Ends::periodic, u);
  const std::vector<float> found = u.to_vector();
  if (own == 0) {
    CHECK(same(found, values));
    return;
  }
  const int ranks = gpus().size(), me = gpus().rank();
  const auto neighbour = [&](int step) {
    int r = me;
    do {
      r = (r + step + ranks) % ranks;
    } while (r == 1);
    return r;
  };
  CHECK(found[0] == static_cast<float>(100 * neighbour(-1) + 2 * layer));
  CHECK(found[3 * layer] == static_cast<float>(100 * neighbour(1) + layer));
}

TEST_CASE("what one rank throws ends the call of all on GPUs, too") {
  const int odd = gpus().size() - 1;
  const bool mine = gpus().rank() == odd;
  Array<float> x(here(), 8), y(here(), 8);
  const View<const float> bad{mine ? nullptr : x.data(), 8};
  const auto expect = [&](const auto& call) {
    if (mine)
      CHECK_THROWS_AS(call(), InvalidArgument);
    else
      CHECK_THROWS_AS(call(), RankFailed);
  };
  expect([&] { reduce(gpus(), bad); });
  expect([&] { inclusive_scan(gpus(), bad, y); });
  expect([&] { all_reduce(gpus(), bad, y); });
  if (!on_executor()) {
    const std::vector<float> host(8);
    CHECK_THROWS_AS(all_reduce(gpus(), host, y), InvalidArgument);
  }
  gpus().barrier();
}

}  // namespace
}  // namespace tandem
