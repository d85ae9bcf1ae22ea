#pragma once
// all_reduce over ranks: element by element over arrays of one length.

#include <algorithm>

#include "tandem/communicator.h"
#include "tandem/parallel_for.h"
#include "tandem/reduce.h"

namespace tandem {

namespace detail {

/// How arrays meet (docs/ranks.md); in the order of path_names(RankCall::all_reduce).
enum class AllReducePath : std::int32_t { gather, two_shot, shared, mpi, nccl, one_shot, flag_in_word };
constexpr std::int64_t kFewBytes = 4096;        // up to which every rank folds everything
constexpr std::int64_t kSharedBytes = 1 << 20;  // of a rank's memory that others read

/// The path of this rank for arrays of `bytes`: the one that options.use names, else the automatic choice. Ranks compare it before
/// they use it.
TANDEM_API AllReducePath all_reduce_path(const RanksScope& scope, const CaseId& id, std::int64_t bytes,
                                         const Options& options);
/// The same for arrays of the host, wherever ranks compute.
TANDEM_API AllReducePath all_reduce_host_path(const RanksScope& scope, const CaseId& id, std::int64_t bytes,
                                              const Options& options);
[[noreturn]] TANDEM_API void throw_no_shared_memory();

/// How a GPU folds what came from the ranks: by Tandem's kernels where `run` is null.
struct DeviceFold {
  void (*run)(const void* op, Context& ctx, const FoldParts& parts) = nullptr;
  const void* op = nullptr;
};
/// Takes the memory of a path of ranks on GPUs; bytes of an element of in and of out.
TANDEM_API void reserve_on_device(RanksScope& scope, AllReducePath path, const CaseId& id, std::int64_t n,
                                  std::size_t in_bytes, std::size_t out_bytes, const DeviceFold& fold);
/// by_name: the caller asked for this path, and gets no other one where it is not to be had.
TANDEM_API void all_reduce_on_device(RanksScope& scope, AllReducePath path, bool by_name, const CaseId& id,
                                     const void* in, void* out, std::int64_t n, std::size_t in_bytes,
                                     std::size_t out_bytes, const DeviceFold& fold);
TANDEM_API void check_all_reduce(Context& ctx, const AnyArray& in, const AnyArray& out, bool may_be_in_place);

/// The element-wise op over arrays of all ranks, which have one length. load(x, i) is an accumulator.
template <class A, class T, class Out, class Load, class Op>
class ElementsOfRanks {
 public:
  ElementsOfRanks(RanksScope& scope, const T* in, Out* out, std::int64_t n, const Load& load, const Op& op)
      : scope_(scope), ranks_(scope.size()), in_(in), out_(out), n_(n), load_(load), op_(op) {}

  /// Takes the memory of a path, so that a rank that has none says so before the others wait for its messages.
  void reserve(AllReducePath path) {
    if (path == AllReducePath::gather) memory<T>(0, n_ * ranks_);
    if (path != AllReducePath::two_shot) return;
    memory<T>(0, slice() * ranks_), memory<Out>(2, slice());
    for (const int number : {1, 3, 4}) memory<int>(number, 2 * ranks_);
  }

  /// Everybody gets everything, in one message.
  void gather() {
    T* const whole = memory<T>(0, n_ * ranks_);
    scope_.all_gather(in_, whole, bytes<T>(n_));
    fold([&](int r) { return whole + r * n_; }, n_, 0, out_);
  }

  /// Each rank gets a slice of all arrays, folds it, and gives it to all. So much at once that MPI's numbers of bytes, of 32
  /// bits, suffice.
  void two_shot() {
    const std::int64_t most = slice();
    T* const slices = memory<T>(0, most * ranks_);
    Out* const folded = memory<Out>(2, most);
    for (std::int64_t begin = 0; begin < n_; begin += most * ranks_) {
      const Shares shares(std::min(most * ranks_, n_ - begin), ranks_);
      const std::int64_t mine = shares.begin(scope_.rank()), length = shares.length(scope_.rank());
      const auto blocks = [&](int number, const auto& length_of, const auto& begin_of, std::size_t size) {
        int* const all = memory<int>(number, 2 * ranks_);
        for (int r = 0; r < ranks_; ++r) {
          all[r] = static_cast<int>(length_of(r) * static_cast<std::int64_t>(size));
          all[ranks_ + r] = static_cast<int>(begin_of(r) * static_cast<std::int64_t>(size));
        }
        return all;
      };
      const auto length_of = [&](int r) { return shares.length(r); };
      const auto begin_of = [&](int r) { return shares.begin(r); };
      const int* const sent = blocks(1, length_of, begin_of, sizeof(T));
      const int* const received = blocks(
          3, [&](int) { return length; }, [&](int r) { return r * length; }, sizeof(T));
      const int* const given = blocks(4, length_of, begin_of, sizeof(Out));
      scope_.all_to_all(in_ + begin, sent, sent + ranks_, slices, received, received + ranks_);
      fold([&](int r) { return slices + r * length; }, length, begin + mine, folded);
      scope_.all_gather_parts(folded, out_ + begin, given, given + ranks_);
    }
  }

  /// Ranks read each other's memory: few elements of all arrays every rank, of many its share, whose results the others read.
  /// One half of a rank's block is filled while others may still read what the other half held before. share(kBlock) was true.
  void shared() {
    for (std::int64_t begin = 0; begin < n_; begin += kMost) {
      const std::int64_t length = std::min(kMost, n_ - begin);
      const std::int64_t half = scope_.next_turn() % 2 * kHalf;
      const auto in_of = [&](int r) { return reinterpret_cast<T*>(scope_.shared(r) + half); };
      const auto out_of = [&](int r) { return reinterpret_cast<Out*>(scope_.shared(r) + half + kOuts); };
      std::copy_n(in_ + begin, length, in_of(scope_.rank()));
      scope_.meet();
      if (bytes<T>(n_) <= kFewBytes) {
        fold(in_of, length, begin, out_ + begin);
        continue;
      }
      const Shares shares(length, ranks_);
      const std::int64_t mine = shares.begin(scope_.rank());
      fold([&](int r) { return in_of(r) + mine; }, shares.length(scope_.rank()), begin + mine,
           out_of(scope_.rank()) + mine);
      scope_.meet();
      for (int r = 0; r < ranks_; ++r)
        std::copy_n(out_of(r) + shares.begin(r), shares.length(r), out_ + begin + shares.begin(r));
    }
  }

 private:
  static constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
  /// Elements in one half of a block, where results begin in it, and its bytes.
  static constexpr std::int64_t kMost =
      std::max<std::int64_t>(1, kSharedBytes / 2 / static_cast<std::int64_t>(sizeof(T) + sizeof(Out)));
  static constexpr std::int64_t kOuts = aligned(kMost * static_cast<std::int64_t>(sizeof(T)));
  static constexpr std::int64_t kHalf = aligned(kOuts + kMost * static_cast<std::int64_t>(sizeof(Out)));

 public:
  static constexpr std::int64_t kBlock = 2 * kHalf;

 private:
  /// Elements of each rank's array that two_shot moves at once.
  std::int64_t slice() const {
    return std::max<std::int64_t>(
        1, std::min<std::int64_t>(1 << 20, (1 << 30) / ranks_) / std::max(sizeof(T), sizeof(Out)));
  }
  /// How elements are shared out over the ranks.
  struct Shares {
    Shares(std::int64_t length, std::int64_t ranks) : all(length), each((length + ranks - 1) / ranks) {}
    std::int64_t begin(int r) const { return std::min(r * each, all); }
    std::int64_t length(int r) const { return begin(r + 1) - begin(r); }
    std::int64_t all, each;
  };

  static constexpr std::int64_t kLine = std::max<std::size_t>(1, 2048 / sizeof(A));

  template <class E>
  static std::int64_t bytes(std::int64_t elements) {
    return elements * static_cast<std::int64_t>(sizeof(E));
  }
  template <class E>
  E* memory(int number, std::int64_t elements) {
    return reinterpret_cast<E*>(scope_.memory(number, static_cast<std::size_t>(bytes<E>(elements))));
  }
  /// op over the same elements of all ranks, in rank order. of(r)[i]: element first + i of rank r.
  template <class Of>
  void fold(const Of& of, std::int64_t count, std::int64_t first, Out* to) {
    parallel_for((count + kOwnChunk - 1) / kOwnChunk, {.most = 8},
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t i = begin * kOwnChunk; i < std::min(end * kOwnChunk, count); i += kLine)
                     fold_line(of, i, std::min(kLine, count - i), first, to);
                 });
  }
  /// So few elements that one rank's after the other's are folded into accumulators that stay in the cache.
  template <class Of>
  void fold_line(const Of& of, std::int64_t begin, std::int64_t count, std::int64_t first, Out* to) {
    alignas(A) std::byte room[kLine * sizeof(A)];
    A* const totals = reinterpret_cast<A*>(room);
    for (int r = 0; r < ranks_; ++r) {
      const T* const from = of(r) + begin;
      for (std::int64_t i = 0; i < count; ++i) {
        const A x = load_(from[i], first + begin + i);
        new (totals + i) A(r == 0 ? x : static_cast<A>(op_(totals[i], x)));
      }
    }
    for (std::int64_t i = 0; i < count; ++i) to[begin + i] = static_cast<Out>(totals[i]);
  }

  RanksScope& scope_;
  const int ranks_;
  const T* in_;
  Out* out_;
  std::int64_t n_;
  const Load& load_;
  const Op& op_;
};

/// The element-wise op over arrays of all ranks in memory of the host, by the path that options.use names, which all_reduce_path took, or the automatic choice.
template <class A, class T, class Out, class Load, class Op>
void all_reduce_elements(RanksScope& scope, const CaseId& id, const T* in, Out* out, std::int64_t n,
                         const Options& options, const Load& load, const Op& op) {
  using Elements = ElementsOfRanks<A, T, Out, Load, Op>;
  const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
  AllReducePath path = all_reduce_host_path(scope, id, bytes, options);
  if (path == AllReducePath::mpi) return scope.all_reduce_by_mpi(in, out, n, id);
  if (path == AllReducePath::shared && !scope.share(Elements::kBlock)) {
    if (!options.use.empty()) throw_no_shared_memory();
    path = bytes <= kFewBytes ? AllReducePath::gather : AllReducePath::two_shot;
  }
  Elements elements(scope, in, out, n, load, op);
  if (path == AllReducePath::shared)
    elements.shared();
  else if (path == AllReducePath::two_shot)
    elements.two_shot();
  else
    elements.gather();
}

/// Of an operator of one's own: its kernel, where the program has one.
template <class A, class T, class Out, class Op>
DeviceFold own_device_fold(const Op& op) {
  using Places = places_of<Op>;
  return {[](const void* own, [[maybe_unused]] Context& ctx, [[maybe_unused]] const FoldParts& parts) {
            if constexpr (Places::kKernels)
              own_fold_by_kernel(Places{}, ctx, *static_cast<const Op*>(own), parts,
                                 static_cast<const A*>(nullptr), static_cast<const T*>(nullptr),
                                 static_cast<const Out*>(nullptr));
            else
              require_host(ctx, "all_reduce");
          },
          Places::kKernels ? &op : nullptr};
}

/// Checks arguments, and that all ranks can go on, with as many elements and by one path; then runs it.
template <class A, class T, class Out, class Load, class Op>
void all_reduce(RanksScope& scope, const CaseId& id, const View<const T>& in, const View<Out>& out,
                const Options& options, const Load& load, const Op& op, const DeviceFold& fold) {
  AllReducePath path{};
  scope.together([&] {
    const Lending lending(scope.context());
    check_all_reduce(scope.context(), any_array(in), any_array(out), std::is_same_v<T, Out>);
    const std::int64_t bytes = in.size * static_cast<std::int64_t>(sizeof(T));
    path = all_reduce_path(scope, id, bytes, options);
    if (scope.on_device())
      reserve_on_device(scope, path, id, in.size, sizeof(T), sizeof(Out), fold);
    else
      ElementsOfRanks<A, T, Out, Load, Op>(scope, in.data, out.data, in.size, load, op).reserve(path);
    scope.take(static_cast<int>(path));
  });
  if (scope.on_device())
    return all_reduce_on_device(scope, path, !options.use.empty(), id, in.data, out.data, in.size, sizeof(T),
                                sizeof(Out), fold);
  all_reduce_elements<A>(scope, id, in.data, out.data, in.size, options, load, op);
}

}  // namespace detail

/// out[i] = the op over element i of the arrays of all ranks, in rank order: the same bits on every rank. Here arrays are no
/// parts of a whole: they have the same length on every rank.
///
/// op: plus (unless given), multiplies, minimum, maximum, logical_and, logical_or, as of reduce. Results have the type of the
/// elements: half and bfloat16 are accumulated in float, and rounded once; integers wrap. out may be in itself; any other
/// overlap is refused. A rank sends and receives about twice the array. options.use, which must agree: custom/gather (all arrays to
/// every rank), custom/two_shot (a share of all arrays to each rank, the results to all), custom/shared (ranks of one node
/// read each other's memory: 1 MiB of each), vendor/mpi (MPI_Allreduce, in MPI's order; it says nothing of NaN in minimum and
/// maximum). The automatic choice takes shared where it can, else gather up to 4 KB and two_shot above. On GPUs: gather, two_shot, custom/one_shot and custom/flag_in_word (by kernels that store into the other GPUs' memory, as
/// two_shot where it can: f32, f64, i32, i64, half, bfloat16; plus, minimum, maximum; GPUs of one node that reach each other), and
/// vendor/nccl (ncclAllReduce, in NCCL's order; as MPI's of NaN; half and bfloat16 are rounded at each step), which is the automatic
/// choice of sums and products of other numbers, and of minimum and maximum of whole ones; else gather up to 64 KB.
/// Throws InvalidArgument (sizes of in and out differ, null pointers, overlap, unknown options.use), Unavailable
/// (options.use cannot run here: ranks on several nodes, a type or operator that MPI lacks), RanksDiffer where the ranks'
/// sizes, paths or calls do, RankFailed, OutOfMemory, CommunicationError.
/// Source:  Rabenseifner 2004, "Optimization of collective reduction operations" (reduce-scatter, then all-gather).
template <Viewable In, Viewable Out, Enumerated Op>
void all_reduce(Communicator& all, const In& in, Out&& out, Op op, const Options& options = {}) {
  using T = element_of<const In>;
  using A = accumulator_t<T>;
  static_assert(detail::reduces<T, Op>(), "all_reduce has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "all_reduce: out must hold the type of in");
  const View<const T> x{view(in).data, view(in).size};
  const View<T> y{view(out).data, view(out).size};
  detail::translated([&] {
    const CaseId id{type_of<T>, Op::id};
    detail::RanksScope scope(all, {.call = RankCall::all_reduce, .id = id, .sizes = {x.size, -1, -1}});
    detail::all_reduce<A>(scope, id, x, y, options,
                          [](T value, std::int64_t) { return Op::lift(static_cast<A>(value)); }, op, {});
  });
}
template <Viewable In, Viewable Out>
void all_reduce(Communicator& all, const In& in, Out&& out, const Options& options = {}) {
  all_reduce(all, in, out, plus, options);
}

/// all_reduce with an operator of your own, which need not commute. Elements must be trivially copyable. A place that op.lift(x, i)
/// is given is one in the array. op must not throw on some ranks alone: the others would wait for them.
template <Viewable In, Viewable Out, OwnOperator Op>
void all_reduce(Communicator& all, const In& in, Out&& out, Op op, const Options& options = {}) {
  using T = element_of<const In>;
  using To = element_of<Out>;
  using A = detail::own_accumulator<Op, T, detail::NotGiven>;
  static_assert(detail::combines<Op, A, T>, TANDEM_WRONG_OPERATOR("all_reduce"));
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_copyable_v<To>,
                "all_reduce: elements that travel between ranks must be trivially copyable");
  const View<const T> x{view(in).data, view(in).size};
  const View<To> y{view(out).data, view(out).size};
  detail::translated([&] {
    detail::RanksScope scope(
        all,
        {.call = RankCall::all_reduce, .own = detail::own_name<Op, T, A, To>(), .sizes = {x.size, -1, -1}});
    detail::all_reduce<A>(
        scope, {Type{}, OperatorId::none}, x, y, options,
        [&](const T& value, std::int64_t i) { return static_cast<A>(detail::lifted(op, value, i)); }, op,
        detail::own_device_fold<A, T, To>(op));
  });
}

}  // namespace tandem
