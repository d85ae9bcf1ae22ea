#pragma once
// Data past 2^31 elements: too much for a second copy, so every element follows from its index. Buffers are
// filled and checked where they lie, on a device by kernels.

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "lib/harness/compare.h"
#include "tandem/array.h"

namespace tandem {

/// The value of each element of a matrix in memory, in lines of `ld` elements: that in line i, column j, is
/// first[(a·i + b·j + c) % |first|] · second[(d·i + e·j) % |second|] + rise·j + climb·i. Tables of a prime length
/// tell an index apart from one that lost its high bits.
template <class T>
struct ClosedForm {
  std::vector<T> first;
  std::int64_t a = 0, b = 1, c = 0;
  std::vector<T> second = {T(1)};
  std::int64_t d = 0, e = 0;
  std::int64_t ld = std::numeric_limits<std::int64_t>::max();
  std::int64_t rise = 0, climb = 0;
};

/// Small whole numbers, `size` of them.
template <class T>
std::vector<T> small_numbers(std::int64_t size, std::int64_t seed = 0) {
  std::vector<T> table;
  for (std::int64_t q = 0; q < size; ++q) table.push_back(static_cast<T>((37 * q + 11 * seed) % 17 - 8));
  return table;
}

/// 0, 1, 2, …
template <class T>
ClosedForm<T> rising_form() {
  ClosedForm<T> form{{T(0)}};
  form.rise = 1;
  return form;
}
/// Lines of `repeats` equal elements: 0, 1, … from line to line; or the same backwards, to 0.
template <class T>
ClosedForm<T> rising_lines(std::int64_t repeats) {
  ClosedForm<T> form{{T(0)}};
  form.ld = repeats, form.climb = 1;
  return form;
}
template <class T>
ClosedForm<T> falling_lines(std::int64_t lines, std::int64_t repeats) {
  ClosedForm<T> form{{static_cast<T>(lines - 1)}};
  form.ld = repeats, form.climb = -1;
  return form;
}
/// Where the elements of rising lines are that a stable sort puts first when the largest come first: the lines from the
/// last to the first, each in its order.
template <class T>
ClosedForm<T> places_from_last_line(std::int64_t lines, std::int64_t repeats) {
  ClosedForm<T> form{{static_cast<T>((lines - 1) * repeats)}};
  form.ld = repeats, form.rise = 1, form.climb = -repeats;
  return form;
}

/// The types that have one.
#define TANDEM_FORM_TYPES(ROW) \
  ROW(float)                   \
  ROW(double)                  \
  ROW(half)                    \
  ROW(bfloat16)                \
  ROW(std::int32_t)            \
  ROW(std::int64_t)            \
  ROW(std::int8_t)             \
  ROW(std::uint32_t)           \
  ROW(std::uint64_t)           \
  ROW(std::uint8_t)
#define TANDEM_ROW(Form) || std::is_same_v<T, Form>
template <class T>
inline constexpr bool has_form = false TANDEM_FORM_TYPES(TANDEM_ROW);
#undef TANDEM_ROW

/// The same as kernels see it.
template <class T>
struct FormView {
  using Value = T;
  const T *first, *second;
  std::int64_t first_size, second_size, a, b, c, d, e, ld, rise, climb;
  TANDEM_HD T operator()(std::int64_t index) const {
    const std::int64_t i = index / ld, j = index % ld;
    return static_cast<T>(first[(a * (i % first_size) + b * (j % first_size) + c) % first_size] *
                              second[(d * (i % second_size) + e * (j % second_size)) % second_size] +
                          static_cast<T>(rise * j + climb * i));
  }
};

/// How many elements are wrong, and the first of them.
struct Mismatches {
  std::uint64_t count, first;
};
/// Off by more than `allowed`, or NaN; where nothing is allowed, different at all: whole numbers above 2^53 may be one double.
template <class T>
TANDEM_HD bool mismatch(T got, T want, double allowed) {
  const double error = static_cast<double>(got) - static_cast<double>(want);
  return got != want && !(allowed > 0 && (error < 0 ? -error : error) <= allowed);
}

/// A form with its tables where a context computes.
template <class T>
class PlacedForm {
 public:
  PlacedForm(Context& ctx, const ClosedForm<T>& form)
      : first_(ctx, form.first), second_(ctx, form.second), view_{first_.data(), second_.data(),
                                                                  first_.size(), second_.size(),
                                                                  form.a,        form.b,
                                                                  form.c,        form.d,
                                                                  form.e,        form.ld,
                                                                  form.rise,     form.climb} {}
  const FormView<T>& view() const { return view_; }

 private:
  Array<T> first_, second_;
  FormView<T> view_;
};

/// Gives every element the value of its form, on all threads or on the device.
template <class T>
TANDEM_API void fill_by_form(Context& ctx, T* values, std::int64_t n, const PlacedForm<T>& form);
/// Wrong where an element is off by more than `allowed` from what `view`, a FormView or a SequenceView
/// (random_sequence.h), says of its index.
template <class View>
TANDEM_API Verdict check_by_view(Context& ctx, const typename View::Value* values, std::int64_t n,
                                 const View& view, double allowed);

namespace detail {  // closed_form.cu
template <class T>
void fill_on_device(Context& ctx, T* data, std::int64_t n, FormView<T> form);
template <class View>
Mismatches check_on_device(Context& ctx, const typename View::Value* data, std::int64_t n, View view,
                           double allowed);
}  // namespace detail

}  // namespace tandem
