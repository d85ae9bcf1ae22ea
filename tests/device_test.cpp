// What needs a GPU. Where there is none this suite exits with 77 (tests/main.cpp), which ctest shows as
// skipped.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lib/harness/operation.h"
#include "lib/harness/posting_collection.h"
#include "lib/harness/test_data.h"
#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

bool no_device() { return !why_no_device().empty(); }

/// Inputs that are hard for products of floats in parts.
struct Factors {
  const char* name;
  float (*a)(std::uint64_t bits);
  float (*b)(std::uint64_t bits);
};
/// From 0 to 1, and from −1 to 1.
float unit(std::uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-24f; }
float signed_unit(std::uint64_t bits) { return 2 * unit(bits) - 1; }
float wide(std::uint64_t bits) { return std::ldexp(signed_unit(bits), static_cast<int>(bits % 41) - 20); }
float cancelling(std::uint64_t bits) { return (bits & 1 ? 1000.0f : -1000.0f) + unit(bits); }
constexpr Factors kFactors[] = {
    {"both signs", signed_unit, signed_unit},
    {"positive", unit, unit},
    {"wide range", wide, wide},
    {"cancelling", cancelling, cancelling},
    {"denormal", [](std::uint64_t bits) { return static_cast<float>(bits % 2000) * 0x1p-149f; },
     [](std::uint64_t bits) { return 0x1p120f * signed_unit(bits); }},
    {"large", [](std::uint64_t bits) { return 0x1p120f * signed_unit(bits); },
     [](std::uint64_t bits) { return 0x1p-20f * signed_unit(bits); }},
    {"rows and columns of all sizes",
     [](std::uint64_t bits) { return std::ldexp(signed_unit(bits), static_cast<int>(bits % 3) * 90 - 130); },
     wide},
};

}  // namespace

TEST_SUITE_BEGIN("device");

TEST_CASE("every device implementation agrees with the reference" * doctest::skip(no_device())) {
  Context ctx = Context::device();
  long executed = 0, refused = 0, outside = 0, wrong = 0;
  for (const Implementation& i : implementations()) {
    if (!i.unavailable().empty() || i.place != Place::device) continue;
    const Operation& op = operation(i.operation);
    long here = 0;
    const Implementation* const one[] = {&i};
    for (std::size_t c = 0; c < op.cases.size(); ++c) {
      const auto trials = op.tests(op.cases[c], Coverage::quick, 1);
      for_each_trial(op, static_cast<int>(c), trials, one, ctx, check, [&](const Outcome& outcome) {
        ++(outcome.refusal.empty() ? here : refused);
        outside += outcome.outside_promise;
        if (!outcome.verdict.correct && !outcome.outside_promise && ++wrong <= 20)
          FAIL_CHECK(i.name, " ", outcome.id.str(), " ", outcome.trial.str(), ": ", outcome.verdict.text);
        return true;
      });
    }
    fmt::print("{:<36} {:>6} cases executed\n", i.name, here);
    executed += here;
  }
  fmt::print(
      "{} cases executed on {}, {} refused by their implementation, {} outside its promise, {} wrong\n",
      executed, ctx.description(), refused, outside, wrong);
  CHECK(wrong == 0);
  CHECK(executed > 0);
}

TEST_CASE("no device implementation allocates after its first call of a shape" * doctest::skip(no_device())) {
  for (const Implementation& i : implementations()) {
    if (!i.unavailable().empty() || i.place != Place::device) continue;
    const Operation& op = operation(i.operation);
    Context ctx = Context::device();
    const bool matrices = !op.extents.empty();
    for (const std::int64_t n : {matrices ? 100 : 1000, matrices ? 700 : 1000000, 20}) {
      for (const Trial& trial : op.benchmarks(op.cases[0], n, 1)) {
        if (!i.refusal(op.shape(trial), op.cases[0]).empty()) continue;
        const auto problem = op.make(ctx, 0, trial);
        problem->reset();
        run(i, 0, problem->args(), ctx, "test");
        const std::size_t after_first = ctx.allocations();
        run(i, 0, problem->args(), ctx, "test");
        run(i, 0, problem->args(), ctx, "test");
        CHECK_MESSAGE(ctx.allocations() == after_first, i.name, " ", trial.str());
      }
    }
    ctx.synchronize();
  }
}

TEST_CASE("every operation recorded in a graph and replayed" * doctest::skip(no_device())) {
  for (const Implementation& i : implementations()) {
    const Operation& op = operation(i.operation);
    if (!i.unavailable().empty() || i.place != Place::device || i.synchronises) continue;
    const bool elements = op.extents.empty();
    Context ctx = Context::device();
    for (const Trial& trial : op.benchmarks(op.cases[0], elements ? 2000 : 200, 1)) {
      if (!i.refusal(op.shape(trial), op.cases[0]).empty()) continue;
      const auto problem = op.make(ctx, 0, trial);
      const void* args = problem->args();
      problem->reset();
      run(i, 0, args, ctx, "test");
      const auto replay = backend(ctx).record([&] { run(i, 0, args, ctx, "test"); });
      for (const Trial& larger : op.benchmarks(op.cases[0], elements ? 200'000 : 900,
                                               1)) {  // outgrows the workspace that the graph holds
        if (!i.refusal(op.shape(larger), op.cases[0]).empty()) continue;
        const auto other = op.make(ctx, 0, larger);
        other->reset();
        run(i, 0, other->args(), ctx, "test");
      }
      problem->reset();
      replay();
      ctx.synchronize();
      const Verdict verdict = problem->check(i.depth(trial.n));
      CHECK_MESSAGE(verdict.correct, i.name, " ", trial.str(), ": ", verdict.text);
    }
  }
}

TEST_CASE("products in three parts are as accurate as those of cublasSgemm" * doctest::skip(no_device())) {
  Context ctx = Context::device();
  constexpr std::int64_t m = 500, n = 1030, k = 1000, kEvery = 16;  // rows that are compared
  const auto product = [&](const std::vector<float>& a, const std::vector<float>& b, const char* use) {
    const Array<float> left(ctx, a), right(ctx, b);
    Array<float> result(ctx, m * n);
    gemm(ctx, 1, matrix(left, m, k), matrix(right, k, n), 0, matrix(result, m, n), {.use = use});
    return result.to_vector();
  };
  std::vector<float> a(m * k), b(k * n);
  for (const Factors& factors : kFactors) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = factors.a(random_bits(1, i));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = factors.b(random_bits(2, i));
    const auto worst = [&](const char* use) {
      const std::vector<float> c = product(a, b, use);
      double worst = 0;
      for (std::int64_t i = 0; i < m; i += kEvery) {
        for (std::int64_t j = 0; j < n; ++j) {
          double sum = 0, size = 0;
          for (std::int64_t p = 0; p < k; ++p) {
            const double term = double{a[i * k + p]} * b[p * n + j];
            sum += term, size += std::fabs(term);
          }
          const double error = std::fabs(c[i * n + j] - sum) / (size * 0x1p-24 + 0x1p-149);
          worst = std::max(worst, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
        }
      }
      return worst;
    };
    try {
      const double ours = worst("gemm/custom/three_parts"), theirs = worst("gemm/vendor/cublas");
      fmt::print("{:<30} three_parts {:.2f}, cublas {:.2f} roundings\n", factors.name, ours, theirs);
      CHECK_MESSAGE(ours <= theirs, factors.name);
    } catch (const Unavailable& error) {
      MESSAGE(error.what());
      return;
    }
  }
  // Infinities and NaN anywhere, also beside zeros, numbers of the smallest and of the largest sizes.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto fill = [&](std::vector<float>& x, std::uint64_t seed) {
      constexpr float kOdd[] = {INFINITY, -INFINITY, NAN, 0.0f, -0.0f, 0x1p-149f, -0x1p-126f, 0x1p40f};
      for (std::size_t i = 0; i < x.size(); ++i) {
        const std::uint64_t bits = random_bits(seed, i);
        x[i] = bits % 400 == 0 ? kOdd[bits / 400 % 8] : signed_unit(bits);
      }
    };
    fill(a, 2 * seed), fill(b, 2 * seed + 1);
    const std::vector<float> ours = product(a, b, "gemm/custom/three_parts"),
                             theirs = product(a, b, "gemm/vendor/cublas");
    long differ = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      differ += std::isfinite(theirs[i])
                    ? !std::isfinite(ours[i])
                    : !(ours[i] == theirs[i] || (std::isnan(ours[i]) && std::isnan(theirs[i])));
    }
    CHECK(differ == 0);
  }
}

TEST_CASE("the choice uses the precision that a call allows" * doctest::skip(no_device())) {
  Context ctx = Context::device();
  if (ctx.architecture() != 90) return;
  constexpr std::int64_t n = 4096;
  Array<float> a(ctx, n * n), b(ctx, n * n), c(ctx, n * n);
  for (Array<float>* x : {&a, &b}) ctx.fill(x->data(), 0, static_cast<std::size_t>(n * n) * sizeof(float));
  for (const Precision precision : {Precision::full, Precision::split, Precision::tf32}) {
    gemm(ctx, 1, matrix(a, n, n), matrix(b, n, n), 0, matrix(c, n, n), {.precision = precision});
    const auto all = matching(ctx.last().implementation);
    CHECK(all.at(0)->precision == precision);
  }
}

TEST_CASE("host memory in a device context is an error that says so" * doctest::skip(no_device())) {
  Context ctx = Context::device();
  std::vector<float> host(100, 1), out(100, -1);
  Array<float> device(ctx, host), result(ctx, 100);
  const auto says = [](const std::string& message, const char* argument) {
    CHECK(contains(message, std::string("'") + argument + "' is host memory, but the context computes on "));
    CHECK(contains(message, "copy it with tandem::Array"));
  };
  says(thrown<InvalidArgument>([&] { reduce(ctx, host); }), "in");
  says(thrown<InvalidArgument>([&] { reduce_into(ctx, device, out); }), "out");
  says(thrown<InvalidArgument>([&] { inclusive_scan(ctx, host, result); }), "in");
  says(thrown<InvalidArgument>([&] { inclusive_scan(ctx, device, out); }), "out");
  says(thrown<InvalidArgument>([&] { exclusive_scan(ctx, host, host); }), "in");
  CHECK(out == std::vector<float>(100, -1));
  CHECK(reduce(ctx, device) == 100);
  inclusive_scan(ctx, device, result);
  CHECK(result.to_vector()[99] == 100);
}

TEST_CASE("calls are queued behind each other without waiting" * doctest::skip(no_device())) {
  Context ctx = Context::device();
  constexpr std::int64_t kSize = 3000000;
  Array<std::int32_t> x(ctx, std::vector<std::int32_t>(kSize, 1)), y(ctx, kSize), z(ctx, kSize),
      total(ctx, 1);
  inclusive_scan(ctx, x, y);           // 1, 2, 3, …
  inclusive_scan(ctx, y, z, maximum);  // the same
  exclusive_scan(ctx, z, z);           // in place
  reduce_into(ctx, y, total, maximum);
  CHECK(total.to_vector()[0] == kSize);
  CHECK(z.to_vector()[3] == 6);
}

TEST_CASE("rows of the host and of the executor are refused by a device context" *
          doctest::skip(no_device())) {
  Context ctx = Context::device();
  Array<float> x(ctx, std::vector<float>(10, 1));
  CHECK(contains(thrown<InvalidArgument>([&] { reduce(ctx, x, plus, {.use = "reduce/custom/serial"}); }),
                 "computes on the host, but the context on the device"));
}

TEST_CASE("managed memory gives the same results" * doctest::skip(no_device())) {
  Context host = Context::host(), ctx = Context::managed();
  const Collection small = Collection::small(1);
  const Index index = small.index();
  const Queries queries = small.random_queries();
  const Intersections right = intersect(host, index, queries);
  for (const char* use :
       {"custom/batch", "custom/svs_precise_start", "custom/hash_coarse", "vendor/thrust"}) {
    CAPTURE(use);
    for (int call = 0; call < 2; ++call) {  // the second one reuses memory that the CPU has read
      const Intersections results = intersect(ctx, index, queries, {use});
      CHECK(results.offsets == right.offsets);
      CHECK(results.ids == right.ids);
    }
  }

  std::vector<std::int32_t> values(3000000, 1);
  Array<std::int32_t> x(ctx, values), y(ctx, x.size());
  CHECK(reduce(ctx, x) == 3000000);
  inclusive_scan(ctx, x, y);
  CHECK(y.to_vector().back() == 3000000);
  values.assign(values.size(), 2);
  x.upload(values);  // over pages that are on the device
  CHECK(reduce(ctx, x) == 6000000);
  CHECK(reduce(ctx, y, maximum) == 3000000);
  std::vector<std::int32_t> own(100, 1);
  CHECK(contains(thrown<InvalidArgument>([&] { reduce(ctx, own); }), "is host memory"));

  // Memory of both kinds meets in one call, and in a copy that the CPU may not make.
  Context plain = Context::device();
  Array<std::int32_t> total(plain, 1), none(ctx, 0);
  reduce_into(ctx, x, total);
  ctx.synchronize();
  CHECK(total.to_vector()[0] == 6000000);
  reduce_into(ctx, none, total);
  ctx.synchronize();
  CHECK(total.to_vector()[0] == 0);
}

TEST_CASE("packed lists on the device" * doctest::skip(no_device())) {
  Context host = Context::host();
  const Collection small = Collection::small(2);
  const Index index = small.index();
  const PackedIndex packed(index);
  const Queries queries = small.random_queries();
  const Intersections right = intersect(host, index, queries);
  for (Context (*make)() : {+[] { return Context::device(); }, +[] { return Context::managed(); }}) {
    Context ctx = make();
    for (int call = 0; call < 2; ++call) {
      const Intersections results = intersect(ctx, packed, queries);
      CHECK(ctx.last().implementation == "intersect/custom/packed_batch");
      CHECK(results.offsets == right.offsets);
      CHECK(results.ids == right.ids);
    }
    CHECK(intersect_count(ctx, packed, queries) == intersect_count(host, index, queries));
  }
}

TEST_CASE("sparse matrices and vectors are made on the device as on lists" * doctest::skip(no_device())) {
  Context ctx = Context::device();
  SparseElements all{70000, 300, {}, {}, {}};
  for (std::int32_t k = 0; k < 100000; ++k) {
    all.row_numbers.push_back(static_cast<std::int32_t>(k * 7919LL % all.rows));
    all.column_numbers.push_back(static_cast<std::int32_t>(k * 104729LL % all.cols));
    all.values.push_back(k);
  }
  const auto check = [](const OwnedCsr<double>& a, const SparseRows& wanted) {
    CHECK(a.offsets().to_vector() == wanted.offsets);
    CHECK(a.columns().to_vector() == wanted.columns);
    CHECK(a.values().to_vector() == wanted.values);
  };
  const Array row_numbers(ctx, all.row_numbers), column_numbers(ctx, all.column_numbers);
  const Array values(ctx, all.values);
  const OwnedCsr<double> a =
      to_csr(ctx, CooMatrix(ctx, all.rows, all.cols, row_numbers, column_numbers, values));
  check(a, by_rows(all));
  check(transposed(ctx, a.view()), transposed(by_rows(all)));
  const std::vector<std::int32_t> columns = a.columns().to_vector();
  const Array wide(ctx, std::vector<std::int64_t>(columns.begin(), columns.end()));
  check(copy_csr(ctx, all.rows, all.cols, a.offsets(), wide, a.values()), by_rows(all));
  const CsrMatrix of_wide(ctx, all.rows, all.cols, a.offsets(), wide, a.values());
  check(transposed(ctx, of_wide), transposed(by_rows(all)));

  const Array numbers(ctx, std::vector<std::int32_t>{4, 0, 3});
  const Array stored(ctx, std::vector<float>{2, 3, 5});
  const SparseVectorView x(ctx, 6, numbers, stored);
  Array<float> y(ctx, std::vector<float>{1, 10, 100, 1000, 10000, 100000}), sum(ctx, 1);
  dot(ctx, x, y, sum);
  CHECK(sum.to_vector() == std::vector<float>{25003});
  axpy(ctx, 2, x, y);
  CHECK(y.to_vector() == std::vector<float>{7, 10, 100, 1010, 10004, 100000});
  const Array wide_numbers(ctx, std::vector<std::int64_t>{4, 0, 3});
  axpy(ctx, -2, SparseVectorView(ctx, 6, wide_numbers, stored), y);
  CHECK(y.to_vector() == std::vector<float>{1, 10, 100, 1000, 10000, 100000});
}

TEST_CASE("indices of devices that do not exist" * doctest::skip(no_device())) {
  for (const int index : {-1, 1000}) {
    CHECK(contains(thrown<InvalidArgument>([&] { Context::device(index); }),
                   "index is " + std::to_string(index)));
    CHECK(contains(thrown<InvalidArgument>([&] { Context::managed(index); }),
                   "index is " + std::to_string(index)));
  }
}

TEST_CASE("a size that no memory holds is OutOfMemory and leaves the context usable" *
          doctest::skip(no_device())) {
  for (Context (*make)() : {+[] { return Context::device(); }, +[] { return Context::managed(); }}) {
    Context ctx = make();
    const std::string message = thrown<OutOfMemory>([&] { Array<double>(ctx, std::int64_t{1} << 45); });
    CHECK(contains(message, "asked for 281474976710656 bytes"));
    Array<float> x(ctx, std::vector<float>(10, 1));
    CHECK(reduce(ctx, x) == 10);
  }
}

TEST_SUITE_END();

}  // namespace tandem
