// tandem run intersect

#include "bench/command/run/run.h"
#include "bench/terminal.h"
#include "lib/ops/intersect/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string index, format = "ExpIndex", queries, out, use;
  bool count = false, packed = false;
};

// One line per query: its ids, or how many they are.
void run_intersect(const Options& options) {
  if (options.out != "-") require_writable(options.out);
  const Index index =
      read_index(options.index, options.format == "docs" ? IndexFormat::pisa_docs : IndexFormat::exp_index);
  const Queries queries = read_queries(options.queries, index);
  Context ctx = context_for(options.use);
  AnyIndex lists = index;
  if (options.packed) {
    const PackedIndex packed(index);
    const std::string sizes = fmt::format(
        "{} lists of {} ids: {:.1f} MB plain, {:.1f} MB packed, {:.1f} bits for an id\n", index.lists(),
        index.ids(), static_cast<double>(index.bytes()) * 1e-6, static_cast<double>(packed.bytes()) * 1e-6,
        static_cast<double>(packed.bytes()) * 8 /
            static_cast<double>(std::max<std::int64_t>(1, index.ids())));
    std::fputs(sizes.c_str(), stderr);
    lists = packed;
  }
  std::string text;
  if (options.count) {
    for (const std::uint64_t count : intersect_count(ctx, lists, queries, {options.use}))
      fmt::format_to(std::back_inserter(text), "{}\n", count);
  } else {
    intersect_each(ctx, lists, queries,
                   [&](std::int64_t, std::span<const std::uint32_t> ids) {
                     fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(ids, " "));
                   },
                   {options.use});
  }
  if (options.out == "-")
    fmt::print("{}", text);
  else
    write_file(options.out, text);
  say_done(ctx, "intersect", fmt::format("{} queries of {}", queries.size(), options.queries), options.out);
}

void add_intersect(Command run) {
  static Options options;
  const auto sub = run.subcommand("intersect", Intersect::meaning);
  add_file(sub, "--index", options.index, "Posting lists").required();
  sub.option("--format", options.format,
             "Of --index. ExpIndex: for each list its length and its ids, 32-bit words; docs: PISA's "
             "and ds2i's, "
             "the same behind the number of documents")
      .one_of({"ExpIndex", "docs"})
      .show_default();
  add_file(sub, "--queries", options.queries, "One query per line: list numbers from 0, separated by blanks")
      .required();
  sub.flag("--packed", options.packed,
           "Pack the lists first, say how large they are, and answer from the packed ones");
  sub.flag("--count", options.count, "Write how many ids each query has instead of the ids");
  add_file(sub, "--out", options.out,
           "Where the results go: a line of text for each query; - is standard output")
      .required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run intersect --index ExpIndex --queries ExpQuery --count --out counts.txt");
  sub.callback([] { run_intersect(options); });
}

const bool added = add_run_command(add_intersect);

}  // namespace
}  // namespace tandem::command
