// tandem run tridiagonal

#include "bench/command/run/run.h"
#include "lib/ops/tridiagonal/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string lower, diag, upper, rhs, layout = "contiguous", offsets, out, use;
  bool pivot = false;
};

// Ascending from 0 or more, up to `rows`: a device is not told of others in time.
std::vector<std::int64_t> offsets_of(const std::string& path, std::int64_t rows) {
  const InputArray file = read_array(path, 1);
  if (file.type != Type::i64)
    throw BadFile(file.file, fmt::format("holds {}; offsets are i64", name(file.type)));
  const auto offsets = file.as<std::int64_t>();
  std::int64_t least = 0;
  for (std::size_t s = 0; s < offsets.size(); ++s) {
    if (offsets[s] < least || offsets[s] > rows) {
      throw BadFile(path, fmt::format("offset {} is {}; it must be from {} to {}, as each system has a row",
                                      s, offsets[s], least, rows));
    }
    least = offsets[s] + 1;
  }
  return {offsets.begin(), offsets.end()};
}

// The arrays are matrices: a row per system (contiguous), or a column per system (interleaved). Vectors are
// one system, or with offsets a list of systems of different lengths.
void run_tridiagonal(const Options& options) {
  const std::string* files[] = {&options.lower, &options.diag, &options.upper, &options.rhs};
  std::vector<InputArray> in;
  for (const std::string* file : files) {
    in.push_back(read_array(*file));
    const InputArray& first = in[0];
    if (first.shape.size() == 2 && in.back().format.fortran_order != first.format.fortran_order) {
      throw BadFile(in.back().file,
                    fmt::format("is in {} order; all four arrays must be in one order, as {} is",
                                first.format.fortran_order ? "C" : "Fortran", first.file));
    }
    if (in.back().shape != first.shape || in.back().type != first.type || first.shape.empty() ||
        first.shape.size() > 2) {
      throw BadFile(in.back().file,
                    fmt::format("holds {} of shape ({}); all four arrays must have one type and one shape of "
                                "rank 1 or 2, here {} of shape ({})",
                                name(in.back().type), fmt::join(in.back().shape, ", "), name(first.type),
                                fmt::join(first.shape, ", ")));
    }
  }
  if (!options.offsets.empty() && in[0].shape.size() != 1) {
    throw BadFile(in[0].file, fmt::format("holds an array of shape ({}); with --offsets its rank must be 1",
                                          fmt::join(in[0].shape, ", ")));
  }
  // As they lie: in Fortran order columns are contiguous, and the layouts change places.
  const std::vector<std::int64_t> extents = in[0].extents();
  const std::int64_t rows = extents.size() == 2 ? extents[0] : 1, cols = extents.back();
  const bool rows_are_systems = (options.layout == "contiguous") != in[0].format.fortran_order;
  Systems systems =
      rows_are_systems || extents.size() == 1 ? contiguous(cols, rows) : interleaved(rows, cols);
  systems.pivot = options.pivot;
  Context ctx = context_for(options.use);
  for_case_of<Tridiagonal>(in[0].file, in[0].type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    std::vector<Array<T>> arrays;
    for (const InputArray& array : in) arrays.emplace_back(ctx, array.as<T>());
    const auto solve = [&](const auto& batch) {
      tridiagonal(ctx, arrays[0], arrays[1], arrays[2], arrays[3], arrays[3], batch, {options.use});
    };
    if (options.offsets.empty()) {
      solve(systems);
    } else {
      const Array<std::int64_t> offsets(ctx, offsets_of(options.offsets, cols));
      SystemList list = system_list(offsets);
      list.pivot = options.pivot;
      solve(list);
    }
    write_result(options.out, in[3].format, in[3].shape, arrays[3]);
  });
  say_done(ctx, "tridiagonal", in[3].str(), options.out);
}

void add_tridiagonal(Command run) {
  static Options options;
  const auto sub = run.subcommand("tridiagonal", Tridiagonal::meaning);
  add_file(sub, "--lower", options.lower, "Lower diagonals (.npy); the first of each system is not read")
      .required();
  add_file(sub, "--diag", options.diag, "Diagonals, of the same shape").required();
  add_file(sub, "--upper", options.upper, "Upper diagonals; the last of each system is not read").required();
  add_file(sub, "--rhs", options.rhs, "Right-hand sides").required();
  sub.option("--layout", options.layout, "contiguous: a row per system; interleaved: a column per system")
      .one_of({"contiguous", "interleaved"})
      .show_default();
  add_file(sub, "--offsets", options.offsets,
           "Systems of different lengths, in arrays of rank 1: system s has rows offsets[s] … "
           "offsets[s+1] - 1 (.npy, i64)");
  sub.flag("--pivot", options.pivot, "Rows may have to be exchanged");
  add_file(sub, "--out", options.out, "Where the solutions go (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer(
      "Example: tandem run tridiagonal --lower a.npy --diag b.npy --upper c.npy --rhs d.npy --layout "
      "interleaved --out "
      "x.npy");
  sub.callback([] { run_tridiagonal(options); });
}

const bool added = add_run_command(add_tridiagonal);

}  // namespace
}  // namespace tandem::command
