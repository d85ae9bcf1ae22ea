#pragma once
// The user's choice table: what `tandem tune` measured on this user's machines, in a file of lines with tabs
// between their fields:
//
//   tandem choices 1
//   operation  variant  place  machine  type  from  from  from  implementation implementation …
//   …
//   end <number of rows>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/context.h"

namespace tandem {

/// What tells shapes of one variant apart: the size on the scale of --n, then what the contract adds in
/// Shape::features(); 0 where there is nothing more.
using Features = std::array<std::int64_t, 3>;

/// A region of shapes, and what is fast there. It begins at `from` in every feature and ends where a later row
/// of the same group (in the order of `from`) begins.
struct ChoiceRow {
  std::string operation, variant;
  Place place = Place::host;
  std::string machine;  // as Context::description() says
  std::string type;
  Features from{};
  std::string implementations;  // full names, fastest first, with blanks between them
};

/// Where the user's table is: TANDEM_CHOICE, else tandem/choices in XDG_CONFIG_HOME or ~/.config. Empty where
/// TANDEM_CHOICE is, or where there is no home: there is no table then.
TANDEM_API std::string choice_file();
/// Throws BadFile: cut off, of another version, a field that is not what it should be, or an implementation that
/// this version does not know. O(bytes).
TANDEM_API std::vector<ChoiceRow> read_choices(const std::string& path);
/// The content of a table. No field may hold a tab or a new line.
TANDEM_API std::string choices_text(const std::vector<ChoiceRow>& rows);
/// The implementations of a row: the parts between blanks.
TANDEM_API std::vector<std::string_view> implementations_of(std::string_view row);

}  // namespace tandem
