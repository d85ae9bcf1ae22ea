// tandem run: one operation on real files. The operations are in run/.

#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench/command/run/run.h"
#include "common/terminal.h"

namespace tandem::command {
namespace {
std::vector<void (*)(Command)>& commands() {
  static std::vector<void (*)(Command)> instance;
  return instance;
}
}  // namespace

bool add_run_command(void (*add)(Command run)) {
  commands().push_back(add);
  return true;
}

Context context_for(const std::string& use) {
  const auto found = use.empty() ? std::vector<const Implementation*>{} : matching(use);
  const bool host = std::any_of(found.begin(), found.end(), [&](const auto* i) {
    return i->place != Place::device && i->name.ends_with(use);
  });
  return host ? Context::host() : Context();
}

Option add_file(Command op, const char* option, std::string& file, const std::string& help) {
  return op.option(option, file, help).type_name(kFile);
}

void add_use(Command op, std::string& use) {
  op.option("--use", use, "Implementation by its full or partial name; see: tandem list")
      .type_name(kImplementation);
}

void add_array_options(Command op, ArrayOptions& options) {
  add_file(op, "--in", options.in, "Array (.npy); - is standard input").required();
  op.option("--op", options.op, "Operator: " + operators_of(operation(op.name())))
      .type_name(kOperator)
      .show_default();
  op.option("--axis", options.axis,
            "Along this axis: 0 is the first, -1 the last; needed unless the rank is 1")
      .type_name("INT")
      .check(not_empty);
  add_use(op, options.use);
}

Axis axis_of(const InputArray& in, const ArrayOptions& options) {
  const std::vector<std::int64_t> extents = in.extents();
  const int rank = static_cast<int>(extents.size());
  if (options.axis.empty()) {
    if (rank != 1) {
      throw BadFile(
          in.file,
          fmt::format("holds an array of rank {}; rank 1 is needed, or --axis says along which", rank));
    }
    return {0, 1, extents[0], 1};
  }
  if (rank == 0) throw BadFile(in.file, "holds a single value, which has no axis");
  int axis = parse_number<int>(options.axis, "--axis", -rank, rank - 1);
  if (axis < 0) axis += rank;
  Axis result{axis};
  if (in.format.fortran_order) axis = rank - 1 - axis;
  bool fits = true;
  for (int d = 0; d < rank; ++d) {
    std::int64_t& part = d < axis ? result.outer : d > axis ? result.inner : result.n;
    fits &= !__builtin_mul_overflow(part, extents[static_cast<std::size_t>(d)], &part);
  }
  std::int64_t lines;  // of an empty array there may be any number
  if (!fits || __builtin_mul_overflow(result.outer, result.inner, &lines))
    throw BadFile(in.file, fmt::format("has more than 2^63 lines along axis {}", options.axis));
  return result;
}
std::string along(const ArrayOptions& options) {
  return options.axis.empty() ? "" : fmt::format(" along axis {}", options.axis);
}

void write_result(const std::string& path, NpyFormat format, Type type, std::span<const std::int64_t> shape,
                  std::span<const std::byte> data) {
  if (path != "-") return write_npy(path, type, shape, data, format);
  const std::string content = npy_content(type, shape, data, format);
  std::fwrite(content.data(), 1, content.size(), stdout);
}

void write_from_c_order(const std::string& path, NpyFormat format, Type type,
                        std::span<const std::int64_t> shape, std::span<const std::byte> data) {
  if (!format.fortran_order) return write_result(path, format, type, shape, data);
  write_result(path, format, type, shape,
               axes_reversed(data, size_of(type) * (format.complex ? 2 : 1), shape));
}

void say_done(const Context& ctx, const std::string& what, const std::string& in, const std::string& out) {
  const bool to_stdout = out.empty() || out == "-";
  const LastCall call = ctx.last();
  const std::string by =
      call.implementation.empty() ? "nothing to do" : fmt::format("{} ({})", call.implementation, call.why);
  const std::string line =
      terminal::printable(fmt::format("{}: {} -> {}; {}", what, in, to_stdout ? "standard output" : out, by));
  std::fputs((line + "\n").c_str(), to_stdout ? stderr : stdout);  // a closed stderr is no error
}

void add_run(Command app) {
  const auto sub = app.subcommand("run", "One operation on .npy files");
  sub.require_subcommand();
  sub.footer(
      "Arrays are read in C or Fortran order, of either byte order, and results are written in the same way. "
      "The file "
      "- is standard input or standard output. What was done is said in a line.\n"
      "Example: tandem run scan --in - --axis 0 --out - <x.npy >sums.npy");
  for (const auto add : commands()) add(sub);
}

}  // namespace tandem::command
