// transpose and gemm over ranks: matrices whose rows the ranks share.

#include "bench/ranks/call.h"
#include "tandem/tandem.h"

namespace tandem::command {
namespace {

/// A row-major matrix, and this rank's rows of it.
template <class T>
struct Rows {
  std::vector<T> all;
  std::int64_t rows, cols, begin, end;
  Rows(std::vector<T> elements, std::int64_t m, std::int64_t n, const Communicator& ranks, Shares shares)
      : all(std::move(elements)), rows(m), cols(n) {
    const auto begins = share_out(shares, m, ranks.size());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    begin = begins[rank], end = begins[rank + 1];
  }
  MatrixView<T> whole() { return {all.data(), rows, cols, cols}; }
  MatrixView<T> part() { return {all.data() + begin * cols, end - begin, cols, cols}; }
  std::span<const T> elements() const { return std::span(all).subspan(at(begin), at(end - begin)); }
  double part_bytes() const { return static_cast<double>(elements().size_bytes()); }

 private:
  std::size_t at(std::int64_t row) const { return static_cast<std::size_t>(row * cols); }
};

template <class T>
class TransposeTrial : public RanksTrial {
 public:
  TransposeTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        in_(real_numbers<T>(c.shape[0] * c.shape[1], c.seed), c.shape[0], c.shape[1], ranks, c.shares),
        out_(std::vector<T>(in_.all.size()), c.shape[1], c.shape[0], ranks, c.shares) {}
  void call(const RanksPath& path) override { transpose(ranks_, in_.part(), out_.part(), path.options); }
  double error(const RanksPath&) override {
    Rows<T> one = out_;
    transpose(ranks_.context(), in_.whole(), one.whole());
    return unlike(out_.elements(), one.elements());
  }
  void alone() override { transpose(ranks_.context(), in_.whole(), out_.whole()); }
  double bytes_sent() const override { return in_.part_bytes() * (ranks_.size() - 1) / ranks_.size(); }

 private:
  Communicator& ranks_;
  Rows<T> in_, out_;
};

template <class T>
class GemmTrial : public RanksTrial {
 public:
  GemmTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        a_(whole_numbers<T>(c.shape[0] * c.shape[2], c.seed), c.shape[0], c.shape[2], ranks, c.shares),
        b_(whole_numbers<T>(c.shape[2] * c.shape[1], c.seed + 1), c.shape[2], c.shape[1], ranks, c.shares),
        rough_(real_numbers<T>(c.shape[2] * c.shape[1], c.seed + 2), c.shape[2], c.shape[1], ranks, c.shares),
        c_(std::vector<T>(static_cast<std::size_t>(c.shape[0] * c.shape[1])), c.shape[0], c.shape[1], ranks,
           c.shares) {}
  void call(const RanksPath& path) override {
    gemm(ranks_, T(1), a_.part(), b_of(path).part(), T(0), c_.part(), path.options);
  }
  /// Portable bits are those that a communicator of this rank alone gives, also where sums round.
  double error(const RanksPath& path) override {
    Rows<T> one = c_;
    if (path.options.bits == Bits::portable) {
      Communicator self = ranks_.split(ranks_.rank());
      gemm(self, T(1), a_.whole(), b_of(path).whole(), T(0), one.whole(), path.options);
    } else {
      gemm(ranks_.context(), T(1), a_.whole(), b_of(path).whole(), T(0), one.whole());
    }
    return unlike(c_.elements(), one.elements());
  }
  void alone() override { gemm(ranks_.context(), T(1), a_.whole(), b_.whole(), T(0), c_.whole()); }
  double bytes_sent() const override { return b_.part_bytes() * (ranks_.size() - 1); }

 private:
  Rows<T>& b_of(const RanksPath& path) { return path.options.bits == Bits::portable ? rough_ : b_; }
  Communicator& ranks_;
  Rows<T> a_, b_, rough_, c_;
};

}  // namespace

RanksOperation ranks_transpose() {
  return {"transpose",
          {"rows", "cols"},
          {Type::f32, Type::f64},
          paths_of(RankCall::transpose),
          {{0, 5}, {1, 1}, {3, 7}, {100, 33}, {257, 512}},
          {{1 << 10, 1 << 10}, {1 << 12, 1 << 12}},
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
          1 << 27,
          [](Communicator& ranks, const RanksCase& c) {
            return of_type<float, double>(
                c.type, [&]<class T>() { return std::make_unique<GemmTrial<T>>(ranks, c); });
          }};
}

}  // namespace tandem::command
