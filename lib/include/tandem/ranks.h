#pragma once
// Calls over ranks: reduce, inclusive_scan, exclusive_scan, all_reduce, transpose, gemm, tridiagonal, intersect and halos
// with a Communicator as the first argument, made by all of its ranks. The arrays of the ranks, in rank order, are the parts of one
// whole; they may differ in length, and be empty. Arrays lie in the memory of the ranks' contexts: of the host, or of a GPU
// for each rank.
//
// Where a rank throws in its part of a call (a null pointer, say), the others get RankFailed, and nobody waits for it.

#include <exception>
#include <optional>
#include <string>  // with std::min and std::max; <algorithm> would double what a program reads

#include "tandem/communicator.h"
#include "tandem/reduce.h"
#include "tandem/scan.h"

namespace tandem {

namespace detail {

/// What every rank has made of its part: an accumulator, nothing of an empty part, or an exception.
template <class A>
class RankParts {
  static_assert(std::is_trivially_copyable_v<A>,
                "an accumulator that travels between ranks must be trivially copyable");

 public:
  /// make() gives this rank's accumulator, if there is one. What it throws is thrown on this rank, and RankFailed on the others.
  template <class Make>
  RankParts(RanksScope& scope, const Make& make) {
    const std::size_t bytes = sizeof(Part) * static_cast<std::size_t>(scope.size() + 1);
    parts_ = reinterpret_cast<Part*>(scope.memory(0, bytes));
    Part* const mine = parts_ + scope.size();
    std::exception_ptr thrown;
    mine->state = State::failed;
    try {
      const std::optional<A> made = make();
      if (made) new (mine->value) A(*made);
      mine->state = made ? State::there : State::empty;
    } catch (...) {
      thrown = std::current_exception();
    }
    scope.all_gather(mine, parts_, sizeof(Part));
    if (thrown) std::rethrow_exception(thrown);
    for (int r = 0; r < scope.size(); ++r) {
      if (parts_[r].state == State::failed) scope.throw_failed(r);
    }
  }

  /// Calls visit(accumulator) for those of the ranks from `begin` up to `end` that have one, in rank order.
  template <class Visit>
  void for_each(int begin, int end, const Visit& visit) const {
    for (int r = begin; r < end; ++r) {
      if (parts_[r].state == State::there) visit(*std::launder(reinterpret_cast<const A*>(parts_[r].value)));
    }
  }
  /// first ∘ the accumulators of the ranks before `end`; nothing where there is neither.
  template <class Apply>
  std::optional<A> folded(int end, std::optional<A> first, const Apply& apply) const {
    for_each(0, end, [&](const A& part) { first = first ? static_cast<A>(apply(*first, part)) : part; });
    return first;
  }

 private:
  enum class State : std::int32_t { empty, there, failed };
  struct Part {
    State state;
    alignas(A) std::byte value[sizeof(A)];
  };
  Part* parts_;
};

/// The exact sum over all ranks, rounded once. value: an accumulator.
TANDEM_API void exact_sum(RanksScope& scope, Type type, ConstMemory in, void* value);

/// An operator of one's own on a rank's part: accumulators A, and places in the whole.
template <class Op, class A>
struct OnPart {
  Op op;
  std::int64_t first;  // place of the part's first element

  template <class T>
  TANDEM_HD A lift(const T& x, std::int64_t i) const {
    return static_cast<A>(lifted(op, x, first + i));
  }
  TANDEM_HD A operator()(const A& a, const A& b) const { return static_cast<A>(op(a, b)); }
};

/// Where this rank's part begins in the whole; 0 for operators that do not ask.
template <class Op, class T>
std::int64_t first_place([[maybe_unused]] RanksScope& scope, [[maybe_unused]] std::int64_t size) {
  std::int64_t first = 0;
  if constexpr (requires(const Op& op, T x, std::int64_t i) { op.lift(x, i); }) {
    auto* const sizes = reinterpret_cast<std::int64_t*>(
        scope.memory(1, sizeof(std::int64_t) * static_cast<std::size_t>(scope.size())));
    scope.all_gather(&size, sizes, sizeof size);
    for (int r = 0; r < scope.rank(); ++r) first += sizes[r];
  }
  return first;
}

/// The operand before the first: the initial value, the operator's identity, or none.
template <class A, class Op, class Init>
std::optional<A> own_start(const Op& op, const Init& init) {
  if constexpr (!std::is_same_v<Init, NotGiven>)
    return static_cast<A>(init);
  else if constexpr (has_identity<Op, A>)
    return static_cast<A>(identity_or_nothing<Op, A>(op));
  else
    return std::nullopt;
}

template <class In, class Op, class Init>
auto own_reduce_over_ranks(Communicator& all, const In& in, const Op& op, const Init& init) {
  using T = element_of<const In>;
  using A = own_accumulator<Op, T, Init>;
  static_assert(combines<Op, A, T>, TANDEM_WRONG_OPERATOR("reduce"));
  const View<const T> x{view(in).data, view(in).size};
  return translated([&]() -> A {
    RanksScope scope(all, {.call = RankCall::reduce, .own = own_name<Op, T, A>()});
    const OnPart<Op, A> on_part{op, first_place<Op, T>(scope, x.size)};
    const RankParts<A> parts(scope, [&]() -> std::optional<A> {
      if (x.size == 0) return std::nullopt;
      return reduce(scope.context(), x, on_part);
    });
    std::optional<A> first;
    if constexpr (!std::is_same_v<Init, NotGiven>) first = static_cast<A>(init);
    const auto whole = parts.folded(scope.size(), first, op);
    if (whole) return *whole;
    if (const auto start = own_start<A>(op, init)) return *start;
    throw InvalidArgument(
        "reduce: the parts of all ranks are empty; an operator without an identity needs an initial value");
  });
}

template <bool kExclusive, class In, class Out, class Op, class Init>
void own_scan_over_ranks(Communicator& all, const In& in, Out&& out, const Op& op, const Init& init) {
  using T = element_of<const In>;
  using A = own_accumulator<Op, T, Init>;
  constexpr bool kStarts = !kExclusive || !std::is_same_v<Init, NotGiven> || has_identity<Op, A>;
  static_assert(combines<Op, A, T>, TANDEM_WRONG_OPERATOR("scan"));
  static_assert(
      kStarts,
      "exclusive_scan: out[0] needs an identity, which op has not: give op one, or pass an initial value");
  using To = element_of<Out>;
  const View<const T> x{view(in).data, view(in).size};
  const View<To> y{view(out).data, view(out).size};
  translated([&] {
    RanksScope scope(all, {.call = kExclusive ? RankCall::exclusive_scan : RankCall::inclusive_scan,
                           .own = own_name<Op, T, A>()});
    Context& ctx = scope.context();
    const OnPart<Op, A> on_part{op, first_place<Op, T>(scope, x.size)};
    const RankParts<A> parts(scope, [&]() -> std::optional<A> {
      const Lending lending(ctx);
      check_scan(ctx, any_array(x), any_array(y), std::is_same_v<T, To>);
      if (x.size == 0) return std::nullopt;
      return reduce(ctx, x, on_part);
    });
    if (x.size == 0) return;
    std::optional<A> start;
    if constexpr (kExclusive || !std::is_same_v<Init, NotGiven>) start = own_start<A>(op, init);
    const auto before = parts.folded(scope.rank(), start, op);
    if constexpr (kExclusive)
      exclusive_scan(ctx, x, y, on_part, *before);
    else if (before)
      inclusive_scan(ctx, x, y, on_part, *before);
    else
      inclusive_scan(ctx, x, y, on_part);
  });
}

/// A scan of one of Tandem's operators. init: null for its identity.
template <bool kExclusive, class In, class Out, class Op>
void scan_over_ranks(Communicator& all, const In& in, Out&& out, Op op, const element_of<const In>* init) {
  using T = element_of<const In>;
  using A = accumulator_t<T>;
  static_assert(scans<T, Op>(), "scan has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "scan: out must hold the type of in");
  const View<const T> x{view(in).data, view(in).size};
  const View<T> y{view(out).data, view(out).size};
  const auto load = [](T value) { return Op::lift(static_cast<A>(value)); };
  translated([&] {
    RanksScope scope(all, {.call = kExclusive ? RankCall::exclusive_scan : RankCall::inclusive_scan,
                           .id = {type_of<T>, Op::id}});
    Context& ctx = scope.context();
    const RankParts<A> parts(scope, [&]() -> std::optional<A> {
      const Lending lending(ctx);
      check_scan(ctx, any_array(x), any_array(y), true);
      if (x.size == 0) return std::nullopt;
      return reduce(ctx, x, op);
    });
    const auto before = parts.folded(scope.rank(), init ? std::optional<A>(load(*init)) : std::nullopt, op);
    if constexpr (is_narrow_float<T>) {  // what comes before is not rounded to an element
      const A start = before ? *before : Op::template identity<A>();
      scan_from(ctx, CaseId{type_of<T>, Op::id}, const_memory(x), memory(y), kExclusive, &start);
    } else {
      const T start = before ? static_cast<T>(*before) : Op::template identity<T>();
      if constexpr (kExclusive)
        exclusive_scan(ctx, x, y, op, start);
      else
        inclusive_scan(ctx, x, y, op, start);
    }
  });
}

}  // namespace detail

// --- reduce

/// op over the parts of all ranks, in rank order: the same value on every rank.
///
/// Element types, operators and results as of reduce(ctx, in, op). in: this rank's part, of any length, 0 included; the whole
/// may be empty. With options.bits = portable a sum of floating-point numbers is the exact one, rounded once: its bits
/// depend neither on the number of ranks nor on how the elements are shared out; else they may. options.use names the path of the local part. A
/// rank sends one accumulator. Throws as reduce(ctx, in, op), RankFailed, RanksDiffer, CommunicationError.
template <Viewable In, Enumerated Op>
auto reduce(Communicator& all, const In& in, Op op, const Options& options = {}) {
  using T = element_of<const In>;
  using A = accumulator_t<T>;
  static_assert(detail::reduces<T, Op>(), "reduce has no such combination of element type and operator");
  const View<const T> x{view(in).data, view(in).size};
  return detail::translated([&]() -> A {
    detail::RanksScope scope(all, {.call = RankCall::reduce, .id = {type_of<T>, Op::id}});
    if (options.bits == Bits::portable && Op::id == OperatorId::plus && std::is_floating_point_v<A>) {
      A sum;
      detail::exact_sum(scope, type_of<T>, detail::const_memory(x), &sum);
      return sum;
    }
    const detail::RankParts<A> parts(
        scope, [&] { return std::optional<A>(reduce(scope.context(), x, op, options)); });
    return *parts.folded(scope.size(), Op::template identity<A>(), op);
  });
}
template <Viewable In>
auto reduce(Communicator& all, const In& in, const Options& options = {}) {
  return reduce(all, in, plus, options);
}

/// op over the parts of all ranks for an operator of your own (own_operators.h), which need not commute: operands keep their
/// order. A place that op.lift(x, i) is given is one in the whole. The accumulator must be trivially copyable; init must be the
/// same on every rank. InvalidArgument on every rank where the whole is empty and there is neither identity nor init.
template <Viewable In, OwnOperator Op>
auto reduce(Communicator& all, const In& in, Op op) {
  return detail::own_reduce_over_ranks(all, in, op, detail::NotGiven{});
}
template <Viewable In, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) auto reduce(Communicator& all, const In& in, Op op, Init init) {
  return detail::own_reduce_over_ranks(all, in, op, init);
}

// --- scan

/// out[i] = init ∘ the parts of the ranks before ∘ in[0] ∘ … ∘ in[i]: this rank's part of the scan of the whole.
///
/// Element types, operators, results and overlap as of inclusive_scan(ctx, in, out, op); out has the size of in. init: the same on every
/// rank. in is read twice, and a rank sends one accumulator. Throws as the scan of one rank, RankFailed, RanksDiffer,
/// CommunicationError.
template <Viewable In, Viewable Out, Enumerated Op>
void inclusive_scan(Communicator& all, const In& in, Out&& out, Op op) {
  detail::scan_over_ranks<false>(all, in, out, op, static_cast<const element_of<const In>*>(nullptr));
}
template <Viewable In, Viewable Out>
void inclusive_scan(Communicator& all, const In& in, Out&& out) {
  inclusive_scan(all, in, out, plus);
}
template <Viewable In, Viewable Out, Enumerated Op>
void inclusive_scan(Communicator& all, const In& in, Out&& out, Op op, element_of<const In> init) {
  detail::scan_over_ranks<false>(all, in, out, op, &init);
}

/// out[i] = init ∘ the parts of the ranks before ∘ in[0] ∘ … ∘ in[i−1], so that out[0] of the first element of the whole is init
/// (the operator's identity unless given). Otherwise as inclusive_scan.
template <Viewable In, Viewable Out, Enumerated Op>
void exclusive_scan(Communicator& all, const In& in, Out&& out, Op op) {
  detail::scan_over_ranks<true>(all, in, out, op, static_cast<const element_of<const In>*>(nullptr));
}
template <Viewable In, Viewable Out>
void exclusive_scan(Communicator& all, const In& in, Out&& out) {
  exclusive_scan(all, in, out, plus);
}
template <Viewable In, Viewable Out, Enumerated Op>
void exclusive_scan(Communicator& all, const In& in, Out&& out, Op op, element_of<const In> init) {
  detail::scan_over_ranks<true>(all, in, out, op, &init);
}

/// Scans over ranks with an operator of your own, which need not commute; otherwise as those of a context. Accumulators must be
/// trivially copyable, init the same on every rank; a place that op.lift(x, i) is given is one in the whole.
template <Viewable In, Viewable Out, OwnOperator Op>
void inclusive_scan(Communicator& all, const In& in, Out&& out, Op op) {
  detail::own_scan_over_ranks<false>(all, in, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void inclusive_scan(Communicator& all, const In& in, Out&& out, Op op,
                                                           Init init) {
  detail::own_scan_over_ranks<false>(all, in, out, op, init);
}
template <Viewable In, Viewable Out, OwnOperator Op>
void exclusive_scan(Communicator& all, const In& in, Out&& out, Op op) {
  detail::own_scan_over_ranks<true>(all, in, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void exclusive_scan(Communicator& all, const In& in, Out&& out, Op op,
                                                           Init init) {
  detail::own_scan_over_ranks<true>(all, in, out, op, init);
}

}  // namespace tandem

#include "tandem/ranks/all_reduce.h"
#include "tandem/ranks/gemm.h"
#include "tandem/ranks/halos.h"
#include "tandem/ranks/intersect.h"
#include "tandem/ranks/transpose.h"
#include "tandem/ranks/tridiagonal.h"
