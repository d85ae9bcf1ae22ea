#include "bench/report/html.h"

#include <fmt/format.h>

#include "bench/report/page_style.h"
#include "bench/report/svg.h"

namespace tandem::command {

std::string escaped(std::string_view text) { return Svg::escaped(text); }

// Cells and rows end where the next begins, as HTML has it.
std::string table(const DataTable& data) {
  std::string out = "<div class='scroll'><table><thead><tr>";
  for (const std::string& cell : data.head) out += "<th>" + escaped(cell);
  out += "</thead><tbody>\n";
  for (const auto& row : data.rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += "<td>" + escaped(cell);
    out += "\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string html_page(std::string_view title, std::string_view style, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'>\n<head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width,initial-scale=1'><meta name='generator' "
      "content='tandem {}'>"
      "<title>{}</title><style>{}{}</style></head>\n<body>\n{}</body>\n</html>\n",
      TANDEM_VERSION_STRING, escaped(title), kPageStyle, style, body);
}

}  // namespace tandem::command
