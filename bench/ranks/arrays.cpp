// reduce, scan and all_reduce over ranks.

#include <algorithm>

#include "bench/ranks/call.h"
#include "tandem/tandem.h"

namespace tandem::command {
namespace {

/// The whole of an array and this rank's part of it.
template <class T>
struct Whole {
  std::vector<T> all;
  View<const T> part;
  std::size_t begin;
  Whole(std::vector<T> numbers, const Communicator& ranks, Shares shares) : all(std::move(numbers)) {
    const auto begins = share_out(shares, static_cast<std::int64_t>(all.size()), ranks.size());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    begin = static_cast<std::size_t>(begins[rank]);
    part = {all.data() + begin, begins[rank + 1] - begins[rank]};
  }
};

template <class T>
class ReduceTrial : public RanksTrial {
  using A = accumulator_t<T>;

 public:
  ReduceTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        whole_(whole_numbers<T>(c.shape[0], c.seed), ranks, c.shares),
        rough_(is_floating(c.type) ? real_numbers<T>(c.shape[0], c.seed + 1) : whole_.all, ranks, c.shares) {}
  void call(const RanksPath& path) override {
    sum_ = reduce(ranks_, (is_portable(path) ? rough_ : whole_).part, plus, path.options);
  }
  /// Portable bits are those of one rank, also where sums round.
  double error(const RanksPath& path) override {
    const A one = reduce(ranks_.context(), is_portable(path) ? rough_.all : whole_.all, plus, path.options);
    return unlike(std::span<const A>(&sum_, 1), std::span<const A>(&one, 1));
  }
  void alone() override { sum_ = reduce(ranks_.context(), whole_.all, plus); }
  double bytes_sent() const override { return sizeof(A); }

 private:
  static bool is_portable(const RanksPath& path) { return path.options.bits == Bits::portable; }
  Communicator& ranks_;
  Whole<T> whole_, rough_;
  A sum_{};
};

template <class T>
class ScanTrial : public RanksTrial {
 public:
  ScanTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        whole_(whole_numbers<T>(c.shape[0], c.seed), ranks, c.shares),
        out_(whole_.all.size()) {}
  void call(const RanksPath&) override { inclusive_scan(ranks_, whole_.part, part()); }
  double error(const RanksPath&) override {
    std::vector<T> one(out_.size());
    inclusive_scan(ranks_.context(), whole_.all, one);
    const auto size = static_cast<std::size_t>(whole_.part.size);
    return unlike(std::span<const T>(out_).subspan(whole_.begin, size),
                  std::span<const T>(one).subspan(whole_.begin, size));
  }
  void alone() override { inclusive_scan(ranks_.context(), whole_.all, out_); }
  double bytes_sent() const override { return sizeof(accumulator_t<T>); }

 private:
  View<T> part() { return {out_.data() + whole_.begin, whole_.part.size}; }
  Communicator& ranks_;
  Whole<T> whole_;
  std::vector<T> out_;
};

/// Here every rank has an array of the full length.
template <class T>
class AllReduceTrial : public RanksTrial {
 public:
  AllReduceTrial(Communicator& ranks, const RanksCase& c) : ranks_(ranks) {
    for (int r = 0; r < ranks.size(); ++r)
      of_ranks_.push_back(whole_numbers<T>(c.shape[0], c.seed + static_cast<std::uint64_t>(r)));
    out_.resize(of_ranks_[0].size());
  }
  void call(const RanksPath& path) override { all_reduce(ranks_, mine(), out_, plus, path.options); }
  double error(const RanksPath&) override {
    std::vector<T> sums = of_ranks_[0];
    for (std::size_t r = 1; r < of_ranks_.size(); ++r) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<T>(sums[i] + of_ranks_[r][i]);
    }
    return unlike(std::span<const T>(sums), std::span<const T>(out_));
  }
  void alone() override {}
  bool has_whole() const override { return false; }
  double bytes_sent() const override {
    const double others = ranks_.size() - 1;
    return 2 * others / (others + 1) * static_cast<double>(out_.size() * sizeof(T));
  }

 private:
  const std::vector<T>& mine() const { return of_ranks_[static_cast<std::size_t>(ranks_.rank())]; }
  Communicator& ranks_;
  std::vector<std::vector<T>> of_ranks_;
  std::vector<T> out_;
};

template <template <class> class Trial>
RanksOperation operation_on_arrays(const char* name, std::vector<RanksPath> paths) {
  return {name,
          {"n"},
          {Type::f32, Type::f64, Type::i32, Type::i64},
          std::move(paths),
          {{0}, {1}, {3}, {1000}, {70'001}},
          {{1 << 16}, {1 << 20}, {1 << 24}},
          1 << 22,
          [](Communicator& ranks, const RanksCase& c) {
            return of_type<float, double, std::int32_t, std::int64_t>(
                c.type, [&]<class T>() { return std::make_unique<Trial<T>>(ranks, c); });
          }};
}

}  // namespace

RanksOperation ranks_reduce() {
  return operation_on_arrays<ReduceTrial>("reduce", paths_of(RankCall::reduce, true));
}
RanksOperation ranks_scan() {
  return operation_on_arrays<ScanTrial>("scan", paths_of(RankCall::inclusive_scan));
}
RanksOperation ranks_all_reduce() {
  RanksOperation op = operation_on_arrays<AllReduceTrial>("all_reduce", paths_of(RankCall::all_reduce));
  op.timed = {{64}, {1024}, {1 << 14}, {1 << 18}, {1 << 22}};
  return op;
}

}  // namespace tandem::command
