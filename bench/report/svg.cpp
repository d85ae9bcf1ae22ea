#include "bench/report/svg.h"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::command {

std::string Svg::escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '<'    ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '&'  ? "&amp;"
           : c == '\'' ? "&#39;"
           : c == '"'  ? "&quot;"
                       : std::string(1, c);
  }
  return out;
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view colour) {
  body_ +=
      fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='{}'/>\n", x, y, width, height, colour);
}

void Svg::path(std::string_view commands, const Pen& pen, std::string_view title) {
  const auto attribute = [](const char* name, auto value) { return fmt::format(" {}='{}'", name, value); };
  body_ += fmt::format("<path d='{}' fill='{}'", commands, pen.fill);
  if (std::string_view(pen.colour) != "none") body_ += attribute("stroke", pen.colour);
  if (pen.width != 1) body_ += attribute("stroke-width", pen.width);
  if (*pen.dash) body_ += attribute("stroke-dasharray", pen.dash);
  if (*pen.cap) body_ += attribute("stroke-linecap", pen.cap);
  body_ += title.empty() ? "/>\n" : fmt::format("><title>{}</title></path>\n", escaped(title));
}

void Svg::text(double x, double y, std::string_view text, const Font& font) {
  const Font* all = inherited_ ? &*inherited_ : nullptr;
  body_ += fmt::format("<text x='{}' y='{}'", x, y);
  if (!all || all->size != font.size) body_ += fmt::format(" font-size='{}'", font.size);
  if (!all || std::string_view(all->anchor) != font.anchor)
    body_ += fmt::format(" text-anchor='{}'", font.anchor);
  if (!all || std::string_view(all->colour) != font.colour) body_ += fmt::format(" fill='{}'", font.colour);
  body_ += fmt::format("{}>{}</text>\n", font.bold ? " font-weight='bold'" : "", escaped(text));
}

std::string Svg::picture(int width, int height) const {
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
             "font-family='Arial,Helvetica,sans-serif'>\n<rect width='{0}' height='{1}' fill='#fff'/>\n",
             width, height) +
         body_ + "</svg>\n";
}

std::string Svg::figure(int width, int height, std::string_view label) const {
  std::string out = fmt::format("<svg viewBox='0 0 {0} {1}' width='{0}' height='{1}'", width, height);
  if (!label.empty()) out += fmt::format(" role='img' aria-label='{}'", escaped(label));
  if (inherited_) {
    out += fmt::format(" font-size='{}' text-anchor='{}' fill='{}'", inherited_->size, inherited_->anchor,
                       inherited_->colour);
  }
  out += ">\n";
  // A page says of all paths at once that they are not filled.
  constexpr std::string_view kNotFilled = " fill='none'";
  std::size_t from = 0;
  for (std::size_t at; (at = body_.find(kNotFilled, from)) != body_.npos; from = at + kNotFilled.size())
    out.append(body_, from, at - from);
  return out.append(body_, from) + "</svg>\n";
}

double Svg::width(std::string_view text, double size) {
  const auto letters =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });  // of UTF-8
  return kLetter * size * static_cast<double>(letters);
}

}  // namespace tandem::command
