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
  const NpyArray file = read_vector(path);
  if (file.type != Type::i64) throw BadFile(path, fmt::format("holds {}; offsets are i64", name(file.type)));
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
  std::vector<NpyArray> in;
  for (const std::string* file : files) {
    in.push_back(read_npy(*file));
    const NpyArray& first = in[0];
    if (in.back().shape != first.shape || in.back().type != first.type || first.shape.empty() ||
        first.shape.size() > 2) {
      throw BadFile(*file,
                    fmt::format("holds {} of shape ({}); all four arrays must have one type and one shape of "
                                "rank 1 or 2, here {} of shape ({})",
                                name(in.back().type), fmt::join(in.back().shape, ", "), name(first.type),
                                fmt::join(first.shape, ", ")));
    }
  }
  if (!options.offsets.empty() && in[0].shape.size() != 1) {
    throw BadFile(options.lower,
                  fmt::format("holds an array of shape ({}); with --offsets its rank must be 1",
                              fmt::join(in[0].shape, ", ")));
  }
  const std::int64_t rows = in[0].shape.size() == 2 ? in[0].shape[0] : 1, cols = in[0].shape.back();
  Systems systems = options.layout == "interleaved" ? interleaved(rows, cols) : contiguous(cols, rows);
  if (in[0].shape.size() == 1) systems = contiguous(cols, 1);
  systems.pivot = options.pivot;
  Context ctx = context_for(options.use);
  for_case_of<Tridiagonal>(options.lower, in[0].type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    std::vector<Array<T>> arrays;
    for (const NpyArray& array : in) arrays.emplace_back(ctx, array.as<T>());
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
    const std::vector<T> x = arrays[3].to_vector();
    write_npy(options.out, in[0].type, in[0].shape, std::as_bytes(std::span<const T>(x)));
  });
}

void add_tridiagonal(CLI::App& run) {
  static Options options;
  auto* sub = run.add_subcommand("tridiagonal", Tridiagonal::meaning);
  sub->add_option("--lower", options.lower, "Lower diagonals (.npy); the first of each system is not read")
      ->required();
  sub->add_option("--diag", options.diag, "Diagonals, of the same shape")->required();
  sub->add_option("--upper", options.upper, "Upper diagonals; the last of each system is not read")
      ->required();
  sub->add_option("--rhs", options.rhs, "Right-hand sides")->required();
  sub->add_option("--layout", options.layout,
                  "contiguous: a row per system; interleaved: a column per system")
      ->check(CLI::IsMember({"contiguous", "interleaved"}))
      ->capture_default_str();
  sub->add_option("--offsets", options.offsets,
                  "Systems of different lengths, in arrays of rank 1: system s has rows offsets[s] … "
                  "offsets[s+1] - 1 (.npy, i64)");
  sub->add_flag("--pivot", options.pivot, "Rows may have to be exchanged");
  sub->add_option("--out", options.out, "Where the solutions go (.npy)")->required();
  add_use(sub, options.use);
  sub->footer(
      "Example: tandem run tridiagonal --lower a.npy --diag b.npy --upper c.npy --rhs d.npy --layout "
      "interleaved --out "
      "x.npy");
  sub->callback([] { run_tridiagonal(options); });
}

const bool added = add_run_command(add_tridiagonal);

}  // namespace
}  // namespace tandem::command
