#include "tandem/ranks/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "lib/core/call.h"
#include "lib/dist/parts.h"
#include "lib/ops/gemm/check.h"
#include "lib/ops/gemm/contract.h"
#include "tandem/ranks.h"
#include "tandem/transpose.h"

namespace tandem::detail {
namespace {

/// Rows of B that travel at once: as many as a block of gemm/custom/simd has, so that this path adds up what it does on one rank. On
/// GPUs as many as keep one busy.
constexpr std::int64_t kPanel = 384, kDevicePanel = 4096;

/// The CPU's fastest step that adds up the products of an element in ascending order, each rounded by itself.
constexpr const char* kInOrder = "gemm/custom/threads";

/// A product in this rank's memory.
template <class T>
struct Product {
  T alpha;
  MatrixView<const T> a, b;
  T beta;
  MatrixView<T> c;
};

/// Which path computes it.
template <class C>
Choice path_of(Context& ctx, const typename C::Args& g, const Options& options) {
  if (options.bits != Bits::portable) return choice_for<Gemm, C>(ctx, C::shape(g), options);
  if (ctx.place() != Place::host)
    throw Unavailable("gemm over ranks: bits is portable, which GPUs have no path for yet");
  // Asked for a product without elements: of large ones it refuses those that take it long.
  const Choice choice = choice_for<Gemm, C>(ctx, {}, {.use = options.use.empty() ? kInOrder : options.use});
  if (choice.implementation->name != kInOrder) {
    throw Unavailable(
        fmt::format("{}: bits is portable; only {} has an order of additions that the call alone decides",
                    choice.implementation->name, kInOrder));
  }
  return choice;
}

/// Checks arguments and calls then(the product, its path).
template <class C, class Then>
void with_path(Context& ctx, const Product<typename C::T>& p, const Options& options, const Then& then) {
  public_call(ctx, [&] {
    check_gemm(ctx, C::id.type, untyped(p.a), untyped(p.b), untyped(p.c), options);
    const auto g = C::args(p.alpha, p.a, p.b, p.beta, p.c);
    then(g, path_of<C>(ctx, g, options));
  });
}

template <class T>
MatrixView<T> block(const MatrixView<T>& x, std::int64_t i, std::int64_t j, std::int64_t rows,
                    std::int64_t cols) {
  return {rows > 0 && cols > 0 ? &strided(x)(i, j) : nullptr, rows, cols, x.ld, x.layout};
}

/// Copies a matrix as one that is row-major and without gaps, in the memory of the context.
template <class T>
void pack(Context& ctx, const MatrixView<const T>& from, T* to) {
  if (from.rows == 0 || from.cols == 0) return;
  if (from.layout == Layout::column_major)
    return transpose(ctx, transposed(from), MatrixView<T>{to, from.rows, from.cols, from.cols});
  const auto bytes = [](std::int64_t elements) { return static_cast<std::size_t>(elements) * sizeof(T); };
  backend(ctx).copy_lines(to, bytes(from.cols), from.data, bytes(from.ld), bytes(from.cols),
                          static_cast<std::size_t>(from.rows));
}

/// What a rank tells: how much of B it has, and whether it reads the whole.
struct Part {
  std::int64_t rows, reads;
};

template <class C, class T = typename C::T>
void multiply(RanksScope& scope, T alpha, const MatrixView<const T>& a, const MatrixView<const T>& b, T beta,
              const MatrixView<T>& c, const Options& options, std::int64_t panel_bytes) {
  Context& ctx = scope.context();
  const auto ranks = static_cast<std::size_t>(scope.size()), rank = static_cast<std::size_t>(scope.rank());
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t depth = scope.on_device() ? kDevicePanel : kPanel;
  const std::int64_t m = c.rows, n = c.cols, most = std::max<std::int64_t>(1, panel_bytes / (depth * kSize)),
                     columns = std::clamp<std::int64_t>(n, 1, most);
  std::vector<Part> parts(ranks);
  const Part mine{b.rows, alpha != T(0)};
  scope.all_gather(&mine, parts.data(), sizeof mine);
  const bool travels = std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.reads; });
  const std::int64_t k = travels ? a.cols : 0;

  std::vector<std::int64_t> begins;
  std::vector<int> bytes(ranks), at(ranks);
  T *panel = nullptr, *sent = nullptr;
  /// The product with the rows of B from `from` on, and its columns from `first` on.
  const auto product = [&](std::int64_t from, std::int64_t first) -> Product<T> {
    const std::int64_t count = std::min(depth, k - from), width = std::min(columns, n - first);
    return {alpha,
            block(a, 0, from, m, count),
            {panel, count, width, width},
            from == 0 ? beta : T(1),
            block(c, 0, first, m, width)};
  };
  scope.together([&] {
    const Lending lending(ctx);
    check_gemm(ctx, C::id.type, untyped(a), untyped(b), untyped(c), options);
    std::vector<std::int64_t> rows;
    for (const Part& part : parts) rows.push_back(part.rows);
    begins = begins_of(Gemm::name, "b", rows, a.cols, "a");
    const auto memory = [&](int number, std::int64_t rows) {
      const auto elements = static_cast<std::size_t>(std::min(rows, depth) * columns);
      return reinterpret_cast<T*>(scope.memory_here(number, elements * sizeof(T)));
    };
    if (k > 0) panel = memory(0, k), sent = memory(1, b.rows);
    with_path<C>(ctx, product(0, 0), options, [](const auto&, const Choice&) {});
  });

  const auto fill_panel = [&](std::int64_t from, std::int64_t first, std::int64_t count, std::int64_t width) {
    // Row x of B, where it lies in the panel.
    const auto row = [&](std::int64_t x) { return std::clamp<std::int64_t>(x - from, 0, count); };
    for (std::size_t r = 0; r < ranks; ++r) {
      at[r] = static_cast<int>(row(begins[r]) * width * kSize);
      bytes[r] = static_cast<int>(row(begins[r + 1]) * width * kSize) - at[r];
    }
    const std::int64_t begin = row(begins[rank]), rows = row(begins[rank + 1]) - begin;
    pack(ctx, block(b, from + begin - begins[rank], first, rows, width), sent);
    if (!scope.on_device()) return scope.all_gather_parts(sent, panel, bytes.data(), at.data());
    std::vector<Parcel> to_all, of_all;
    for (std::size_t r = 0; r < ranks; ++r) {
      to_all.push_back({static_cast<int>(r), sent, bytes[rank]});
      of_all.push_back({static_cast<int>(r), reinterpret_cast<std::byte*>(panel) + at[r], bytes[r]});
    }
    scope.deliver(to_all, of_all);
  };
  std::exception_ptr thrown;  // by this rank; the others still need its rows of B
  for (std::int64_t first = 0; first < n; first += columns) {
    for (std::int64_t from = 0; from == 0 || from < k; from += depth) {
      const Product<T> p = product(from, first);
      if (k > 0) fill_panel(from, first, p.b.rows, p.b.cols);
      if (m == 0 || thrown) continue;
      try {
        with_path<C>(ctx, p, options, [&](const typename C::Args& g, const Choice& path) {
          run(*path.implementation, case_index<Gemm, C>(), &g, ctx, path.why);
        });
      } catch (...) {
        thrown = std::current_exception();
      }
    }
  }
  scope.together([&] {
    if (thrown) std::rethrow_exception(thrown);
  });
}

}  // namespace

void gemm(Communicator& all, Type type, const void* alpha, const MatrixView<const std::byte>& a,
          const MatrixView<const std::byte>& b, const void* beta, const MatrixView<const std::byte>& c,
          const Options& options, std::int64_t panel_bytes) {
  translated([&] {
    RanksScope scope(all,
                     {.call = RankCall::gemm, .id = {type, OperatorId::none}, .sizes = {c.cols, a.cols, -1}});
    for_case<Gemm>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      if constexpr (Gemm::wide<C>) {
        multiply<C>(scope, *static_cast<const T*>(alpha), typed<const T>(a), typed<const T>(b),
                    *static_cast<const T*>(beta), typed<T>(c), options, panel_bytes);
      }
    });
  });
}

}  // namespace tandem::detail
