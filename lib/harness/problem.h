#pragma once
// What a test's buffers need, written once. An operation's harness declares its buffers as Input and Output
// over a Problem's base, fills `values` and `want`, and says how far each result may be off; this file
// uploads, poisons, guards and compares.

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
  virtual Verdict check() = 0;
  /// A number that tells contents apart that differ in any bit.
  virtual std::uint64_t bits() = 0;
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
  void reset() {
    for (Operand* operand : all_) operand->reset();
  }
  /// Guard zones and inputs; and outputs where they have a `want`.
  Verdict check_operands() {
    Verdict verdict;
    for (Operand* operand : all_) verdict.include(operand->check());
    return verdict;
  }

  std::uint64_t bits() {
    std::uint64_t all = 0;
    for (Operand* operand : all_) all = all * 31 + operand->bits();
    return all;
  }

  std::vector<Transfer> transfers() {
    std::vector<Transfer> all;
    for (Operand* operand : all_) {
      if (const Transfer t = operand->transfer(); t.bytes > 0 && (t.in || t.out)) all.push_back(t);
    }
    return all;
  }

 private:
  friend Operand;
  Context& ctx_;
  std::vector<Operand*> all_;
};
inline Operand::Operand(Operands& all) { all.all_.push_back(this); }

/// Values that a call reads and must not change.
template <class T>
class Input : public Operand {
 public:
  /// `offset`: elements between an aligned address and the first one.
  Input(Operands& all, std::int64_t size, int offset = 0, const char* name = "")
      : Operand(all),
        values(static_cast<std::size_t>(size)),
        buffer_(all.context(), size, offset),
        name_(name) {}
  Input(Operands& all, std::vector<T> given, int offset = 0, const char* name = "")
      : Input(all, static_cast<std::int64_t>(given.size()), offset, name) {
    values = std::move(given);
  }

  std::vector<T> values;
  /// Copied for a call. A search index that lies there is not, nor what the call does not read.
  bool sent = true;

  T* data() { return buffer_.data(); }
  std::int64_t size() const { return static_cast<std::int64_t>(values.size()); }
  GuardedBuffer<T>& buffer() { return buffer_; }
  /// From now on the call may write here: an Output in place checks what it finds.
  void becomes_output() { may_change_ = true; }

  void reset() override { buffer_.upload(values); }
  Verdict check() override {
    if (const std::string damage = buffer_.damage(); !damage.empty()) return Verdict::wrong(damage);
    if (may_change_ || values.empty()) return {};
    if (std::memcmp(buffer_.contents().data(), values.data(), values.size() * sizeof(T)) == 0) return {};
    return Verdict::wrong(std::string("changed its input") + (*name_ ? " " : "") + name_);
  }
  std::uint64_t bits() override { return buffer_.bits(); }
  Transfer transfer() override { return {data(), values.size() * sizeof(T), sent, may_change_}; }

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
  Output(Operands& all, std::int64_t size, int offset = 0, Input<T>* place_of = nullptr)
      : Operand(all),
        results(place_of ? 0 : size),
        place_of_(place_of),
        buffer_(all.context(), place_of ? 0 : size, offset) {
    if (place_of) place_of->becomes_output();
  }

  /// How many of its first elements a caller copies; those in place of an input are copied with it.
  std::int64_t results;
  /// What is right: empty where the operation compares in its own way.
  std::vector<T> want;
  /// The largest error allowed for each element; empty: all must be exact.
  std::vector<double> bounds;
  Same same = Same::value;

  T* data() { return target().data(); }
  Contents<T> contents() { return target().contents(); }

  void reset() override { buffer_.poison(); }  // empty in place, but its guard zones are checked too
  Verdict check() override {
    Verdict verdict;
    if (!want.empty()) verdict = compare<T>(contents(), want, bounds, same);
    if (const std::string damage = buffer_.damage(); !damage.empty()) verdict.include(Verdict::wrong(damage));
    return verdict;
  }
  std::uint64_t bits() override { return buffer_.bits(); }
  Transfer transfer() override {
    return {buffer_.data(), static_cast<std::size_t>(results) * sizeof(T), false, true};
  }

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
               double allowed = 0)
      : LargeOperand(all, Array<T>(all.context(), size), nullptr, size, before, after, allowed) {}
  LargeOperand(Operands& all, std::int64_t size, const ClosedForm<T>& input)
      : LargeOperand(all, size, &input, input) {}
  /// The same in memory of the caller's, where several of them may lie.
  LargeOperand(Operands& all, T* memory, std::int64_t size, const ClosedForm<T>* before,
               const ClosedForm<T>& after)
      : LargeOperand(all, Array<T>(all.context(), 0), memory, size, before, after, 0) {}
  T* data() { return data_; }
  std::int64_t size() const { return size_; }

  void reset() override {
    if (before_)
      fill_by_form(ctx_, data_, size_, *before_);
    else
      ctx_.fill(data_, 0xFF, static_cast<std::size_t>(size_) * sizeof(T));
  }
  Verdict check() override { return check_by_form(ctx_, data_, size_, after_, allowed_); }
  std::uint64_t bits() override {
    std::vector<T> values(static_cast<std::size_t>(size_));
    ctx_.copy(values.data(), data_, values.size() * sizeof(T));
    ctx_.synchronize();
    return bits_of<T>(values);
  }

 private:
  LargeOperand(Operands& all, Array<T> own, T* memory, std::int64_t size, const ClosedForm<T>* before,
               const ClosedForm<T>& after, double allowed)
      : Operand(all),
        ctx_(all.context()),
        own_(std::move(own)),
        data_(memory ? memory : own_.data()),
        size_(size),
        after_(ctx_, after),
        allowed_(allowed) {
    if (before) before_.emplace(ctx_, *before);
  }

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
