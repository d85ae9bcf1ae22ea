#pragma once
// What the pictures are drawn with. Every element carries its own attributes: without classes and ids several
// pictures can stand in one page.

#include <optional>
#include <string>
#include <string_view>

namespace tandem::command {

class Svg {
 public:
  /// How a line of text looks. A size of at least a hundredth of the picture's width stays legible where it is shown
  /// 900 px wide: 9 px.
  struct Font {
    double size = 12;
    const char* anchor = "start";  // or middle, end: what x is of the text
    const char* colour = "#000";
    bool bold = false;
  };

  Svg() = default;
  /// What the elements of a figure() inherit, and so need not say.
  explicit Svg(const Font& inherited) : inherited_(inherited) {}

  /// How a path looks. `dash` and `cap` are what SVG takes: "4 3", "round".
  struct Pen {
    const char* colour = "#000";
    double width = 1;
    const char *dash = "", *cap = "", *fill = "none";
  };

  void rectangle(double x, double y, double width, double height, std::string_view colour);
  /// A line of SVG path commands. `title` is shown where the mouse rests on it.
  void path(std::string_view commands, const Pen& pen, std::string_view title = "");
  void path(std::string_view commands, const char* colour, bool dashed = false) {
    path(commands, Pen{colour, 1, dashed ? "4 3" : ""});
  }
  void text(double x, double y, std::string_view text, const Font& font);
  /// The picture on white, as a file of its own.
  std::string picture(int width, int height) const;
  /// The picture as a part of a page, which gives its font, what var(--…) in colours means, and that paths are not filled. `label` says what it
  /// shows to those who do not see it; it is empty where the text beside it does.
  std::string figure(int width, int height, std::string_view label) const;

  /// What a letter takes of the size, by an estimate that few fonts exceed, and so what a line takes.
  static constexpr double kLetter = 0.55;
  static double width(std::string_view text, double size);

  /// Text between tags, and in attributes in quotes.
  static std::string escaped(std::string_view text);

 private:
  std::optional<Font> inherited_;
  std::string body_;
};

}  // namespace tandem::command
