#pragma once
// Operators of the user's own as kernels apply them.

#include "tandem/device/vector_access.cuh"
#include "tandem/own_operators.h"

namespace tandem::detail {

/// functors.cuh is included: a better match than that of own_operators.h. A program for the executor runs nothing but kernels.
struct OnHostAndDevice {
#ifdef TANDEM_SIMT
  static constexpr bool kHost = false, kKernels = true;
#else
  static constexpr bool kHost = true, kKernels = true;
#endif
};
template <class Op>
OnHostAndDevice own_places(PlacesFor<Op>, int);

/// What the bits of an A are kept in: the widest words that it is made of. Single bytes would be moved one by one.
template <class A>
using OperandWord = std::conditional_t<alignof(A) % 4 == 0, std::uint32_t,
                                       std::conditional_t<alignof(A) % 2 == 0, std::uint16_t, std::uint8_t>>;

/// An accumulator in registers and in shared memory, where nothing may have a constructor; or none, which is the identity of
/// an operator that has no other.
template <class A, bool kMayBeNone>
struct Operand {
  alignas(A) OperandWord<A> words[sizeof(A) / sizeof(OperandWord<A>)];
};
template <class A>
struct Operand<A, true> {
  alignas(A) OperandWord<A> words[sizeof(A) / sizeof(OperandWord<A>)];
  std::uint32_t is_there;
};

/// What a kernel gets of the user's: an operator on operands, the lift of its elements, and the operand before the first.
template <class Op, class A>
struct KernelOperator {
  static_assert(std::is_trivially_copyable_v<Op>,
                "the operator is copied to the device as it is: it must be trivially copyable");
  static_assert(std::is_trivially_copyable_v<A> && std::is_default_constructible_v<A>,
                "accumulators on a device must be trivially copyable and have a default constructor");
  static constexpr bool kMayBeNone = !has_identity<Op, A>;
  using Operand = detail::Operand<A, kMayBeNone>;
  Op op;
  Operand first;

  KernelOperator(const Op& op, const A* init) : op(op), first(init ? operand(*init) : identity<Operand>()) {}

  TANDEM_HD static Operand operand(const A& a) {
    Operand x;
    memcpy(x.words, &a, sizeof a);
    if constexpr (kMayBeNone) x.is_there = 1;
    return x;
  }
  TANDEM_HD static A value(Operand x) {
    A a;
    memcpy(&a, x.words, sizeof a);
    return a;
  }
  template <class>
  TANDEM_HD Operand identity() const {
    if constexpr (kMayBeNone)
      return {};
    else
      return operand(static_cast<A>(identity_or_nothing<Op, A>(op)));
  }
  template <class T>
  TANDEM_HD Operand load(const T& x, std::int64_t i) const {
    return operand(static_cast<A>(lifted(op, x, i)));
  }
  TANDEM_HD Operand operator()(Operand a,
                               Operand b) const {  // by value: shared memory is read as it is declared
    if constexpr (kMayBeNone) {
      if (!a.is_there) return b;
      if (!b.is_there) return a;
    }
    return operand(static_cast<A>(op(value(a), value(b))));
  }
};

/// Called by a thread: elements i, i + 1, … as operands; identities for those that are not among [begin, end), which are not read.
template <bool kAligned, int kCount, class O, class T>
__device__ void load_operands(const O& op, const T* in, std::int64_t i, std::int64_t begin, std::int64_t end,
                              typename O::Operand (&operands)[kCount]) {
  Pack<T, kCount> pack;
  if (i >= begin && i + kCount <= end) {
    pack = load_pack<Pack<T, kCount>, kAligned>(in + i);
#pragma unroll
    for (int k = 0; k < kCount; ++k) operands[k] = op.load(pack.values[k], i + k);
  } else {
#pragma unroll
    for (int k = 0; k < kCount; ++k)
      operands[k] = i + k >= begin && i + k < end ? op.load(in[i + k], i + k)
                                                  : op.template identity<typename O::Operand>();
  }
}

}  // namespace tandem::detail
