// tandem run transform

#include "bench/command/run/run.h"
#include "lib/ops/transform/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string f, alpha, out, use;
};

// The function itself, axpy's with its scalar.
template <class C>
typename C::F function_of(const Options& options) {
  const bool wants_alpha = C::id.op == OperatorId::axpy;
  if (wants_alpha == options.alpha.empty()) {
    throw InvalidArgument(fmt::format(
        "--alpha {}", wants_alpha ? "is missing; axpy needs it" : "is given, but only axpy takes it"));
  }
  if constexpr (C::id.op == OperatorId::axpy)
    return {parse_number<typename C::T>(options.alpha, "--alpha")};
  else
    return {};
}

void run_transform(const Options& options) {
  std::vector<InputArray> in;
  for (const std::string& file : options.inputs) {
    in.push_back(read_array(file, 1));
    if (in.back().type != in[0].type) {
      throw BadFile(in.back().file, fmt::format("holds {}, but {} holds {}; all inputs need one type",
                                                name(in.back().type), in[0].file, name(in[0].type)));
    }
  }
  Context ctx = context_for(options.use);
  for_case_of<Transform>(in[0].file, in[0].type, parse_operator(options.f), [&]<class C>() {
    using T = typename C::T;
    if (in.size() != C::kInputs) {
      throw InvalidArgument(
          fmt::format("--in is given {} times; {} takes {} inputs", in.size(), options.f, C::kInputs));
    }
    std::vector<Array<T>> x;
    for (const InputArray& array : in) x.emplace_back(ctx, array.as<T>());
    Array<T> z(ctx, x[0].size());
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      transform(ctx, function_of<C>(options), zip(x[k]...), z, {options.use});
    }
    (std::make_index_sequence<C::kInputs>{});
    write_result(options.out, in[0].format, in[0].shape, z);
  });
  std::vector<std::string> inputs;
  for (const InputArray& array : in) inputs.push_back(array.str());
  say_done(ctx, "transform " + options.f, fmt::format("{}", fmt::join(inputs, ", ")), options.out);
}

void add_transform(Command run) {
  static Options options;
  const auto sub = run.subcommand("transform", Transform::meaning);
  sub.option("--in", options.inputs,
             "Array of rank 1 (.npy; - is standard input), once for each input of the function")
      .type_name(kFile)
      .required();
  sub.option("--f", options.f, "negate, square, plus, axpy, multiply_add, dot2")
      .type_name(kOperator)
      .required();
  sub.option("--alpha", options.alpha, "Scalar of axpy").check(not_empty);
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run transform --f axpy --alpha 2 --in x.npy --in y.npy --out z.npy");
  sub.callback([] { run_transform(options); });
}

const bool added = add_run_command(add_transform);

}  // namespace
}  // namespace tandem::command
