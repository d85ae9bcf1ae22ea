// tandem run transform

#include "bench/command/run/run.h"
#include "lib/ops/transform/contract.h"

namespace tandem::command {
namespace {

/// What a call takes: integers wrap, so that those without a sign are computed as those with one.
struct Callable {
  static constexpr const char* name = Transform::name;
  using Cases = Joined<Transform::Cases, Transform::Six<std::uint32_t>, Transform::Six<std::uint64_t>>;
};

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
    in.push_back(read_array(file));
    if (in.back().type != in[0].type) {
      throw BadFile(in.back().file, fmt::format("holds {}, but {} holds {}; all inputs need one type",
                                                name(in.back().type), in[0].file, name(in[0].type)));
    }
    if (in.back().shape != in[0].shape) {
      throw BadFile(in.back().file,
                    fmt::format("holds an array of shape ({}), {} one of ({}); all inputs need one shape",
                                fmt::join(in.back().shape, ", "), in[0].file, fmt::join(in[0].shape, ", ")));
    }
    in.back().put_in_order(in[0].format.fortran_order);
  }
  Context ctx = context_for(options.use);
  for_case_of<Callable>(in[0].file, in[0].type, parse_operator(options.f), [&]<class C>() {
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
             "Array (.npy; - is standard input), once for each input of the function; all of one shape")
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
