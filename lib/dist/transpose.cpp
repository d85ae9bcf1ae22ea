#include "tandem/ranks/transpose.h"

#include "lib/core/context_impl.h"
#include "lib/core/require.h"
#include "lib/dist/communicator_impl.h"
#include "lib/dist/parts.h"
#include "tandem/ranks.h"

namespace tandem::detail {
namespace {

using Matrix = MatrixView<const std::byte>;

constexpr const char* kName = "transpose";

/// Rows or columns of a matrix that a rank has.
struct Range {
  std::int64_t begin, count;
};
std::vector<Range> ranges_of(const std::vector<std::int64_t>& begins) {
  std::vector<Range> ranges;
  for (std::size_t r = 0; r + 1 < begins.size(); ++r)
    ranges.push_back({begins[r], begins[r + 1] - begins[r]});
  return ranges;
}

Matrix columns(const Matrix& a, const Range& range, std::int64_t size) {
  const std::int64_t first = a.layout == Layout::row_major ? range.begin : range.begin * a.ld;
  return {a.data + first * size, a.rows, range.count, a.ld, a.layout};
}

/// to = from, of one shape: by lines, or by a transposition where neighbours in the one are none in the other.
void assign(Context& ctx, Type type, const Matrix& from, const Matrix& to, const Options& options) {
  if (from.rows == 0 || from.cols == 0) return;
  if (from.layout != to.layout) {
    transpose(ctx, type, transposed(from), to, options);
    return;
  }
  const std::size_t size = size_of(type);
  const auto pitch = [&](const Matrix& a) { return static_cast<std::size_t>(a.ld) * size; };
  backend(ctx).copy_lines(const_cast<std::byte*>(to.data), pitch(to), from.data, pitch(from),
                          static_cast<std::size_t>(from.line()) * size, static_cast<std::size_t>(from.lines()));
}

}  // namespace

void transpose(Communicator& all, Type type, const Matrix& in, const Matrix& out, const Options& options) {
  translated([&] {
    RanksScope scope(
        all, {.call = RankCall::transpose, .id = {type, OperatorId::none}, .sizes = {in.cols, out.cols, -1}});
    Context& ctx = scope.context();
    const auto size = static_cast<std::int64_t>(size_of(type));
    const auto ranks = static_cast<std::size_t>(scope.size());
    struct Rows {
      std::int64_t in, out;
    };
    std::vector<Rows> rows(ranks);
    const Rows mine{in.rows, out.rows};
    scope.all_gather(&mine, rows.data(), sizeof mine);

    // Block (to, from) of the result lies in the messages row by row.
    const auto block = [&](std::byte* data, const Range& to, const Range& from) {
      return Matrix{data, to.count, from.count, from.count, Layout::row_major};
    };
    std::vector<Range> of_in, of_out;
    std::vector<std::int64_t> sent_bytes, received_bytes;
    std::byte *sent = nullptr, *received = nullptr;
    scope.together([&] {
      require::matrix(ctx, kName, "in", in, size_of(type));
      require::matrix(ctx, kName, "out", out, size_of(type));
      require::apart(kName, "in", in, "out", out, size_of(type));
      std::vector<std::int64_t> in_rows, out_rows;
      for (const Rows& r : rows) in_rows.push_back(r.in), out_rows.push_back(r.out);
      of_in = ranges_of(begins_of(kName, "in", in_rows, out.cols, "out"));
      of_out = ranges_of(begins_of(kName, "out", out_rows, in.cols, "in"));
      sent = scope.memory_here(0, static_cast<std::size_t>(in.rows * in.cols * size));
      received = scope.memory_here(1, static_cast<std::size_t>(out.rows * out.cols * size));
      const Range& own = of_in[static_cast<std::size_t>(scope.rank())];
      std::byte* next = sent;
      for (const Range& to : of_out) {
        assign(ctx, type, transposed(columns(in, to, size)), block(next, to, own), options);
        sent_bytes.push_back(to.count * own.count * size);
        next += sent_bytes.back();
      }
      for (const Range& from : of_in) received_bytes.push_back(out.rows * from.count * size);
    });
    scope.exchange(sent, sent_bytes, received, received_bytes);
    const Range& own = of_out[static_cast<std::size_t>(scope.rank())];
    for (std::size_t r = 0; r < ranks; ++r) {
      assign(ctx, type, block(received, own, of_in[r]), columns(out, of_in[r], size), options);
      received += received_bytes[r];
    }
  });
}

}  // namespace tandem::detail
