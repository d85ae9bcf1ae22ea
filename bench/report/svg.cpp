#include "bench/report/svg.h"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::command {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

void Svg::rectangle(double x, double y, double width, double height, std::string_view colour) {
  body_ +=
      fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='{}'/>\n", x, y, width, height, colour);
}

void Svg::path(std::string_view commands, std::string_view colour, bool dashed) {
  body_ += fmt::format("<path d='{}' fill='none' stroke='{}'{}/>\n", commands, colour,
                       dashed ? " stroke-dasharray='4 3'" : "");
}

void Svg::text(double x, double y, std::string_view text, const Font& font) {
  body_ +=
      fmt::format("<text x='{}' y='{}' font-size='{}' text-anchor='{}' fill='{}'{}>{}</text>\n", x, y,
                  font.size, font.anchor, font.colour, font.bold ? " font-weight='bold'" : "", escaped(text));
}

std::string Svg::picture(int width, int height) const {
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
             "font-family='Arial,Helvetica,sans-serif'>\n<rect width='{0}' height='{1}' fill='#fff'/>\n",
             width, height) +
         body_ + "</svg>\n";
}

double Svg::width(std::string_view text, double size) {
  const auto letters =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });  // of UTF-8
  return kLetter * size * static_cast<double>(letters);
}

}  // namespace tandem::command
