// tandem run segmented_reduce

#include "bench/command/run/segments.h"
#include "lib/ops/segmented_reduce/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, op = "plus", use;
  SegmentOptions segments;
};

void run_segmented_reduce(const Options& options) {
  if (options.segments.offsets.empty() == (options.segments.length == 0))
    throw InvalidArgument("one of --offsets and --length says where segments lie");
  const InputArray in = read_array(options.in, 1);
  Context ctx = context_for(options.use);
  for_case_of<SegmentedReduce>(in.file, in.type, parse_operator(options.op), [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    const Segments segments = options.segments.of(ctx, x.size(), in.file);
    Array<typename C::Acc> y(ctx, segments.count());
    segmented_reduce(ctx, x, segments, y, typename C::Op{}, {.use = options.use});
    write_result(options.out, in.format, std::vector{segments.count()}, y);
  });
  say_done(ctx, fmt::format("segmented_reduce {}", options.op), in.str(), options.out);
}

void add_segmented_reduce(Command run) {
  static Options options;
  const auto sub = run.subcommand("segmented_reduce", SegmentedReduce::meaning);
  add_file(sub, "--in", options.in, "Array of rank 1 (.npy; - is standard input)").required();
  add_file(sub, "--out", options.out, "Where the results go (.npy; - is standard output)").required();
  options.segments.add(sub, "Segment s is elements offsets[s] … offsets[s+1] - 1 (.npy, i64)");
  sub.option("--op", options.op, "plus, minimum or maximum").show_default();
  add_use(sub, options.use);
  sub.footer(
      "Example: tandem run segmented_reduce --in x.npy --offsets o.npy --out y.npy\n"
      "Example: tandem run segmented_reduce --in x.npy --length 32 --op maximum --out y.npy");
  sub.callback([] { run_segmented_reduce(options); });
}

const bool added = add_run_command(add_segmented_reduce);

}  // namespace
}  // namespace tandem::command
