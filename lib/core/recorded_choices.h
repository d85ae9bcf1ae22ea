#pragma once
// The rows of the choice table that come with Tandem (choice_table.inc).

#include <string_view>
#include <vector>

#include "lib/core/choice_file.h"

namespace tandem {

/// Those of one operation on one machine. O(rows of all).
TANDEM_API std::vector<ChoiceRow> recorded_choices(std::string_view operation, Place place,
                                                   std::string_view machine);

}  // namespace tandem
