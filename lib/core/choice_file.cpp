#include "lib/core/choice_file.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "lib/core/registry.h"
#include "lib/core/type_table.h"
#include "tandem/file.h"

namespace tandem {
namespace {

constexpr std::string_view kFirstLine = "tandem choices 1", kEnd = "end";
constexpr std::uint64_t kMostBytes = 1 << 20;
constexpr std::size_t kFields = 9;

/// The parts between separators, empty ones included.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0, end; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

/// The lines of a file, and where it is in them.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), text_(read(path)) {}

  std::string_view line() {
    const std::size_t end = text_.find('\n', at_);
    if (end == text_.npos) throw BadFile(path_, text_.size(), "ends without its last line: it was cut off");
    const std::string_view found = std::string_view(text_).substr(at_, end - at_);
    line_ = at_;
    at_ = end + 1;
    return found;
  }
  bool more() const { return at_ < text_.size(); }
  [[noreturn]] void refuse(const std::string& text) const { throw BadFile(path_, line_, text); }

 private:
  static std::string read(const std::string& path) {
    file::Input input(path, "a choice table");
    if (input.size() > kMostBytes) throw BadFile(path, "is larger than any choice table");
    std::string text(input.size(), '\0');
    input.read(text.data(), text.size());
    return text;
  }

  const std::string& path_;
  std::string text_;
  std::size_t at_ = 0, line_ = 0;
};

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

std::int64_t number(const Reader& from, std::string_view text) {
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value < 0)
    from.refuse(quoted(text) + " must be a whole number");
  return value;
}

ChoiceRow row(const Reader& from, std::string_view line) {
  const std::vector<std::string_view> fields = split(line, '\t');
  if (fields.size() != kFields) from.refuse("a row has " + std::to_string(fields.size()) + " fields, not 9");
  ChoiceRow row{std::string(fields[0]), std::string(fields[1]), Place::host,
                std::string(fields[3]), std::string(fields[4]), {},
                std::string(fields[8])};
  if (fields[2] == name(Place::device))
    row.place = Place::device;
  else if (fields[2] != name(Place::host))
    from.refuse(quoted(fields[2]) + " is no place; it must be host or device");
  const std::vector<Type> types = all_types();
  if (std::none_of(types.begin(), types.end(), [&](Type type) { return name(type) == fields[4]; }))
    from.refuse(quoted(fields[4]) + " is no element type of this version");
  for (std::size_t f = 0; f < row.from.size(); ++f) row.from[f] = number(from, fields[5 + f]);
  for (const std::string_view path : implementations_of(row.implementations)) {
    const auto& all = implementations();
    if (std::none_of(all.begin(), all.end(), [&](const Implementation& i) {
          return i.name == path && i.operation == row.operation && i.place == row.place;
        })) {
      from.refuse(quoted(path) + " is no implementation of " + row.operation + " on the " + name(row.place) +
                  " in this version");
    }
  }
  return row;
}

}  // namespace

std::string choice_file() {
  // Not those of whoever starts a program with more rights than theirs.
  const auto variable = [](const char* name) -> std::string {
    const char* value = secure_getenv(name);
    return value ? value : "";
  };
  if (secure_getenv("TANDEM_CHOICE")) return variable("TANDEM_CHOICE");
  if (const std::string config = variable("XDG_CONFIG_HOME"); config.starts_with('/'))
    return config + "/tandem/choices";
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.config/tandem/choices";
}

std::vector<std::string_view> implementations_of(std::string_view row) { return split(row, ' '); }

std::vector<ChoiceRow> read_choices(const std::string& path) {
  Reader reader(path);
  if (!reader.more() || reader.line() != kFirstLine)
    throw BadFile(path, "is no choice table of this version: its first line must be " + quoted(kFirstLine));
  std::vector<ChoiceRow> rows;
  for (;;) {
    const std::string_view line = reader.line();
    if (!line.starts_with(kEnd) || line.find('\t') != std::string_view::npos) {
      rows.push_back(row(reader, line));
      continue;
    }
    if (line != std::string(kEnd) + " " + std::to_string(rows.size()))
      reader.refuse("the last line counts other rows");
    if (reader.more()) reader.refuse("there is more behind the last line");
    return rows;
  }
}

std::string choices_text(const std::vector<ChoiceRow>& rows) {
  std::string text = std::string(kFirstLine) + "\n";
  for (const ChoiceRow& row : rows) {
    text +=
        row.operation + '\t' + row.variant + '\t' + name(row.place) + '\t' + row.machine + '\t' + row.type;
    for (const std::int64_t from : row.from) text += '\t' + std::to_string(from);
    text += '\t' + row.implementations + '\n';
  }
  return text + std::string(kEnd) + " " + std::to_string(rows.size()) + "\n";
}

}  // namespace tandem
