#include "query.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

}  // namespace

int query(const QueryOptions& options) {
  const std::vector<std::string> words = words_of(options.words);
  if (words.empty())
    throw tandem::InvalidArgument(
        fmt::format("search: the query '{}' has no word; words are letters and digits", options.words));
  const Clock reading;
  const TextIndex index = read(options.index);
  tandem::Context ctx = context_on(options.place);
  std::vector<std::uint32_t> lists;
  std::string unknown;
  for (const std::string& word : words) {
    if (const auto list = index.terms.find(word))
      lists.push_back(*list);
    else
      unknown += fmt::format("{}'{}'", unknown.empty() ? "" : ", ", word);
  }
  const double read_seconds = reading.seconds();
  if (options.explain) {
    Table table({"word", "documents"});
    for (const std::string& word : words) {
      const auto list = index.terms.find(word);
      table.add({word, fmt::format("{}", list ? index.postings[*list].size() : 0)});
    }
    table.print();
  }
  if (!unknown.empty()) {
    fmt::print(stderr, "0 of {} documents: none has {}\n", index.documents.count, unknown);
    return kNothing;
  }

  tandem::Queries queries;
  queries.add(lists);
  const tandem::AnyIndex postings = tandem::lists_for(options.use, index.postings);
  const Clock preparing;
  tandem::intersect(ctx, postings, queries,
                    {.use = options.use});  // takes memory, copies lists to a GPU, starts threads
  const double prepare_seconds = preparing.seconds();
  const Clock answering;
  const tandem::Intersections found = tandem::intersect(ctx, postings, queries, {.use = options.use});
  const double seconds = answering.seconds();

  if (options.explain) {
    const tandem::QueryBatch batch(ctx, postings, queries);
    fmt::print("by {} ({}) on {}\ncandidates {}, other lists {}\n", ctx.last().implementation, ctx.last().why,
               ctx.description(), batch.most(), lists.size() - 1);
  }
  const auto limit = std::min(static_cast<std::size_t>(options.limit), found.ids.size());
  print_documents(index.documents, std::span(found.ids).first(limit), words);
  if (limit < found.ids.size())
    fmt::print(stderr, "… and {} more; --limit N shows N\n", found.ids.size() - limit);
  fmt::print(stderr, "{} of {} documents in {} by {} (index read in {}, first answer {})\n", found.ids.size(),
             index.documents.count, show_time(seconds), ctx.last().implementation, show_time(read_seconds),
             show_time(prepare_seconds));
  return found.ids.empty() ? kNothing : kSuccess;
}

}  // namespace search
