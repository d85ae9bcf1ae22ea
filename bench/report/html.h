#pragma once
// What the pages are made of: files that need nothing else and run no script.

#include <string>
#include <string_view>

#include "bench/report/data_table.h"

namespace tandem::command {

/// Text between tags, and in attributes in quotes.
std::string escaped(std::string_view text);

/// Head and rows; title and note are left to the caller.
std::string table(const DataTable& data);

/// A whole page. `style` comes after the style of all pages.
std::string html_page(std::string_view title, std::string_view style, std::string_view body);

}  // namespace tandem::command
