// tandem run segmented_reduce

#include <limits>

#include "bench/command/run/run.h"
#include "lib/ops/segmented_reduce/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, offsets, out, op = "plus", use;
  std::int64_t length = 0;
};

/// By offsets, which the call checks, or of one length.
Segments segments_of(Context& ctx, const Options& options, std::int64_t n) {
  if (options.offsets.empty()) {
    if (n % options.length != 0) {
      throw InvalidArgument(fmt::format("--length is {}; it must divide {}, the number of elements of {}",
                                        options.length, n, options.in));
    }
    return Segments::equal(n / options.length, options.length);
  }
  const InputArray file = read_array(options.offsets, 1);
  if (file.type != Type::i64)
    throw BadFile(file.file, fmt::format("holds {}; offsets are i64", name(file.type)));
  return {ctx, file.as<std::int64_t>()};
}

void run_segmented_reduce(const Options& options) {
  if (options.offsets.empty() == (options.length == 0))
    throw InvalidArgument("one of --offsets and --length says where segments lie");
  const InputArray in = read_array(options.in, 1);
  Context ctx = context_for(options.use);
  for_case_of<SegmentedReduce>(in.file, in.type, parse_operator(options.op), [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    const Segments segments = segments_of(ctx, options, x.size());
    Array<T> y(ctx, segments.count());
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
  add_file(sub, "--offsets", options.offsets,
           "Segment s is elements offsets[s] … offsets[s+1] - 1 (.npy, i64)");
  sub.number("--length", options.length,
             "Segments of this length instead, which divides the number of elements", 1,
             std::numeric_limits<std::int64_t>::max())
      .default_str("");
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
