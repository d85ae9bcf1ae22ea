// search: the command.

#include <fmt/format.h>

#include "bench.h"
#include "build.h"
#include "command.h"
#include "common/options.h"
#include "common/program.h"
#include "common/terminal.h"
#include "query.h"

namespace search {
namespace {

using tandem::terminal::Command;
using tandem::terminal::Option;
using tandem::terminal::Program;
using tandem::terminal::show_bytes;
using tandem::terminal::show_time;

int index_command(const BuildOptions& options, const std::string& out) {
  const Clock clock;
  tandem::file::FolderReplacement folder =
      new_index(out);  // first, so that a bad --out is refused before the work
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

int run_command(int argc, char** argv) {
  Program program("search",
                  "A search engine over a folder of text, by intersections of posting lists with Tandem.");
  program.require_subcommand();
  program.footer(
      "Example: search index /usr/share/doc --out doc.idx && search query doc.idx \"public licence\"");
  int status = kSuccess;

  BuildOptions build_options;
  std::string out;
  const Command index_app = program.subcommand("index", "Make an index of all text files below a folder");
  index_app.footer(
      "Example: search index /usr/include --out include.idx --lines\n\n"
      "Words are runs of letters and digits, in lower case. Files with a zero byte, or that are no UTF-8, "
      "are left "
      "out, and\nlinks are not followed. Memory: 8 bytes for every pair of a word and a document that has "
      "it, 4 for "
      "each document,\nabout 150 for each different word.");
  index_app.option("DIR", build_options.folder, "The folder").required();
  index_app.option("--out", out, "The index: a folder, made or replaced when all is done").required();
  index_app.flag("--lines", build_options.lines, "Every line is a document, instead of every file");
  index_app.callback([&] { status = index_command(build_options, out); });

  const auto add_place = [](Command sub, std::string& place) {
    sub.option("--place", place, "host or device (a GPU)").one_of({"host", "device"}).show_default();
  };

  QueryOptions query_options;
  std::vector<std::string> words;
  const Command query_app = program.subcommand(
      "query", "Print the documents that have all words; exit status 1 where there is none");
  query_app.footer("Example: search query include.idx \"mutex lock timeout\" --limit 20 --explain");
  query_app.option("INDEX", query_options.index, "From search index").required();
  query_app.option("WORDS", words, "In any order and case").required();
  query_app.option("--use", query_options.use,
                   "Implementation of intersect (tandem list intersect); without it the automatic choice");
  query_app.number("--limit", query_options.limit, "Documents to print", 0, INT64_MAX);
  query_app.flag("--explain", query_options.explain, "Print how often each word is, and what ran");
  add_place(query_app, query_options.place);
  query_app.callback([&] {
    query_options.words = fmt::format("{}", fmt::join(words, " "));
    status = query(query_options);
  });

  BenchOptions bench_options;
  const Command bench_app = program.subcommand(
      "bench", "Time many queries by every implementation; exit status 1 where their answers differ");
  bench_app.footer(
      "Example: search bench include.idx --random 1000 --seed 7 --json rows.json\n"
      "         search bench include.idx --queries queries.txt --implementations "
      "custom/simd,vendor/croaring\n\n"
      "The time of a query is the median over the repetitions, from the numbers of its words to the "
      "documents "
      "in host memory.");
  bench_app.option("INDEX", bench_options.index, "From search index").required();
  Option queries =
      bench_app.option("--queries", bench_options.queries, "A file: the words of a query per line");
  bench_app
      .number("--random", bench_options.random, "Draw so many queries of 2 to 5 words, frequent words often")
      .excludes(queries);
  bench_app.number("--seed", bench_options.seed, "Of the drawn queries");
  bench_app
      .option("--implementations", bench_options.implementations,
              "all of this place, or names, separated by commas (tandem list intersect)")
      .show_default();
  bench_app.number("--repetitions", bench_options.repetitions, "Of every measurement");
  bench_app.option("--json", bench_options.json, "Write all figures here");
  add_place(bench_app, bench_options.place);
  bench_app.callback([&] { status = bench(bench_options); });

  return program.parse(argc, argv) ? status : kBadUsage;
}

}  // namespace
}  // namespace search

int main(int argc, char** argv) {
  return tandem::terminal::run_program("search", "search index --help says how much an index takes",
                                       [&] { return search::run_command(argc, argv); });
}
