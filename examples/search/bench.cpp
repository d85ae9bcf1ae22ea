#include "bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "command.h"
#include "common/terminal.h"
#include "text_index.h"
#include "words.h"

namespace search {
namespace {

using tandem::terminal::Progress;
using tandem::terminal::Table;
using Json = nlohmann::ordered_json;

struct Work {
  std::vector<tandem::Queries> each;  // one query
  tandem::Queries all;
  std::int64_t unknown = 0, wordless = 0;  // lines that are left out

  void add(const std::vector<std::uint32_t>& lists) {
    each.emplace_back().add(lists);
    all.add(lists);
  }
  std::size_t size() const { return each.size(); }
  std::size_t words(std::size_t query) const { return each[query].lists.size(); }
};

Work from_file(const std::string& path, const TextIndex& index) {
  std::istringstream file(tandem::file::read_file(path, "a file with a query per line"));
  Work work;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = words_of(line);
    std::vector<std::uint32_t> lists;
    for (const std::string& word : words) {
      if (const auto list = index.terms.find(word)) lists.push_back(*list);
    }
    if (words.empty())
      ++work.wordless;
    else if (lists.size() < words.size())
      ++work.unknown;
    else
      work.add(lists);
  }
  return work;
}

/// Queries of 2 to 5 words, each word as often as documents have it. The same on every machine.
Work drawn(const BenchOptions& options, const TextIndex& index) {
  Work work;
  if (index.postings.ids() == 0) return work;
  std::mt19937_64 random(options.seed);
  const std::span starts = index.postings.starts();
  for (std::int64_t q = 0; q < options.random; ++q) {
    const auto size = std::min<std::size_t>(2 + random() % 4, starts.size() - 1);
    std::vector<std::uint32_t> lists;
    while (lists.size() < size) {
      const auto list = static_cast<std::uint32_t>(
          std::upper_bound(starts.begin(), starts.end(), random() % starts.back()) - starts.begin() - 1);
      if (std::find(lists.begin(), lists.end(), list) == lists.end()) lists.push_back(list);
    }
    work.add(lists);
  }
  return work;
}

/// Mean and quantiles of the times of queries, in µs.
struct Spread {
  static constexpr int kPercents[] = {50, 90, 95, 99};
  std::size_t queries;
  double mean = 0;
  double quantiles[std::size(kPercents)];

  explicit Spread(std::vector<double> seconds) : queries(seconds.size()) {
    std::sort(seconds.begin(), seconds.end());
    for (const double s : seconds) mean += s * 1e6 / static_cast<double>(queries);
    for (std::size_t p = 0; p < std::size(kPercents); ++p)
      quantiles[p] = seconds[(queries - 1) * static_cast<std::size_t>(kPercents[p]) / 100] * 1e6;
  }
};

/// All results: their number, and a hash over the number of results and the documents of each query.
struct Answers {
  std::uint64_t results = 0;
  Fingerprint hash;

  void add(std::span<const std::uint32_t> documents) {
    results += documents.size();
    hash.add(documents);
  }
  bool operator==(const Answers& other) const {
    return results == other.results && hash.value() == other.hash.value();
  }
};

struct Row {
  std::string name;
  std::map<std::size_t, Spread> spread = {};   // by the number of words; 0: all queries
  double queries_per_second = 0, batched = 0;  // one by one, and all in a call
  Answers each = {}, batch = {};
};

/// Whether both ways of asking give the answers of `first`.
bool agrees(const Row& row, const Row& first) { return row.each == first.each && row.batch == first.each; }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Row measure(const std::string& use, tandem::Context& ctx, const tandem::AnyIndex& postings, const Work& work,
            int repetitions) {
  const tandem::Options options{.use = use};
  // The first calls collect the answers and warm up.
  const tandem::Intersections all = tandem::intersect(ctx, postings, work.all, options);
  Row row{.name = std::string(ctx.last().implementation)};
  for (std::size_t q = 0; q < work.size(); ++q) {
    row.each.add(tandem::intersect(ctx, postings, work.each[q], options)[0]);
    row.batch.add(all[static_cast<std::int64_t>(q)]);
  }
  std::vector<std::vector<double>> times(work.size());
  std::vector<double> batches;
  Progress progress;
  for (int r = 0; r < repetitions; ++r) {
    progress.show(fmt::format("{}: repetition {} of {}", row.name, r + 1, repetitions));
    for (std::size_t q = 0; q < work.size(); ++q) {
      const Clock clock;
      tandem::intersect(ctx, postings, work.each[q], options);
      times[q].push_back(clock.seconds());
    }
    const Clock clock;
    tandem::intersect(ctx, postings, work.all, options);
    batches.push_back(clock.seconds());
  }
  progress.clear();

  std::map<std::size_t, std::vector<double>> seconds;
  double sum = 0;
  for (std::size_t q = 0; q < work.size(); ++q) {
    const double time = median(times[q]);
    sum += time;
    seconds[0].push_back(time);
    seconds[work.words(q)].push_back(time);
  }
  for (auto& [words, list] : seconds) row.spread.emplace(words, Spread(std::move(list)));
  row.queries_per_second = static_cast<double>(work.size()) / sum;
  row.batched = static_cast<double>(work.size()) / median(batches);
  return row;
}

/// The implementations to time: those of a list, or all that can run in this context.
std::vector<std::string> chosen(const std::string& list, const tandem::Context& ctx) {
  std::vector<std::string> names;
  if (list == "all") {
    names = tandem::implementation_names("intersect", ctx);
  } else {
    names = tandem::terminal::parse_list(list, ',', "--implementations");
  }
  if (names.empty())
    throw tandem::Unavailable(
        "search: no implementation of intersect can run here; see tandem list intersect");
  return names;
}

void print(const std::vector<Row>& rows) {
  Table times({"µs", "words", "queries", "mean", "q50", "q90", "q95", "q99"});
  for (const Row& row : rows) {
    for (const auto& [words, spread] : row.spread) {
      std::vector<std::string> cells{words == 0 ? row.name : "",
                                     words == 0 ? "all" : fmt::format("{}", words),
                                     fmt::format("{}", spread.queries), fmt::format("{:.1f}", spread.mean)};
      for (const double q : spread.quantiles) cells.push_back(fmt::format("{:.1f}", q));
      times.add(cells);
    }
  }
  times.print();
  Table totals({"", "queries/s", "in a batch", "results", "hash", ""});
  for (const Row& row : rows) {
    totals.add({row.name, fmt::format("{:.0f}", row.queries_per_second), fmt::format("{:.0f}", row.batched),
                fmt::format("{}", row.each.results), fmt::format("{:016x}", row.each.hash.value()),
                agrees(row, rows[0]) ? "" : "DIFFERS"});
  }
  fmt::print("\n");
  totals.print();
}

Json json_of(const Row& row) {
  Json times = Json::object();
  for (const auto& [words, s] : row.spread) {
    times[words == 0 ? "all" : fmt::format("{}", words)] = {{"queries", s.queries},  {"mean", s.mean},
                                                            {"q50", s.quantiles[0]}, {"q90", s.quantiles[1]},
                                                            {"q95", s.quantiles[2]}, {"q99", s.quantiles[3]}};
  }
  return {{"implementation", row.name},
          {"microseconds_by_words", times},
          {"queries_per_second", row.queries_per_second},
          {"queries_per_second_in_a_batch", row.batched},
          {"results", row.each.results},
          {"hash", fmt::format("{:016x}", row.each.hash.value())},
          {"hash_of_the_batch", fmt::format("{:016x}", row.batch.hash.value())}};
}

}  // namespace

int bench(const BenchOptions& options) {
  constexpr std::int64_t kMostQueries = 1'000'000;  // each is kept, with all of its answers
  for (const auto& [value, most, name] :
       {std::tuple{options.random, kMostQueries, "--random"},
        {std::int64_t{options.repetitions}, std::int64_t{1000}, "--repetitions"}}) {
    if (value < 1 || value > most) {
      throw tandem::InvalidArgument(fmt::format("search: {} is {}; it must be {}", name, value,
                                                value < 1 ? "at least 1" : fmt::format("at most {}", most)));
    }
  }
  if (!options.json.empty()) tandem::file::require_writable(options.json);
  const TextIndex index = read(options.index);
  tandem::Context ctx = context_on(options.place);
  const std::vector<std::string> names = chosen(options.implementations, ctx);
  const Work work = options.queries.empty() ? drawn(options, index) : from_file(options.queries, index);
  fmt::print("{} documents, {} words, {} postings, on {}\n", index.documents.count, index.terms.size(),
             index.postings.ids(), ctx.description());
  if (work.unknown + work.wordless > 0)
    fmt::print("left out: {} queries with a word that no document has, {} lines without a word\n",
               work.unknown, work.wordless);
  if (work.size() == 0) throw tandem::InvalidArgument("search: there is no query whose words the index has");

  const tandem::PackedIndex packed(index.postings);
  fmt::print("{:.1f} MB of postings, {:.1f} MB packed\n", static_cast<double>(index.postings.bytes()) * 1e-6,
             static_cast<double>(packed.bytes()) * 1e-6);
  std::vector<Row> rows;
  for (const std::string& name : names)
    rows.push_back(measure(name, ctx, tandem::lists_for(name, index.postings), work, options.repetitions));
  print(rows);
  if (!options.json.empty()) {
    Json json{{"machine", ctx.description()},
              {"documents", index.documents.count},
              {"words", index.terms.size()},
              {"postings", index.postings.ids()},
              {"packed_bytes", packed.bytes()},
              {"queries", work.size()},
              {"left_out", work.unknown + work.wordless},
              {"repetitions", options.repetitions},
              {"rows", Json::array()}};
    for (const Row& row : rows) json["rows"].push_back(json_of(row));
    tandem::file::write_file(options.json, json.dump(2) + "\n");
  }
  const bool good =
      std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return agrees(row, rows[0]); });
  return good ? kSuccess : kNothing;
}

}  // namespace search
