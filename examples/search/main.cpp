// search: the command.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench.h"
#include "build.h"
#include "command.h"
#include "common/terminal.h"
#include "query.h"

namespace search {
namespace {

using tandem::terminal::show_bytes;
using tandem::terminal::show_time;

void interrupt(int) { interrupted = 1; }

int index_command(const BuildOptions& options, const std::string& out) {
  const Clock clock;
  tandem::file::FolderReplacement folder =
      new_index(out);  // first, so that a bad --out is refused before the work
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  BuildReport report;
  const TextIndex index = build(options, folder, report);
  write(folder, index);
  folder.commit();
  fmt::print("{}: {} documents from {} files, {} of text; {} words, {} postings; {}\n", out,
             index.documents.count, report.files, show_bytes(static_cast<double>(report.bytes)),
             index.terms.size(), index.postings.ids(), show_time(clock.seconds()));
  if (report.binary + report.unreadable + report.other > 0)
    fmt::print(
        "left out: {} binary files (a zero byte, or no UTF-8), {} that cannot be read, {} links and "
        "devices\n",
        report.binary, report.unreadable, report.other);
  return kSuccess;
}

}  // namespace
}  // namespace search

int main(int argc, char** argv) try {
  using namespace search;
  CLI::App app("A search engine over a folder of text, by intersections of posting lists with Tandem.",
               "search");
  app.require_subcommand(1);
  app.footer("Example: search index /usr/share/doc --out doc.idx && search query doc.idx \"public licence\"");
  int status = kSuccess;

  BuildOptions build_options;
  std::string out;
  CLI::App* index_app = app.add_subcommand("index", "Make an index of all text files below a folder");
  index_app->footer(
      "Example: search index /usr/include --out include.idx --lines\n\n"
      "Words are runs of letters and digits, in lower case. Files with a zero byte, or that are no UTF-8, "
      "are left "
      "out, and\nlinks are not followed. Memory: 8 bytes for every pair of a word and a document that has "
      "it, 4 for "
      "each document,\nabout 150 for each different word.");
  index_app->add_option("DIR", build_options.folder, "The folder")->required();
  index_app->add_option("--out", out, "The index: a folder, made or replaced when all is done")->required();
  index_app->add_flag("--lines", build_options.lines, "Every line is a document, instead of every file");
  index_app->callback([&] { status = index_command(build_options, out); });

  const auto add_place = [](CLI::App* sub, std::string& place) {
    sub->add_option("--place", place, "host or device (a GPU)")
        ->check(CLI::IsMember({"host", "device"}))
        ->capture_default_str();
  };

  QueryOptions query_options;
  std::vector<std::string> words;
  CLI::App* query_app = app.add_subcommand(
      "query", "Print the documents that have all words; exit status 1 where there is none");
  query_app->footer("Example: search query include.idx \"mutex lock timeout\" --limit 20 --explain");
  query_app->add_option("INDEX", query_options.index, "From search index")->required();
  query_app->add_option("WORDS", words, "In any order and case")->required();
  query_app->add_option(
      "--use", query_options.use,
      "Implementation of intersect (tandem list intersect); without it the automatic choice");
  query_app->add_option("--limit", query_options.limit, "Documents to print")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  query_app->add_flag("--explain", query_options.explain, "Print how often each word is, and what ran");
  add_place(query_app, query_options.place);
  query_app->callback([&] {
    query_options.words = fmt::format("{}", fmt::join(words, " "));
    status = query(query_options);
  });

  BenchOptions bench_options;
  CLI::App* bench_app = app.add_subcommand(
      "bench", "Time many queries by every implementation; exit status 1 where their answers differ");
  bench_app->footer(
      "Example: search bench include.idx --random 1000 --seed 7 --json rows.json\n"
      "         search bench include.idx --queries queries.txt --implementations "
      "custom/simd,vendor/croaring\n\n"
      "The time of a query is the median over the repetitions, from the numbers of its words to the "
      "documents "
      "in host memory.");
  bench_app->add_option("INDEX", bench_options.index, "From search index")->required();
  CLI::Option* queries =
      bench_app->add_option("--queries", bench_options.queries, "A file: the words of a query per line");
  bench_app
      ->add_option("--random", bench_options.random,
                   "Draw so many queries of 2 to 5 words, frequent words often")
      ->capture_default_str()
      ->excludes(queries);
  bench_app->add_option("--seed", bench_options.seed, "Of the drawn queries")->capture_default_str();
  bench_app
      ->add_option("--implementations", bench_options.implementations,
                   "all of this place, or names, separated by commas (tandem list intersect)")
      ->capture_default_str();
  bench_app->add_option("--repetitions", bench_options.repetitions, "Of every measurement")
      ->capture_default_str();
  bench_app->add_option("--json", bench_options.json, "Write all figures here");
  add_place(bench_app, bench_options.place);
  bench_app->callback([&] { status = bench(bench_options); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kBadUsage;
  }
  return status;
} catch (const search::Interrupted&) {
  fmt::print(stderr, "\nsearch: interrupted; nothing was written\n");
  return search::kInterrupted;
} catch (const std::bad_alloc&) {
  fmt::print(stderr, "search: out of memory; search index --help says how much an index takes\n");
  return search::kBadUsage;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return search::kBadUsage;
}
