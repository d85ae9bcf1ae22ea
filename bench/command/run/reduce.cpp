// tandem run reduce

#include "bench/command/run/run.h"
#include "lib/core/host_memory.h"
#include "lib/ops/reduce/contract.h"
#include "tandem/segmented_reduce.h"

namespace tandem::command {
namespace {

void run_reduce(const ArrayOptions& options, Bits bits) {
  const InputArray in = read_array(options.in);
  const Axis axis = axis_of(in, options);
  std::vector<std::int64_t> shape = in.shape;
  if (options.axis.empty())
    shape.clear();
  else if (options.out.empty())
    throw InvalidArgument("--axis leaves an array: say where it goes, --out FILE (- is standard output)");
  else
    shape.erase(shape.begin() + axis.dimension);
  Context ctx = context_for(options.use);
  for_case_of<Reduce>(in.file, in.type, parse_operator(options.op), [&]<class C>() {
    using T = typename C::T;
    using Op = typename C::Op;
    using Acc = typename C::Acc;
    // By a path of reduce, line by line.
    const bool by_reduce = options.axis.empty() || !options.use.empty() || bits != Bits::own;
    const bool columns =
        !by_reduce && detail::reduces_segments<T, Op>() && axis.outer == 1 && axis.inner > 1 && axis.n > 0;
    const Array<T> x = axis.inner == 1 || columns
                           ? Array<T>(ctx, in.as<T>())
                           : Array<T>(ctx, exchanged(in.as<T>(), axis.outer, axis.n, axis.inner));
    // An empty array can have any number of lines.
    require_host_memory(fmt::format("{} results", axis.lines()),
                        2 * static_cast<double>(axis.lines()) * sizeof(Acc));
    Array<Acc> values(ctx, axis.lines());
    const auto reduce_lines = [&] {
      for (std::int64_t l = 0; l < axis.lines(); ++l) {
        reduce_into(ctx, View<const T>{x.data() + l * axis.n, axis.n}, View<Acc>{values.data() + l, 1}, Op{},
                    {.use = options.use, .bits = bits});
      }
    };
    if constexpr (detail::reduces_segments<T, Op>()) {
      if (by_reduce)
        reduce_lines();
      else if (columns)
        reduce_axis(ctx, matrix(x, axis.n, axis.inner), 0, values, Op{});
      else
        segmented_reduce(ctx, x, Segments::equal(axis.lines(), axis.n), values, Op{});
    } else {
      reduce_lines();
    }
    if (options.out.empty())
      fmt::print("{}\n", values.to_vector()[0]);
    else
      write_result(options.out, in.format, shape, values);
  });
  say_done(ctx, fmt::format("reduce {}{}", options.op, along(options)), in.str(), options.out);
}

void add_reduce(Command run) {
  static ArrayOptions options;
  static bool is_portable = false;
  const auto sub = run.subcommand("reduce", Reduce::meaning);
  add_array_options(sub, options);
  add_file(sub, "--out", options.out,
           "Write the result here (.npy; - is standard output) instead of printing it");
  sub.flag("--portable", is_portable, "The exact sum, rounded once: the same bits on every machine");
  sub.footer(
      "Example: tandem run reduce --in x.npy --op maximum\n"
      "Example: tandem run reduce --in matrix.npy --axis 0 --out sums.npy");
  sub.callback([] { run_reduce(options, is_portable ? portable : Bits::own); });
}

const bool added = add_run_command(add_reduce);

}  // namespace
}  // namespace tandem::command
