#include "query.h"

#include <fmt/format.h>
#include <tandem/ranks.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "command.h"
#include "common/program.h"
#include "common/terminal.h"
#include "text_index.h"
#include "words.h"

namespace search {
namespace {

using tandem::terminal::printable;
using tandem::terminal::show_time;
using tandem::terminal::Table;

/// Reads lines of files; asked for in ascending order, each file is read once.
class LineReader {
 public:
  /// Empty where the file has no such line any more.
  std::optional<std::string> line(const std::string& path, std::uint32_t number) {
    if (path != path_) {
      std::error_code unknown;
      file_ = {};
      if (std::filesystem::is_regular_file(path, unknown)) file_.open(path, std::ios::binary);
      path_ = path;
      at_ = 0;
    }
    std::string text;
    for (; at_ < number; ++at_) {
      if (!std::getline(file_, text)) return {};
    }
    return text;
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::uint32_t at_ = 0;
};

/// The text on one line of a terminal: no control characters, at most 160 bytes.
std::string shown(std::string text) {
  constexpr std::size_t kMost = 160;
  std::size_t end = std::min(text.size(), kMost);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  const bool cut = end < text.size();
  text.resize(end);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  }
  return printable(text) + (cut ? "…" : "");
}

bool has_all(const std::string& line, const std::vector<std::string>& words) {
  std::vector<std::string> found;
  WordCutter cutter([&](std::string_view word) { found.emplace_back(word); });
  return cutter.take(line) && cutter.finish() &&
         std::all_of(words.begin(), words.end(), [&](const auto& word) {
           return std::find(found.begin(), found.end(), word) != found.end();
         });
}

void print_documents(const Documents& documents, std::span<const std::uint32_t> found,
                     const std::vector<std::string>& words) {
  LineReader reader;
  for (const std::uint32_t document : found) {
    const Documents::Location at = documents.locate(document);
    if (at.line == 0) {
      fmt::print("{}\n", printable(at.path));
      continue;
    }
    const auto line = reader.line(at.path, at.line);
    fmt::print("{}:{}: {}\n", printable(at.path), at.line,
               line && has_all(*line, words) ? shown(*line) : "(the file has changed since it was indexed)");
  }
  tandem::terminal::flush();
}

/// What the words' lists have in common, and how that was found.
struct Answer {
  tandem::LastCall call;
  std::uint64_t count;
  std::vector<std::uint32_t> first;  // documents, up to a limit
};

/// Each rank looks in documents of its own, as many as others have, and all get the answer.
Answer answer_over_ranks(tandem::Communicator& all, const TextIndex& index,
                         const std::vector<std::uint32_t>& lists, const QueryOptions& options) {
  const auto begin_of = [&](int rank) {
    return static_cast<std::uint32_t>(std::uint64_t{index.documents.count} *
                                      static_cast<std::uint64_t>(rank) /
                                      static_cast<std::uint64_t>(all.size()));
  };
  std::vector<std::vector<std::uint32_t>> mine;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t list : lists) {
    const auto ids = index.postings[list];
    const auto at = [&](int rank) { return std::lower_bound(ids.begin(), ids.end(), begin_of(rank)); };
    numbers.push_back(static_cast<std::uint32_t>(mine.size()));
    mine.emplace_back(at(all.rank()), at(all.rank() + 1));
  }
  tandem::Queries queries;
  queries.add(numbers);
  const tandem::RanksIntersections found = tandem::intersect(
      all, tandem::lists_for(options.use, tandem::Index(mine)), queries, {.use = options.use});

  Answer answer{all.context().last(), found.counts[0], {}};
  // Each puts its documents where they stand in the answer, and zeros elsewhere.
  const std::vector<std::uint64_t> here{found.here.ids.size()};
  std::vector<std::uint64_t> before(1);
  tandem::exclusive_scan(all, here, before);
  answer.first.resize(std::min(static_cast<std::uint64_t>(options.limit), answer.count));
  for (std::uint64_t i = 0; i < here[0] && before[0] + i < answer.first.size(); ++i)
    answer.first[before[0] + i] = found.here.ids[i];
  tandem::all_reduce(all, answer.first, answer.first);
  return answer;
}

Answer answer_of(tandem::Context& ctx, const tandem::AnyIndex& postings, const tandem::Queries& queries,
                 const QueryOptions& options) {
  tandem::Intersections found = tandem::intersect(ctx, postings, queries, {.use = options.use});
  const std::uint64_t count = found.ids.size();
  found.ids.resize(std::min(static_cast<std::uint64_t>(options.limit), count));
  return {ctx.last(), count, std::move(found.ids)};
}

}  // namespace

int query(const QueryOptions& options) {
  const std::vector<std::string> words = words_of(options.words);
  if (words.empty())
    throw tandem::InvalidArgument(
        fmt::format("search: the query '{}' has no word; words are letters and digits", options.words));
  const Clock reading;
  const TextIndex index = read(options.index);
  tandem::Context ctx = context_on(options.place);
  std::optional<tandem::Communicator> all;
  if (tandem::terminal::launched_ranks() > 1) all.emplace(tandem::Communicator::mpi(ctx));
  const bool prints = !all || all->rank() == 0;
  std::vector<std::uint32_t> lists;
  std::string unknown;
  for (const std::string& word : words) {
    if (const auto list = index.terms.find(word))
      lists.push_back(*list);
    else
      unknown += fmt::format("{}'{}'", unknown.empty() ? "" : ", ", word);
  }
  const double read_seconds = reading.seconds();
  if (options.explain && prints) {
    Table table({"word", "documents"});
    for (const std::string& word : words) {
      const auto list = index.terms.find(word);
      table.add({word, fmt::format("{}", list ? index.postings[*list].size() : 0)});
    }
    table.print();
  }
  if (!unknown.empty()) {
    if (prints) fmt::print(stderr, "0 of {} documents: none has {}\n", index.documents.count, unknown);
    return kNothing;
  }

  tandem::Queries queries;
  queries.add(lists);
  const tandem::AnyIndex postings = tandem::lists_for(options.use, index.postings);
  const auto answer = [&] {
    return all ? answer_over_ranks(*all, index, lists, options) : answer_of(ctx, postings, queries, options);
  };
  const Clock preparing;
  answer();  // takes memory, copies lists to a GPU, starts threads
  const double prepare_seconds = preparing.seconds();
  const Clock answering;
  const Answer found = answer();
  const double seconds = answering.seconds();

  if (!prints) return found.count == 0 ? kNothing : kSuccess;
  if (options.explain) {
    const tandem::QueryBatch batch(ctx, postings, queries);
    fmt::print("by {} ({}) on {}\ncandidates {}, other lists {}\n", found.call.implementation, found.call.why,
               ctx.description(), batch.most(), lists.size() - 1);
  }
  print_documents(index.documents, found.first, words);
  if (found.first.size() < found.count)
    fmt::print(stderr, "… and {} more; --limit N shows N\n", found.count - found.first.size());
  fmt::print(stderr, "{} of {} documents in {} by {}{} (index read in {}, first answer {})\n", found.count,
             index.documents.count, show_time(seconds), found.call.implementation,
             all ? fmt::format(" on {} ranks", all->size()) : "", show_time(read_seconds),
             show_time(prepare_seconds));
  return found.count == 0 ? kNothing : kSuccess;
}

}  // namespace search
