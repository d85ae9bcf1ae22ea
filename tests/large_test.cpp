// Past 2^31 and 2^32 on the CPU, without the memory: leading dimensions, strides and arrays of several GiB in
// mappings of which only the pages that are written exist. Every row of the host gives the right result and
// leaves the gaps alone, or says why it does not take the call.

#include <sys/mman.h>

#include "tandem/tandem.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr std::int64_t kLines[] = {(std::int64_t{1} << 31) - 1, (std::int64_t{1} << 31) + 5,
                                   (std::int64_t{1} << 32) + 3};

/// Zeros, of which only what is written takes memory.
template <class T>
class Sparse {
 public:
  explicit Sparse(std::int64_t size)
      : size_(size),
        memory_(mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0)) {
    REQUIRE(memory_ != MAP_FAILED);
  }
  Sparse(const Sparse&) = delete;
  ~Sparse() { munmap(memory_, bytes()); }
  T* data() const { return static_cast<T*>(memory_); }
  std::int64_t size() const { return size_; }
  T& operator[](std::int64_t i) const { return data()[i]; }
  operator View<T>() const { return {data(), size_}; }
  operator View<const T>() const { return {data(), size_}; }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  std::int64_t size_;
  void* memory_;
};

// Calls `right` for every row of an operation that takes the call; it runs the row and says whether the result
// is right.
template <class Right>
int every_row(const char* operation, Right right) {
  int rows = 0;
  for (const Implementation* i : host_rows(operation)) {
    CAPTURE(i->name);
    try {
      const bool is_right = right(Options{.use = i->name});
      CHECK(is_right);
      ++rows;
    } catch (const Unavailable&) {  // does not take such a call, and said why
    }
  }
  return rows;
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE_TEMPLATE("transpose with leading dimensions beyond 2^31", T, float, std::int64_t) {
  Context ctx = Context::host();
  constexpr std::int64_t kRows = 3, kCols = 2;
  for (const std::int64_t ld : kLines) {
    CAPTURE(ld);
    const Sparse<T> in(kRows * ld), out(kCols * (ld + 2));
    const auto element = [](std::int64_t i, std::int64_t j) { return static_cast<T>(1 + 10 * i + j); };
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (std::int64_t j = 0; j < kCols; ++j) in[i * ld + j] = element(i, j);
    }
    const auto run = [&](std::int64_t ld_in, std::int64_t ld_out, const T* from, const Options& options) {
      for (std::int64_t j = 0; j < kCols; ++j) {
        for (std::int64_t i = 0; i <= kRows; ++i) out[j * ld_out + i] = T(-1);
      }
      transpose(ctx, MatrixView<const T>{from, kRows, kCols, ld_in},
                MatrixView<T>{out.data(), kCols, kRows, ld_out}, options);
      bool right = true;
      for (std::int64_t j = 0; j < kCols; ++j) {
        for (std::int64_t i = 0; i < kRows; ++i) right &= out[j * ld_out + i] == element(i, j);
        right &= out[j * ld_out + kRows] == T(-1);
      }
      return right;
    };
    const std::vector<T> narrow{element(0, 0), element(0, 1), element(1, 0),
                                element(1, 1), element(2, 0), element(2, 1)};
    CHECK(every_row("transpose", [&](const Options& o) { return run(ld, ld + 2, in.data(), o); }) >= 2);
    CHECK(every_row("transpose", [&](const Options& o) { return run(ld, kRows + 1, in.data(), o); }) >= 2);
    CHECK(every_row("transpose", [&](const Options& o) { return run(kCols, ld + 2, narrow.data(), o); }) >=
          2);
    CHECK(run(ld, ld + 2, in.data(), {}));  // the automatic choice
  }
}

TEST_CASE("transpose in place with a leading dimension beyond 2^31") {
  Context ctx = Context::host();
  for (const std::int64_t ld : kLines) {
    CAPTURE(ld);
    const Sparse<double> a(3 * ld);
    const auto run = [&](const Options& options) {
      for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) a[i * ld + j] = static_cast<double>(10 * i + j);
      }
      transpose(ctx, MatrixView<double>{a.data(), 3, 3, ld}, options);
      bool right = true;
      for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) right &= a[i * ld + j] == static_cast<double>(10 * j + i);
      }
      return right;
    };
    CHECK(every_row("transpose", run) >= 1);
    CHECK(run({}));
  }
}

TEST_CASE_TEMPLATE("gemm with leading dimensions beyond 2^31", T, float, double) {
  Context ctx = Context::host();
  constexpr std::int64_t kM = 3, kN = 2, kK = 4;
  for (const std::int64_t ld : kLines) {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      CAPTURE(ld);
      const Sparse<T> a(kK * ld), b(kK * (ld + 1)), c(kM * (ld + 2));
      const auto make = [&](const Sparse<T>& memory, std::int64_t rows, std::int64_t cols,
                            std::int64_t own_ld) {
        MatrixView<T> view{memory.data(), rows, cols, own_ld, layout};
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < cols; ++j)
            memory[layout == Layout::row_major ? i * own_ld + j : i + j * own_ld] =
                static_cast<T>(1 + i + 2 * j);
        }
        return view;
      };
      for (int wide = 0; wide < 4; ++wide) {  // all, or one of the three
        const auto ld_of = [&](int which, std::int64_t own) { return wide == 0 || wide == which ? own : 5; };
        const auto run = [&](const Options& options) {
          const auto x = make(a, kM, kK, ld_of(1, ld)), y = make(b, kK, kN, ld_of(2, ld + 1)),
                     z = make(c, kM, kN, ld_of(3, ld + 2));
          gemm(ctx, T(2), x, y, T(3), z, options);
          bool right = true;
          for (std::int64_t i = 0; i < kM; ++i) {
            for (std::int64_t j = 0; j < kN; ++j) {
              T want = static_cast<T>(3 * (1 + i + 2 * j));
              for (std::int64_t p = 0; p < kK; ++p)
                want += static_cast<T>(2 * (1 + i + 2 * p) * (1 + p + 2 * j));
              right &= c[layout == Layout::row_major ? i * z.ld + j : i + j * z.ld] == want;
            }
          }
          return right;
        };
        CHECK(every_row("gemm", run) >= 2);
        CHECK(run({}));
      }
    }
  }
}

TEST_CASE("tridiagonal with strides beyond 2^31") {
  Context ctx = Context::host();
  constexpr std::int64_t kN = 3, kSystems = 2;
  for (const std::int64_t stride : kLines) {
    CAPTURE(stride);
    for (const Systems& systems :
         {Systems{kN, kSystems, 1, 1, stride, 0}, Systems{kN, kSystems, 1, stride, 1, 0}}) {
      const auto at = [&](std::int64_t s, std::int64_t i) { return s * systems.system + i * systems.row; };
      const std::int64_t size = at(kSystems - 1, kN - 1) + 2;
      const Sparse<double> lower(size), diag(size), upper(size), rhs(size), x(size);
      const auto solution = [](std::int64_t s, std::int64_t i) { return static_cast<double>(1 + s + i); };
      for (std::int64_t s = 0; s < kSystems; ++s) {
        for (std::int64_t i = 0; i < kN; ++i) {
          lower[at(s, i)] = upper[at(s, i)] = -1;
          diag[at(s, i)] = 4;
          rhs[at(s, i)] =
              4 * solution(s, i) - (i > 0 ? solution(s, i - 1) : 0) - (i + 1 < kN ? solution(s, i + 1) : 0);
        }
      }
      const auto run = [&](const Options& options) {
        for (std::int64_t s = 0; s < kSystems; ++s) {
          for (std::int64_t i = 0; i < kN; ++i) x[at(s, i)] = x[at(s, i) + 1] = -1;
        }
        tridiagonal(ctx, View<const double>(lower), View<const double>(diag), View<const double>(upper),
                    View<const double>(rhs), View<double>(x), systems, options);
        bool right = x[size - 1] == -1;
        for (std::int64_t s = 0; s < kSystems; ++s) {
          for (std::int64_t i = 0; i < kN; ++i) right &= std::abs(x[at(s, i)] - solution(s, i)) < 1e-12;
        }
        return right;
      };
      CHECK(every_row("tridiagonal", run) >= 2);
      CHECK(run({}));
    }
  }
}

#ifdef TANDEM_HAS_SIMT
// Rows of the executor would take minutes; the planted one counts bytes in 32 bits.
TEST_CASE("reduce past 4 GiB") {
  Context ctx = Context::host();
  const std::int64_t n = (std::int64_t{1} << 30) + 3;
  const Sparse<std::int32_t> x(n);
  x[0] = 1, x[n - 2] = 20, x[n - 1] = 300;
  const auto total = [&](const std::string& use) {
    return reduce(ctx, View<const std::int32_t>(x), plus, {.use = use});
  };
  CHECK(total("custom/serial") == 321);
  CHECK(total("custom/threads") == 321);
  CHECK(total("wrong/wrapped_offset") != 321);
}
#endif

TEST_SUITE_END();

}  // namespace tandem
