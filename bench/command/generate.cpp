// tandem generate: input files from a seed.

#include <fmt/format.h>

#include <filesystem>
#include <numeric>

#include "bench/command/command.h"
#include "bench/terminal.h"
#include "lib/harness/posting_collection.h"
#include "tandem/error.h"
#include "tandem/posting_files.h"

namespace tandem::command {
namespace {

struct Options {
  std::string like = "lab", out;
  std::uint64_t seed = 1;
};

void generate_postings(const Options& options) {
  const Collection collection =
      options.like == "lab" ? Collection::lab(options.seed) : Collection::small(options.seed);
  const auto lengths = collection.lengths();
  const std::uint64_t ids = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  const std::filesystem::path folder(options.out);
  const std::string index_file = (folder / "ExpIndex").string(), query_file = (folder / "ExpQuery").string();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw BadFile(options.out, "cannot be created: " + error.message());
  require_writable(index_file);
  require_writable(query_file);
  Progress progress;
  const Index index = collection.index(
      [&](std::int64_t done) { progress.show(fmt::format("list {} of {}", done, collection.lists)); });
  progress.show("writing " + index_file);
  write_index(index_file, index);
  write_queries(query_file, collection.random_queries());
  progress.show("");
  fmt::print("{}: {} lists of {} ids on average, {:.1f} MB\n{}: {} queries of {} lists\n", index_file,
             collection.lists, ids / lengths.size(), static_cast<double>(ids + lengths.size()) * 4e-6,
             query_file, collection.queries,
             collection.least_terms == collection.most_terms
                 ? std::to_string(collection.most_terms)
                 : fmt::format("{} to {}", collection.least_terms, collection.most_terms));
}

}  // namespace

void add_generate(Command app) {
  const auto sub = app.subcommand("generate", "Input files from a seed, the same bytes on every machine");
  sub.require_subcommand();
  sub.footer("Example: tandem generate postings --like lab --seed 1 --out data");
  static Options options;
  const auto postings =
      sub.subcommand("postings", "Posting lists (ExpIndex) and queries over them (ExpQuery)");
  postings
      .option(
          "--like", options.like,
          "lab: 25,205,174 documents, lists of 19,899 ids on average, 1,000 queries of 2 to 5 lists; small: "
          "1,000 lists of 50 to 100 ids, 300 queries of 5 lists")
      .one_of({"lab", "small"})
      .show_default();
  postings.number("--seed", options.seed, "Of the data");
  postings.option("--out", options.out, "Folder for the two files").type_name(kFolder).required();
  postings.footer("Example: tandem generate postings --like lab --seed 1 --out data");
  postings.callback([] { generate_postings(options); });
}

}  // namespace tandem::command
