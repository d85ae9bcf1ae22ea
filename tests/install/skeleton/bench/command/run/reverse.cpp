// tandem run reverse

#include "bench/command/run/run.h"
#include "lib/ops/reverse/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, use;
};

void run_reverse(const Options& options) {
  const InputArray in = read_array(options.in, 1);
  Context ctx = context_for(options.use);
  for_case_of<Reverse>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    Array<T> y(ctx, x.size());
    reverse(ctx, x, y, {options.use});
    write_result(options.out, in.format, in.shape, y);
  });
  say_done(ctx, "reverse", in.str(), options.out);
}

void add_reverse(Command run) {
  static Options options;
  const auto sub = run.subcommand("reverse", Reverse::meaning);
  add_file(sub, "--in", options.in, "Array of rank 1 (.npy; - is standard input)").required();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run reverse --in x.npy --out y.npy");
  sub.callback([] { run_reverse(options); });
}

const bool added = add_run_command(add_reverse);

}  // namespace
}  // namespace tandem::command
