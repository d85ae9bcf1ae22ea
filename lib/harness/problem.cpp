#include "lib/harness/problem.h"

#include <algorithm>

#include "lib/harness/digest.h"
#include "lib/ops/intersect/packed_list.h"

namespace tandem {
namespace {

template <class T>
std::uint64_t bits_in([[maybe_unused]] Context& ctx, GuardedBuffer<T>& buffer) {
#ifdef TANDEM_HAS_DEVICE
  if (ctx.place() == Place::device)
    return detail::digest_on_device(ctx, buffer.data(), buffer.bytes(), std::min<std::size_t>(8, sizeof(T)));
#endif
  return bits_of<T>(buffer.contents());
}

}  // namespace

Operand::Operand(Operands& all) { all.all_.push_back(this); }

void Operands::reset() {
  for (Operand* operand : all_) operand->reset();
}

void Operands::again() {
  for (Operand* operand : all_) operand->again();
}

Verdict Operands::check_operands() {
  Verdict verdict;
  for (Operand* operand : all_) verdict.include(operand->check());
  return verdict;
}

std::uint64_t Operands::bits() {
  std::uint64_t all = 0;
  for (Operand* operand : all_) all = all * 31 + operand->bits(ctx_);
  return all;
}

std::vector<Transfer> Operands::transfers() {
  std::vector<Transfer> all;
  for (Operand* operand : all_) {
    if (const Transfer t = operand->transfer(); t.bytes > 0 && (t.in || t.out)) all.push_back(t);
  }
  return all;
}

// --- Input

template <class T>
Input<T>::Input(Operands& all, std::int64_t size, int offset, const char* name)
    : Operand(all),
      values(static_cast<std::size_t>(size)),
      buffer_(all.context(), size, offset),
      name_(name) {}

template <class T>
Input<T>::Input(Operands& all, std::vector<T> given, int offset, const char* name)
    : Input(all, static_cast<std::int64_t>(given.size()), offset, name) {
  values = std::move(given);
}

template <class T>
Input<T>::~Input() = default;

template <class T>
void Input<T>::reset() {
  buffer_.upload(values);
}

template <class T>
Verdict Input<T>::check() {
  if (const std::string damage = buffer_.damage(); !damage.empty()) return Verdict::wrong(damage);
  if (may_change_ || values.empty()) return {};
  if (std::memcmp(buffer_.contents().data(), values.data(), values.size() * sizeof(T)) == 0) return {};
  return Verdict::wrong(std::string("changed its input") + (*name_ ? " " : "") + name_);
}

template <class T>
void Input<T>::again() {
  if (may_change_) reset();
}

template <class T>
std::uint64_t Input<T>::bits(Context& ctx) {
  return bits_in(ctx, buffer_);
}

template <class T>
Transfer Input<T>::transfer() {
  return {data(), values.size() * sizeof(T), sent, may_change_};
}

// --- Output

template <class T>
Output<T>::Output(Operands& all, std::int64_t size, int offset, Input<T>* place_of)
    : Operand(all),
      results(place_of ? 0 : size),
      place_of_(place_of),
      buffer_(all.context(), place_of ? 0 : size, offset) {
  if (place_of) place_of->becomes_output();
}

template <class T>
Output<T>::~Output() = default;

template <class T>
void Output<T>::reset() {
  buffer_.poison();  // empty in place, but its guard zones are checked too
}

template <class T>
Verdict Output<T>::check() {
  Verdict verdict;
  if (!want.empty()) verdict = compare<T>(contents(), want, bounds, same);
  if (const std::string damage = buffer_.damage(); !damage.empty()) verdict.include(Verdict::wrong(damage));
  return verdict;
}

template <class T>
std::uint64_t Output<T>::bits(Context& ctx) {
  return bits_in(ctx, buffer_);
}

template <class T>
Transfer Output<T>::transfer() {
  return {buffer_.data(), static_cast<std::size_t>(results) * sizeof(T), false, true};
}

// --- LargeOperand

template <class T>
LargeOperand<T>::LargeOperand(Operands& all, std::int64_t size, const ClosedForm<T>* before,
                              const ClosedForm<T>& after, double allowed)
    : LargeOperand(all, Array<T>(all.context(), size), nullptr, size, before, after, allowed) {}

template <class T>
LargeOperand<T>::LargeOperand(Operands& all, std::int64_t size, const ClosedForm<T>& input)
    : LargeOperand(all, size, &input, input) {}

template <class T>
LargeOperand<T>::LargeOperand(Operands& all, T* memory, std::int64_t size, const ClosedForm<T>* before,
                              const ClosedForm<T>& after)
    : LargeOperand(all, Array<T>(all.context(), 0), memory, size, before, after, 0) {}

template <class T>
LargeOperand<T>::LargeOperand(Operands& all, Array<T> own, T* memory, std::int64_t size,
                              const ClosedForm<T>* before, const ClosedForm<T>& after, double allowed)
    : Operand(all),
      ctx_(all.context()),
      own_(std::move(own)),
      data_(memory ? memory : own_.data()),
      size_(size),
      after_(ctx_, after),
      allowed_(allowed) {
  if (before) before_.emplace(ctx_, *before);
}

template <class T>
LargeOperand<T>::~LargeOperand() = default;

template <class T>
void LargeOperand<T>::reset() {
  if (before_)
    fill_by_form(ctx_, data_, size_, *before_);
  else
    ctx_.fill(data_, 0xFF, static_cast<std::size_t>(size_) * sizeof(T));
}

template <class T>
Verdict LargeOperand<T>::check() {
  return check_by_view(ctx_, data_, size_, after_.view(), allowed_);
}

template <class T>
std::uint64_t LargeOperand<T>::bits(Context&) {
  std::vector<T> values(static_cast<std::size_t>(size_));
  ctx_.copy(values.data(), data_, values.size() * sizeof(T));
  ctx_.synchronize();
  return bits_of<T>(values);
}

// --- every type of elements

#define TANDEM_ROW(name, T, ...) \
  template class Input<T>;       \
  template class Output<T>;
TANDEM_ELEMENT_TYPES(TANDEM_ROW)
TANDEM_ROW(bicyclic, Bicyclic)
#undef TANDEM_ROW
template class Input<Quad>;

#define TANDEM_ROW(T) template class LargeOperand<T>;
TANDEM_FORM_TYPES(TANDEM_ROW)
#undef TANDEM_ROW

}  // namespace tandem
