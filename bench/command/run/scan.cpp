// tandem run scan

#include "bench/command/run/run.h"
#include "lib/ops/scan/contract.h"

namespace tandem::command {
namespace {

struct Options : ArrayOptions {
  std::string init;
  bool exclusive = false;
};

void run_scan(const Options& options) {
  const InputArray in = read_array(options.in);
  const Axis axis = axis_of(in, options);
  Context ctx = context_for(options.use);
  for_case_of<Scan>(in.file, in.type, parse_operator(options.op), [&]<class C>() {
    using T = typename C::T;
    if constexpr (!std::is_same_v<T, Bicyclic>) {
      const bool has_init = !options.init.empty();
      const T init = has_init ? parse_element<T>(options.init, "--init") : T{};
      const bool scattered = axis.inner > 1;
      Array<T> x = scattered ? Array<T>(ctx, exchanged(in.as<T>(), axis.outer, axis.n, axis.inner))
                             : Array<T>(ctx, in.as<T>());
      for (std::int64_t l = 0; l * axis.n < x.size(); ++l) {  // none of an empty array
        const View<T> line{x.data() + l * axis.n, axis.n};
        detail::scan(ctx, C::id, {line.data, line.size}, {line.data, line.size}, options.exclusive,
                     has_init ? &init : nullptr, {options.use});
      }
      std::vector<T> result = x.to_vector();
      if (scattered) result = exchanged(std::span<const T>(result), axis.outer, axis.inner, axis.n);
      write_result(options.out, in.format, in.shape, result);
    }
  });
  say_done(ctx, fmt::format("scan {}{}", options.op, along(options)), in.str(), options.out);
}

void add_scan(Command run) {
  static Options options;
  const auto sub = run.subcommand("scan", Scan::meaning);
  add_array_options(sub, options);
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  sub.flag("--exclusive", options.exclusive, "Leave x[i] out of out[i]");
  sub.option("--init", options.init, "Initial value; the operator's identity unless given").check(not_empty);
  sub.footer(
      "Example: tandem run scan --in x.npy --out y.npy --op maximum --exclusive --use custom/blelloch@simt");
  sub.callback([] { run_scan(options); });
}

const bool added = add_run_command(add_scan);

}  // namespace
}  // namespace tandem::command
