#pragma once
// `tandem run OP`: each operation's file in this folder adds its own subcommand, found by globbing.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "bench/command/command.h"
#include "bench/terminal.h"
#include "common/options.h"
#include "common/terminal.h"
#include "lib/core/registry.h"
#include "tandem/tandem.h"

namespace tandem::command {

/// From each file, once: adds a subcommand to `run`.
bool add_run_command(void (*add)(Command run));

/// With --use …@simt the data stays on the host, where the executor computes.
Context context_for(const std::string& use);
/// An option that names a file.
Option add_file(Command op, const char* option, std::string& file, const std::string& help);
void add_use(Command op, std::string& use);

/// --in, --op, --axis and --use of operations over one array.
struct ArrayOptions {
  std::string in, out, op = "plus", axis, use;
};
void add_array_options(Command op, ArrayOptions& options);

/// An array as it lies, seen along one axis: outer blocks of n layers of inner elements.
struct Axis {
  int dimension = 0;  // which one of the shape
  std::int64_t outer = 1, n = 1, inner = 1;
  std::int64_t lines() const { return outer * inner; }
};
/// The axis of --axis, negative from the last; of an array of rank 1 it may be left out. Throws BadFile,
/// InvalidArgument.
Axis axis_of(const InputArray& in, const ArrayOptions& options);
/// "along axis 1" or nothing.
std::string along(const ArrayOptions& options);

/// out[o][i][j] = in[o][j][i] of outer blocks of rows × cols elements: lines along an axis become contiguous, or as
/// they were. O(size).
template <class T>
std::vector<T> exchanged(std::span<const T> in, std::int64_t outer, std::int64_t rows, std::int64_t cols) {
  std::vector<T> out(in.size());
  if (in.empty()) return out;  // there may be any number of empty lines
  auto to = out.begin();
  for (std::int64_t o = 0; o < outer; ++o) {
    const auto block = in.begin() + o * rows * cols;
    for (std::int64_t j = 0; j < cols; ++j) {
      for (std::int64_t i = 0; i < rows; ++i) *to++ = block[i * cols + j];
    }
  }
  return out;
}

/// Calls f.operator()<C>() for the contract's case of what the file holds.
template <class Contract, class F>
void for_case_of(const std::string& file, Type type, OperatorId op, F&& f) {
  if (for_case<Contract>({type, op}, f)) return;
  const std::string with = op == OperatorId::none ? "" : fmt::format(" with {}", name(op));
  std::vector<std::string_view> taken;
  Contract::Cases::for_each([&]<class C>() {
    if (C::id.op == op && C::id.type != kBicyclic) taken.push_back(name(C::id.type));
  });
  throw BadFile(
      file, fmt::format("holds {}, which {} does not take{}; it takes {}", name(type), Contract::name, with,
                        taken.empty() ? "other operators" : fmt::format("{}", fmt::join(taken, ", "))));
}

/// An element from the text of an argument. Throws InvalidArgument where its type cannot hold the number.
template <class T>
T parse_element(const std::string& text, const std::string& argument) {
  using A = accumulator_t<T>;
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, A>) {
    return parse_number<T>(text, argument);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(parse_number<A>(text, argument, Limits::min(), Limits::max()));
  } else {
    const A value = parse_number<A>(text, argument);
    const T element(value);
    if (std::isfinite(value) && !std::isfinite(static_cast<A>(element)))
      throw InvalidArgument(fmt::format("{} is '{}'; elements are {}, whose largest number is {:.6g}",
                                        argument, text, name(type_of<T>), static_cast<A>(Limits::max())));
    return element;
  }
}

/// Elements that lie in the order of `format` go to a .npy file, or to standard output ("-").
void write_result(const std::string& path, NpyFormat format, Type type, std::span<const std::int64_t> shape,
                  std::span<const std::byte> data);
template <class T>
void write_result(const std::string& path, NpyFormat format, std::span<const std::int64_t> shape,
                  const std::vector<T>& values) {
  write_result(path, format, type_of<T>, shape, std::as_bytes(std::span(values)));
}
template <class T>
void write_result(const std::string& path, NpyFormat format, std::span<const std::int64_t> shape,
                  const Array<T>& values) {
  write_result(path, format, shape, values.to_vector());
}

/// Elements in C order are put into that of `format`, and written.
void write_from_c_order(const std::string& path, NpyFormat format, Type type,
                        std::span<const std::int64_t> shape, std::span<const std::byte> data);
template <class T>
void write_from_c_order(const std::string& path, NpyFormat format, std::span<const std::int64_t> shape,
                        const Array<T>& values) {
  const std::vector<T> elements = values.to_vector();
  write_from_c_order(path, format, type_of<T>, shape, std::as_bytes(std::span(elements)));
}

/// Says in a line what was done, and what ran: "scan plus: x.npy f32 (8,) -> y.npy; scan/custom/threads (…)". On
/// standard error where the result went to standard output (`out` is "-" or empty).
void say_done(const Context& ctx, const std::string& what, const std::string& in, const std::string& out);

}  // namespace tandem::command
