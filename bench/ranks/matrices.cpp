// transpose and gemm over ranks: matrices whose rows the ranks share.

#include "bench/ranks/call.h"
#include "tandem/tandem.h"

namespace tandem::command {
namespace {

/// A row-major matrix, and this rank's rows of it.
template <class T>
struct Rows {
  Array<T> all;
  std::int64_t rows, cols, begin, end;
  /// elements: none, or all of them.
  Rows(const std::vector<T>& elements, std::int64_t m, std::int64_t n, Communicator& ranks, Shares shares)
      : all(ranks.context(), m * n), rows(m), cols(n) {
    all.upload(elements);
    const auto begins = share_out(shares, m, ranks.size());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    begin = begins[rank], end = begins[rank + 1];
  }
  MatrixView<T> whole() { return {all.data(), rows, cols, cols}; }
  MatrixView<T> part() { return {all.data() + begin * cols, end - begin, cols, cols}; }
  std::vector<T> elements(Context& ctx) const {
    return on_host(ctx, all.data() + begin * cols, (end - begin) * cols);
  }
  double part_bytes() const { return static_cast<double>((end - begin) * cols) * sizeof(T); }
};

template <class T>
class TransposeTrial : public RanksTrial {
 public:
  TransposeTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        in_(real_numbers<T>(c.shape[0] * c.shape[1], c.seed), c.shape[0], c.shape[1], ranks, c.shares),
        out_({}, c.shape[1], c.shape[0], ranks, c.shares),
        shares_(c.shares) {}
  void call(const RanksPath& path) override { transpose(ranks_, in_.part(), out_.part(), path.options); }
  double error(const RanksPath&) override {
    Context& ctx = ranks_.context();
    Rows<T> one({}, out_.rows, out_.cols, ranks_, shares_);
    transpose(ctx, in_.whole(), one.whole());
    return unlike(out_.elements(ctx), one.elements(ctx));
  }
  void alone() override { transpose(ranks_.context(), in_.whole(), out_.whole()); }
  double bytes_sent() const override { return in_.part_bytes() * (ranks_.size() - 1) / ranks_.size(); }

 private:
  Communicator& ranks_;
  Rows<T> in_, out_;
  const Shares shares_;
};

template <class T>
class GemmTrial : public RanksTrial {
 public:
  GemmTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        a_(whole_numbers<T>(c.shape[0] * c.shape[2], c.seed), c.shape[0], c.shape[2], ranks, c.shares),
        b_(whole_numbers<T>(c.shape[2] * c.shape[1], c.seed + 1), c.shape[2], c.shape[1], ranks, c.shares),
        rough_(real_numbers<T>(c.shape[2] * c.shape[1], c.seed + 2), c.shape[2], c.shape[1], ranks, c.shares),
        c_({}, c.shape[0], c.shape[1], ranks, c.shares),
        shares_(c.shares) {}
  void call(const RanksPath& path) override {
    gemm(ranks_, T(1), a_.part(), b_of(path).part(), T(0), c_.part(), path.options);
  }
  /// Portable bits are those that a communicator of this rank alone gives, also where sums round.
  double error(const RanksPath& path) override {
    Context& ctx = ranks_.context();
    Rows<T> one({}, c_.rows, c_.cols, ranks_, shares_);
    if (path.options.bits == Bits::portable) {
      Communicator self = ranks_.split(ranks_.rank());
      gemm(self, T(1), a_.whole(), b_of(path).whole(), T(0), one.whole(), path.options);
    } else {
      gemm(ctx, T(1), a_.whole(), b_of(path).whole(), T(0), one.whole());
    }
    return unlike(c_.elements(ctx), one.elements(ctx));
  }
  void alone() override { gemm(ranks_.context(), T(1), a_.whole(), b_.whole(), T(0), c_.whole()); }
  double bytes_sent() const override { return b_.part_bytes() * (ranks_.size() - 1); }

 private:
  Rows<T>& b_of(const RanksPath& path) { return path.options.bits == Bits::portable ? rough_ : b_; }
  Communicator& ranks_;
  Rows<T> a_, b_, rough_, c_;
  const Shares shares_;
};

}  // namespace

RanksOperation ranks_transpose() {
  return {"transpose",
          {"rows", "cols"},
          {Type::f32, Type::f64},
          paths_of(RankCall::transpose),
          {{0, 5}, {1, 1}, {3, 7}, {100, 33}, {257, 512}},
          {{1 << 10, 1 << 10}, {1 << 12, 1 << 12}},
          {{1 << 13, 1 << 13}, {1 << 15, 1 << 15}},
          1 << 22,
          [](Communicator& ranks, const RanksCase& c) {
            return of_type<float, double>(
                c.type, [&]<class T>() { return std::make_unique<TransposeTrial<T>>(ranks, c); });
          }};
}
RanksOperation ranks_gemm() {
  return {"gemm",
          {"rows", "cols", "k"},
          {Type::f32, Type::f64},
          paths_of(RankCall::gemm, true),
          {{1, 1, 1}, {3, 5, 0}, {33, 40, 7}, {100, 64, 500}, {130, 31, 800}},
          {{512, 512, 512}, {1536, 1536, 1536}},
          {{1 << 12, 1 << 12, 1 << 12}, {1 << 13, 1 << 13, 1 << 13}},
          1 << 27,
          [](Communicator& ranks, const RanksCase& c) {
            return of_type<float, double>(
                c.type, [&]<class T>() { return std::make_unique<GemmTrial<T>>(ranks, c); });
          }};
}

}  // namespace tandem::command
