// reduce, scan and all_reduce over ranks.

#include <algorithm>

#include "bench/ranks/call.h"
#include "tandem/tandem.h"

namespace tandem::command {
namespace {

/// The whole of an array and this rank's part of it.
template <class T>
struct Whole {
  Array<T> all;
  View<T> part;
  std::int64_t begin;
  Whole(const std::vector<T>& numbers, Communicator& ranks, Shares shares) : all(ranks.context(), numbers) {
    const auto begins = share_out(shares, all.size(), ranks.size());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    begin = begins[rank];
    part = piece(all, begin, begins[rank + 1] - begin);
  }
};

template <class T>
class ReduceTrial : public RanksTrial {
  using A = accumulator_t<T>;

 public:
  ReduceTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        whole_(whole_numbers<T>(c.shape[0], c.seed), ranks, c.shares),
        rough_(is_floating(c.type) ? real_numbers<T>(c.shape[0], c.seed + 1)
                                   : whole_numbers<T>(c.shape[0], c.seed),
               ranks, c.shares) {}
  void call(const RanksPath& path) override {
    sum_ = reduce(ranks_, (is_portable(path) ? rough_ : whole_).part, plus, path.options);
  }
  /// Portable bits are those of one rank, also where sums round.
  double error(const RanksPath& path) override {
    const A one = reduce(ranks_.context(), (is_portable(path) ? rough_ : whole_).all, plus, path.options);
    return unlike<A>({sum_}, {one});
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
        out_(ranks.context(), whole_.all.size()) {}
  void call(const RanksPath&) override { inclusive_scan(ranks_, whole_.part, part(out_)); }
  double error(const RanksPath&) override {
    Context& ctx = ranks_.context();
    Array<T> one(ctx, out_.size());
    inclusive_scan(ctx, whole_.all, one);
    return unlike(on_host(ctx, part(out_).data, whole_.part.size), on_host(ctx, part(one).data, whole_.part.size));
  }
  void alone() override { inclusive_scan(ranks_.context(), whole_.all, out_); }
  double bytes_sent() const override { return sizeof(accumulator_t<T>); }

 private:
  View<T> part(Array<T>& all) { return piece(all, whole_.begin, whole_.part.size); }
  Communicator& ranks_;
  Whole<T> whole_;
  Array<T> out_;
};

/// Here every rank has an array of the full length.
template <class T>
class AllReduceTrial : public RanksTrial {
 public:
  AllReduceTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks),
        case_(c),
        in_(ranks.context(), numbers_of(ranks.rank())),
        out_(ranks.context(), in_.size()) {}
  void call(const RanksPath& path) override { all_reduce(ranks_, in_, out_, plus, path.options); }
  double error(const RanksPath&) override {
    std::vector<T> sums = numbers_of(0);
    for (int r = 1; r < ranks_.size(); ++r) {
      const std::vector<T> other = numbers_of(r);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<T>(sums[i] + other[i]);
    }
    return unlike(sums, out_.to_vector());
  }
  void alone() override {}
  bool has_whole() const override { return false; }
  double bytes_sent() const override {
    const double others = ranks_.size() - 1;
    return 2 * others / (others + 1) * static_cast<double>(out_.bytes());
  }

 private:
  std::vector<T> numbers_of(int rank) const {
    return whole_numbers<T>(case_.shape[0], case_.seed + static_cast<std::uint64_t>(rank));
  }
  Communicator& ranks_;
  const RanksCase case_;
  Array<T> in_, out_;
};

template <template <class> class Trial>
RanksOperation operation_on_arrays(const char* name, std::vector<RanksPath> paths) {
  return {name,
          {"n"},
          {Type::f32, Type::f64, Type::i32, Type::i64},
          std::move(paths),
          {{0}, {1}, {3}, {1000}, {70'001}},
          {{1 << 16}, {1 << 20}, {1 << 24}},
          {{1 << 20}, {1 << 24}, {1 << 28}},
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
  op.timed_on_gpus = {{2}, {1024}, {1 << 14}, {1 << 18}, {1 << 22}, {1 << 26}};
  return op;
}

}  // namespace tandem::command
