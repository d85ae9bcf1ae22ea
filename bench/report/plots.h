#pragma once
// The pictures of a report, as parts of its page. Their colours are names that its style sheet gives a meaning, light or
// dark. A custom kernel is a solid line with dots; each library has a dash and a mark of its own, so that nothing is
// told by colour alone.

#include <optional>
#include <string>
#include <vector>

namespace tandem::command {

enum class Who {
  best,
  also,
  vendor,
  other
};  // the best custom step, also timed otherwise; a library; the other steps

/// A line over sizes.
struct Curve {
  struct Point {
    std::size_t size;  // which
    double value;
    std::string text;  // what is said of it where the mouse rests
  };
  std::string name;  // written at its end, but of others
  Who who;
  int style;  // among the lines of its kind
  std::vector<Point> points;
};

/// A small picture of lines over the same sizes.
struct Panel {
  std::string title, subtitle;
  std::vector<std::string> sizes;  // as they are written
  std::vector<double> place;       // from 0 to 1, of each
  bool connected;                  // false: sizes that no curve leads through
  std::vector<Curve> curves;
};

/// Values around 1 on a logarithmic axis; what lies between the first line and 1 is filled.
std::string ratio_panel(const Panel& panel);
/// Shares, from 0 to 1.
std::string share_panel(const Panel& panel);

/// The same ratios without words, for a line of text.
std::string spark_line(const std::vector<double>& ratios);

/// A point of a picture with two axes.
struct Mark {
  std::string name;  // written beside it; nothing where it is empty
  double x, y;
  Who who;
  std::string text;
};

/// Error ÷ what is allowed over time ÷ the shortest. Errors of 0 stand on the lowest line.
std::string error_panel(const std::string& title, const std::vector<Mark>& marks);

/// A rate that nothing exceeds: per byte, or of arithmetic.
struct Roof {
  std::string name;
  double rate;
  bool per_byte;
};
/// GFLOP/s over operations per byte, both logarithmic. Marks of one name are joined, and named once.
std::string roofline(const std::vector<Roof>& roofs, const std::vector<Mark>& marks);

/// A tick for each sample at its distance from the median, on an axis of ± `range`.
std::string samples_strip(const std::vector<double>& samples, double median, double range);

/// From 1 to `ratio` on a logarithmic axis of 1/range to range; what noise could explain is grey.
std::string change_strip(double ratio, double noise, double range);

}  // namespace tandem::command
