#pragma once
// What the pictures are drawn with. Every element carries its own attributes: without classes and ids several
// pictures can stand in one page.

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

  void rectangle(double x, double y, double width, double height, std::string_view colour);
  /// A line of SVG path commands.
  void path(std::string_view commands, std::string_view colour, bool dashed = false);
  void text(double x, double y, std::string_view text, const Font& font);
  /// The picture on white.
  std::string picture(int width, int height) const;

  /// What a letter takes of the size, by an estimate that few fonts exceed, and so what a line takes.
  static constexpr double kLetter = 0.55;
  static double width(std::string_view text, double size);

 private:
  std::string body_;
};

}  // namespace tandem::command
