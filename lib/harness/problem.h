#pragma once
// What a test's buffers need, written once. An operation's harness declares its buffers as Input and Output
// over a Problem's base, fills `values` and `want`, and says how far each result may be off; these classes
// upload, poison, guard and compare. They are compiled in problem.cpp, once for each type of elements.

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/harness/closed_form.h"
#include "lib/harness/compare.h"
#include "lib/harness/guarded.h"

namespace tandem {

class Operands;

/// What a caller copies whose data lies in the CPU's memory: to the place of a problem before a call, back after it, or
/// both.
struct Transfer {
  void* there;
  std::size_t bytes;
  bool in, out;
};

/// One buffer of a problem.
class Operand {
 public:
  explicit Operand(Operands& all);
  Operand(const Operand&) = delete;
  virtual void reset() = 0;
  /// The same, without writing anew what a call must not change: if one did, bits() tells the runs apart.
  virtual void again() { reset(); }
  virtual Verdict check() = 0;
  /// A number that tells contents apart that differ in any bit.
  virtual std::uint64_t bits(Context& ctx) = 0;
  virtual Transfer transfer() { return {}; }

 protected:
  ~Operand() = default;
};

/// The base of every operation's problem: knows its operands.
class Operands {
 public:
  explicit Operands(Context& ctx) : ctx_(ctx) {}
  Operands(const Operands&) = delete;
  Context& context() { return ctx_; }
  /// Inputs as they were, outputs poisoned.
  void reset();
  /// The same, without writing anew what a call must not change.
  void again();
  /// Guard zones and inputs; and outputs where they have a `want`.
  Verdict check_operands();
  std::uint64_t bits();
  std::vector<Transfer> transfers();

 private:
  friend Operand;
  Context& ctx_;
  std::vector<Operand*> all_;
};

/// Values that a call reads and must not change.
template <class T>
class Input final : public Operand {
 public:
  /// `offset`: elements between an aligned address and the first one.
  Input(Operands& all, std::int64_t size, int offset = 0, const char* name = "");
  Input(Operands& all, std::vector<T> given, int offset = 0, const char* name = "");
  ~Input();

  std::vector<T> values;
  /// Copied for a call. A search index that lies there is not, nor what the call does not read.
  bool sent = true;

  T* data() { return buffer_.data(); }
  std::int64_t size() const { return static_cast<std::int64_t>(values.size()); }
  GuardedBuffer<T>& buffer() { return buffer_; }
  /// From now on the call may write here: an Output in place checks what it finds.
  void becomes_output() { may_change_ = true; }

  void reset() override;
  void again() override;
  Verdict check() override;
  std::uint64_t bits(Context& ctx) override;
  Transfer transfer() override;

 private:
  GuardedBuffer<T> buffer_;
  const char* name_;
  bool may_change_ = false;
};

/// Values that a call writes: poisoned before it, or an input in place of which they come.
template <class T>
class Output : public Operand {
 public:
  /// `place_of`: the input in whose memory the results come, or null.
  Output(Operands& all, std::int64_t size, int offset = 0, Input<T>* place_of = nullptr);
  ~Output();

  /// How many of its first elements a caller copies; those in place of an input are copied with it.
  std::int64_t results;
  /// What is right: empty where the operation compares in its own way.
  std::vector<T> want;
  /// The largest error allowed for each element; empty: all must be exact.
  std::vector<double> bounds;
  Same same = Same::value;

  T* data() { return target().data(); }
  Contents<T> contents() { return target().contents(); }

  void reset() override;
  Verdict check() override;
  std::uint64_t bits(Context& ctx) override;
  Transfer transfer() override;

 private:
  GuardedBuffer<T>& target() { return place_of_ ? place_of_->buffer() : buffer_; }

  Input<T>* place_of_;
  GuardedBuffer<T> buffer_;
};

/// A buffer too large for a copy: an input, an output, or an input in place of which results come.
template <class T>
class LargeOperand : public Operand {
 public:
  static constexpr const ClosedForm<T>* kNothing = nullptr;
  /// What it holds before a call, or kNothing, and to within what each element must be after it.
  LargeOperand(Operands& all, std::int64_t size, const ClosedForm<T>* before, const ClosedForm<T>& after,
               double allowed = 0);
  LargeOperand(Operands& all, std::int64_t size, const ClosedForm<T>& input);
  /// The same in memory of the caller's, where several of them may lie.
  LargeOperand(Operands& all, T* memory, std::int64_t size, const ClosedForm<T>* before,
               const ClosedForm<T>& after);
  ~LargeOperand();
  T* data() { return data_; }
  std::int64_t size() const { return size_; }

  void reset() override;
  Verdict check() override;
  std::uint64_t bits(Context& ctx) override;

 private:
  LargeOperand(Operands& all, Array<T> own, T* memory, std::int64_t size, const ClosedForm<T>* before,
               const ClosedForm<T>& after, double allowed);

  Context& ctx_;
  Array<T> own_;
  T* data_;
  std::int64_t size_;
  PlacedForm<T> after_;
  std::optional<PlacedForm<T>> before_;
  double allowed_;
};

/// The type a reference is computed in: wider where T rounds.
template <class T>
using Wider = std::conditional_t<std::is_same_v<T, float>, double,
                                 std::conditional_t<std::is_same_v<T, double>, long double, T>>;

}  // namespace tandem
