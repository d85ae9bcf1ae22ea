#include "bench/report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "bench/report/results.h"
#include "bench/report/svg.h"

namespace tandem::command {
namespace {

constexpr const char *kInk = "var(--ink)", *kDim = "var(--dim)", *kRule = "var(--rule)",
                     *kPage = "var(--page)", *kBest = "var(--best)", *kVendor = "var(--vendor)",
                     *kOther = "var(--other)";
constexpr Svg::Font kSmall{11, "start", kDim, false}, kTitle{13, "start", kInk, true};

// Of a panel, and of the plot in it.
constexpr int kWidth = 340, kHeight = 214;
constexpr double kLeft = 46, kTop = 48, kBottom = 186;

const char* colour(Who who) { return who == Who::vendor ? kVendor : who == Who::other ? kOther : kBest; }

/// What letters take of a size in the widest of usual fonts.
double room_of(std::string_view text, double size) { return Svg::width(text, size) * 0.62 / Svg::kLetter; }

/// Whole pixels keep a page short, and nobody sees the rest.
double whole(double value) { return std::round(value); }
std::string to(double x, double y) { return fmt::format("{} {}", whole(x), whole(y)); }

Svg::Font with(Svg::Font font, const char* anchor, const char* ink = kDim, bool bold = false) {
  font.anchor = anchor, font.colour = ink, font.bold = bold;
  return font;
}

/// As much of a text as fits.
std::string cut(const std::string& text, double room, double size) {
  if (room_of(text, size) <= room) return text;
  std::size_t letters = text.size();
  while (letters > 1 &&
         (room_of(text.substr(0, letters) + "…", size) > room || (text[letters] & 0xC0) == 0x80))
    --letters;
  return text.substr(0, letters) + "…";
}

/// Lines across a plot, each with what stands at its left; one of them is emphasised.
void grid(Svg& svg, double left, double right, const std::vector<std::pair<double, std::string>>& lines,
          double emphasised) {
  std::string faint;
  for (const auto& [y, text] : lines) {
    const std::string line = fmt::format("M{} {}H{}", left, whole(y), right);
    if (y == emphasised)
      svg.path(line, kDim);
    else
      faint += line;
    svg.text(left - 8, whole(y + 4), text, with(kSmall, "end"));
  }
  svg.path(faint, kRule);
}

/// Values to places.
class Axis {
 public:
  Axis(double low, double high, double from, double to, bool logarithmic)
      : low_(low), high_(high), from_(from), to_(to), logarithmic_(logarithmic) {}
  double operator()(double value) const {
    const double share =
        logarithmic_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
    return from_ + (to_ - from_) * std::clamp(share, 0.0, 1.0);
  }

 private:
  double low_, high_, from_, to_;
  bool logarithmic_;
};

/// Powers of a base that enclose a range, few enough to be written.
std::vector<double> powers(double low, double high, double base, std::size_t most) {
  for (double step = 1;; ++step) {
    const double unit = step * std::log(base);
    const double first = std::floor(std::log(low) / unit + 0.02),
                 last = std::ceil(std::log(high) / unit - 0.02);
    if (last - first + 1 > static_cast<double>(most)) continue;
    std::vector<double> marks;
    for (double p = first; p <= std::max(last, first + 1); ++p) marks.push_back(std::pow(base, step * p));
    return marks;
  }
}

void marks_of(Svg& svg, Who who, int style, const std::vector<std::pair<double, double>>& points,
              std::string_view title = "") {
  std::string at;
  for (const auto& [x, y] : points) at += fmt::format("M{}h0", to(x, y));
  const bool square = who == Who::vendor && style % 4 < 2, hollow = who == Who::vendor && style % 2 == 0;
  const char* cap = square ? "square" : "round";
  svg.path(at,
           {colour(who),
            who == Who::other  ? 3.0
            : who == Who::also ? 4.0
            : square           ? 5.5
                               : 6.5,
            "", cap},
           title);
  if (hollow) svg.path(at, {kPage, square ? 2.5 : 3.5, "", cap});
}

const char* dash(Who who, int style) {
  constexpr const char* kDashes[] = {"6 3", "2 2.5", "8 3 2 3", "12 4"};
  return who == Who::vendor || who == Who::also ? kDashes[style % 4] : "";
}

/// A line and its marks; what it says of all points where the mouse rests.
void draw(Svg& svg, const Curve& curve, const std::vector<std::pair<double, double>>& points,
          bool connected) {
  std::string line, words = curve.name;
  for (std::size_t p = 0; p < points.size(); ++p) {
    line += (p == 0 ? "M" : "L") + to(points[p].first, points[p].second);
    if (!curve.points[p].text.empty()) words += "\n" + curve.points[p].text;
  }
  if (connected && points.size() > 1) {
    const double width = curve.who == Who::best ? 2.4 : curve.who == Who::other ? 1.2 : 1.7;
    svg.path(line, {colour(curve.who), width, dash(curve.who, curve.style)}, words);
  }
  if (curve.who != Who::other || !connected || points.size() == 1)
    marks_of(svg, curve.who, curve.style, points);
}

/// Texts that may be moved up and down until none meets another.
class Column {
 public:
  void add(double y, const std::string& text, Svg::Font font) { labels_.push_back({y, text, font}); }
  void draw(Svg& svg, double x, double room, double lowest) {
    constexpr double kLine = 13;
    std::ranges::stable_sort(labels_, {}, &Label::y);
    for (std::size_t l = 1; l < labels_.size(); ++l)
      labels_[l].y = std::max(labels_[l].y, labels_[l - 1].y + kLine);
    for (std::size_t l = labels_.size(); l-- > 0; lowest = labels_[l].y - kLine)
      labels_[l].y = std::min(labels_[l].y, lowest);
    for (const Label& label : labels_)
      svg.text(whole(x), whole(label.y + 4), cut(label.text, room, label.font.size), label.font);
  }

 private:
  struct Label {
    double y;
    std::string text;
    Svg::Font font;
  };
  std::vector<Label> labels_;
};

/// The first and the last size, and of the others those that have room.
void size_labels(Svg& svg, const Panel& panel, double left, double right) {
  const std::size_t last = panel.sizes.size() - 1;
  const auto box = [&](std::size_t s) {
    const double x = left + (right - left) * panel.place[s],
                 half = room_of(panel.sizes[s], kSmall.size) / 2 + 4;
    // The outer ones may reach as far as the labels beside the plot do.
    const double centre = std::clamp(x, half, kWidth - half);
    return std::pair(centre - half, centre + half);
  };
  double taken = -std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s <= last; ++s) {
    const auto [from, to] = box(s);
    if (from < taken || (s < last && to > box(last).first)) continue;
    taken = to;
    svg.text(whole((from + to) / 2), kBottom + 18, panel.sizes[s], with(kSmall, "middle"));
  }
}

/// Title, grid and lines. `written`: how a value stands on the axis; `label`: at the end of a curve.
std::string panel_of(const Panel& panel, const std::vector<double>& marks, bool logarithmic, double right,
                     const std::function<std::string(double)>& written,
                     const std::function<std::string(const Curve&)>& label) {
  Svg svg(kSmall);
  svg.text(0, 14, cut(panel.title, kWidth, kTitle.size), kTitle);
  svg.text(0, 30, cut(panel.subtitle, kWidth, kSmall.size), kSmall);
  const Axis y(marks.front(), marks.back(), kBottom, kTop, logarithmic);
  std::vector<std::pair<double, std::string>> lines;
  for (const double mark : marks) lines.emplace_back(y(mark), written(mark));
  grid(svg, kLeft, right, lines, y(1));
  const double inset = 6;
  const auto x = [&](std::size_t size) {
    return kLeft + inset + (right - kLeft - 2 * inset) * panel.place[size];
  };
  size_labels(svg, panel, kLeft + inset, right - inset);
  const auto places = [&](const Curve& curve) {
    std::vector<std::pair<double, double>> all;
    for (const Curve::Point& p : curve.points) all.emplace_back(x(p.size), y(p.value));
    return all;
  };
  if (logarithmic && panel.connected && !panel.curves.empty()) {
    // Above and below 1 apart: where the line crosses, both areas have a corner.
    const auto points = places(panel.curves[0]);
    const double one = y(1);
    for (const bool above : {true, false}) {
      std::string area = fmt::format("M{}", to(points.front().first, one));
      for (std::size_t p = 0; p < points.size(); ++p) {
        const auto [px, py] = points[p];
        if (p > 0 && (points[p - 1].second < one) != (py < one)) {
          const auto [qx, qy] = points[p - 1];
          area += "L" + to(qx + (px - qx) * (one - qy) / (py - qy), one);
        }
        area += "L" + to(px, above ? std::min(py, one) : std::max(py, one));
      }
      area += fmt::format("L{}Z", to(points.back().first, one));
      svg.path(area, {"none", 1, "", "", above ? "var(--best-area)" : "var(--vendor-area)"});
    }
  }
  Column labels;
  for (const Who who : {Who::other, Who::vendor, Who::also, Who::best}) {  // the last lies on top
    std::vector<std::pair<double, double>> dots;
    for (const Curve& curve : panel.curves) {
      if (curve.who != who || curve.points.empty()) continue;
      const auto points = places(curve);
      if (who == Who::other && !panel.connected)
        dots.insert(dots.end(), points.begin(), points.end());
      else
        draw(svg, curve, points, panel.connected);
      if (who != Who::other)
        labels.add(points.back().second, label(curve), with(kSmall, "start", colour(who), who == Who::best));
    }
    if (!dots.empty()) marks_of(svg, who, 0, dots);
  }
  labels.draw(svg, right + 6, kWidth - right - 6, kBottom);
  return svg.figure(kWidth, kHeight, panel.title + ": " + panel.subtitle);
}

/// Names beside points: near them where there is room, else farther away with a line that leads there.
class Names {
 public:
  Names(double left, double right, double top, double bottom, bool also_left)
      : frame_{left, right, top, bottom}, also_left_(also_left) {}

  void keep_free(double x, double y) { taken_.push_back({x - 5, x + 5, y - 5, y + 5}); }

  /// Nothing where there is no room.
  void write(Svg& svg, double x, double y, const std::string& name, const Svg::Font& font) {
    // A bold name takes more room, and each font its own: DejaVu a fifth more than Arial.
    const double width = (font.bold ? 1.2 : 1.1) * room_of(name, font.size) + 2, height = 1.2 * font.size;
    for (const double aside : {0.0, 60.0, 120.0}) {
      for (double away = 0; away < 90; away += 14) {
        for (const bool right : {true, false}) {
          if (!right && !also_left_) break;
          for (const double direction : {1.0, -1.0}) {
            const double middle = y + direction * away, gap = 8 + away / 4 + aside,
                         from = right ? x + gap : x - gap - width;
            const Box box{from, from + width, middle - height / 2, middle + height / 2};
            if (!inside(box) || std::ranges::any_of(taken_, [&](const Box& t) { return meet(t, box); }))
              continue;
            taken_.push_back(box);
            if (gap > 8) {
              svg.path(fmt::format("M{}L{}", to(x + (right ? 4 : -4), y + (away > 0 ? direction * 3 : 0)),
                                   to(right ? from - 1 : from + width + 1, middle)),
                       {kDim, 0.7});
            }
            svg.text(whole(right ? from : from + width), whole(middle + height * 0.3), name,
                     with(font, right ? "start" : "end", font.colour, font.bold));
            return;
          }
        }
      }
    }
  }

 private:
  struct Box {
    double left, right, top, bottom;
  };
  bool inside(const Box& b) const {
    return b.left >= frame_.left && b.right <= frame_.right && b.top >= frame_.top &&
           b.bottom <= frame_.bottom;
  }
  static bool meet(const Box& a, const Box& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }

  Box frame_;
  bool also_left_;
  std::vector<Box> taken_;
};

}  // namespace

std::string ratio_panel(const Panel& panel) {
  double low = 0.8, high = 1.25;
  for (const Curve& curve : panel.curves) {
    for (const Curve::Point& p : curve.points) low = std::min(low, p.value), high = std::max(high, p.value);
  }
  std::vector<double> marks = powers(low, high, 2, 7);
  return panel_of(
      panel, marks, true, kWidth - 92, [](double mark) { return fmt::format("{:g}×", mark); },
      [](const Curve& c) { return fmt::format("{} {:.3g}×", c.name, c.points.back().value); });
}

std::string share_panel(const Panel& panel) {
  return panel_of(
      panel, {0, 0.5, 1}, false, kWidth - 104,
      [](double mark) { return fmt::format("{:.0f} %", 100 * mark); }, [](const Curve& c) { return c.name; });
}

std::string spark_line(const std::vector<double>& ratios) {
  constexpr double kW = 120, kH = 28;
  const Axis y(0.25, 4, kH - 3, 3, true);
  Svg svg;
  svg.path(fmt::format("M0 {}H{}", whole(y(1)), kW), {kDim, 1, "3 3"});
  std::string line, end;
  for (std::size_t r = 0; r < ratios.size(); ++r) {
    const double x = ratios.size() == 1 ? kW / 2 : 4 + (kW - 8) * double(r) / double(ratios.size() - 1);
    line += (r == 0 ? "M" : "L") + to(x, y(ratios[r]));
    end = fmt::format("M{}h0", to(x, y(ratios[r])));
  }
  if (!ratios.empty()) {
    svg.path(line, {kBest, 2});
    svg.path(end, {kBest, 6, "", "round"});
  }
  return svg.figure(int(kW), int(kH), "");
}

std::string error_panel(const std::string& title, const std::vector<Mark>& marks) {
  constexpr double kRight = kWidth - 14;
  double slowest = 1, least = 1, most = 1;
  for (const Mark& m : marks) {
    slowest = std::max(slowest, m.x), most = std::max(most, m.y);
    if (m.y > 0) least = std::min(least, m.y);
  }
  Svg svg(kSmall);
  svg.text(0, 14, cut(title, kWidth, kTitle.size), kTitle);
  svg.text(0, 30, "error, of what is allowed", kSmall);
  const std::vector<double> errors = powers(std::max(least, 1e-12), most, 10, 5),
                            times = powers(1, slowest * 1.1, 2, 6);
  const Axis x(times.front(), times.back(), kLeft + 12, kRight - 10, true),
      y(errors.front(), errors.back(), kBottom - 18, kTop, true);
  std::vector<std::pair<double, std::string>> lines{{kBottom, "0"}};
  for (const double error : errors) lines.emplace_back(y(error), fmt::format("{:.3g} %", 100 * error));
  grid(svg, kLeft, kRight, lines, y(1));
  for (const double time : times)
    svg.text(whole(x(time)), kBottom + 18, fmt::format("{:g}×", time), with(kSmall, "middle"));
  const auto height = [&](const Mark& m) { return m.y > 0 ? y(m.y) : kBottom; };
  Names names(kLeft, kWidth, kTop - 8, kBottom + 6, true);
  for (const Mark& m : marks) names.keep_free(x(m.x), height(m));
  for (const Who who : {Who::other, Who::vendor, Who::best}) {
    for (const Mark& m : marks) {
      if (m.who != who) continue;
      marks_of(svg, who, 0, {{x(m.x), height(m)}}, m.text);
    }
  }
  for (const Who who : {Who::best, Who::vendor, Who::other}) {
    for (const Mark& m : marks) {
      if (m.who == who && !m.name.empty())
        names.write(svg, x(m.x), height(m), m.name,
                    with(kSmall, "start", who == Who::other ? kDim : colour(who), who == Who::best));
    }
  }
  return svg.figure(kWidth, kHeight, title + ": error beside speed");
}

std::string roofline(const std::vector<Roof>& roofs, const std::vector<Mark>& marks) {
  constexpr int kW = 440, kH = 320;
  constexpr double kL = 62, kR = kW - 24, kT = 26, kB = kH - 46;
  double least = std::numeric_limits<double>::infinity(), most = 0, low = least, high = 0;
  for (const Mark& m : marks) {
    least = std::min(least, m.x), most = std::max(most, m.x);
    low = std::min(low, m.y), high = std::max(high, m.y);
  }
  double flat = 0, steep = 0;
  for (const Roof& r : roofs) (r.per_byte ? steep : flat) = std::max(r.per_byte ? steep : flat, r.rate);
  if (flat > 0 && steep > 0) most = std::max(most, 4 * flat / steep);  // where the roofs meet is seen
  high = std::max({high, flat, flat > 0 ? 0 : steep * most});
  const std::vector<double> xs = powers(least / 1.5, most * 1.5, 10, 7), ys = powers(low / 1.5, high, 10, 7);
  const Axis x(xs.front(), xs.back(), kL, kR, true), y(ys.front(), ys.back(), kB, kT, true);
  Svg svg(kSmall);
  svg.text(0, 12, "GFLOP/s", kSmall);
  svg.text(kR, kH - 6, "operations per byte that must move", with(kSmall, "end"));
  std::vector<std::pair<double, std::string>> lines;
  for (const double mark : ys) lines.emplace_back(y(mark), fmt::format("{:g}", mark));
  grid(svg, kL, kR, lines, -1);
  for (const double mark : xs)
    svg.text(whole(x(mark)), kB + 18, fmt::format("{:g}", mark), with(kSmall, "middle"));
  Names names(kL + 2, kW, kT - 12, kB - 2, false);  // left of the points are the roofs
  for (const Mark& m : marks) names.keep_free(x(m.x), y(m.y));
  std::vector<double>
      flat_names;    // where names of flat roofs stand: one that would meet another goes below it
  double above = 0;  // of the names of slopes, which stand over them, the steepest on top
  for (const Roof& r : roofs) {
    const double top = flat > 0 ? flat : ys.back(),
                 until = r.per_byte ? std::min(xs.back(), top / r.rate) : xs.back();
    const double from = std::max(xs.front(), r.per_byte  ? ys.front() / r.rate
                                             : steep > 0 ? r.rate / steep
                                                         : 0);
    if (from >= until) continue;
    const auto at = [&](double intensity) {
      return std::pair(x(intensity), y(r.per_byte ? r.rate * intensity : r.rate));
    };
    const auto [x0, y0] = at(from);
    const auto [x1, y1] = at(until);
    svg.path(fmt::format("M{}L{}", to(x0, y0), to(x1, y1)), {kInk, 1.4});
    for (double share = 0; share <= 1; share += 0.02)
      names.keep_free(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
    const std::string words = r.name + " " + show_billions(r.rate, r.per_byte ? "B/s" : "FLOP/s");
    // Names stand on the far side of the slope, where no point can be.
    const double along = r.per_byte ? 0.5 : 0;
    double height = y0 + (y1 - y0) * along + (r.per_byte ? above - 12 : 4);
    if (!r.per_byte) {
      while (std::any_of(flat_names.begin(), flat_names.end(),
                         [&](double other) { return std::abs(other - height) < 13; }))
        height += 13;
      flat_names.push_back(height);
    }
    svg.text(whole(x0 + (x1 - x0) * along - 14), whole(height), words, with(kSmall, "end", kInk));
    if (r.per_byte) above += 13;
  }
  for (std::size_t a = 0; a < marks.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (marks[a].name == marks[b].name)
        svg.path(fmt::format("M{}L{}", to(x(marks[a].x), y(marks[a].y)), to(x(marks[b].x), y(marks[b].y))),
                 kDim);
    }
  }
  for (const Who who : {Who::vendor, Who::best}) {
    for (const Mark& m : marks) {
      if (m.who == who) marks_of(svg, who, 0, {{x(m.x), y(m.y)}}, m.text);
    }
  }
  std::vector<std::string> named;
  const auto once = [&](const Mark& m) {
    const bool first = std::ranges::find(named, m.name) == named.end();
    if (first) named.push_back(m.name);
    return first;
  };
  for (const Who who : {Who::best, Who::vendor}) {
    for (const Mark& m : marks) {
      if (m.who != who || !once(m)) continue;
      std::string all = m.name;  // and of those at the same place
      for (const Mark& other : marks) {
        const bool near = std::abs(x(other.x) - x(m.x)) < 3 && std::abs(y(other.y) - y(m.y)) < 3;
        if (other.who == who && near && once(other)) all += ", " + other.name;
      }
      names.write(svg, x(m.x), y(m.y), all, with(kSmall, "start", colour(who), true));
    }
  }
  return svg.figure(kW, kH, "roofline");
}

std::string samples_strip(const std::vector<double>& samples, double median, double range) {
  constexpr double kW = 110;
  const Axis x(1 - range, 1 + range, 2, kW - 2, false);
  std::set<long> places;
  for (const double sample : samples) places.insert(std::lround(x(sample / median)));
  std::string ticks;
  for (const long place : places) ticks += fmt::format("M{} 3v8", place);
  return fmt::format("<svg viewBox='0 0 {} 14'><path d='{}'/></svg>", kW, ticks);  // there are hundreds
}

std::string change_strip(double ratio, double noise, double range) {
  constexpr double kW = 160, kH = 14, kMiddle = kH / 2;
  const Axis x(1 / range, range, 4, kW - 4, true);
  Svg svg;
  const double from = whole(x(1 / (1 + noise))), until = whole(x(1 + noise));
  svg.rectangle(from, 1, whole(until - from), kH - 2, kRule);
  svg.path(fmt::format("M{} 0v{}", whole(x(1)), kH), kDim);
  svg.path(fmt::format("M{} {}H{}", whole(x(1)), kMiddle, whole(x(ratio))), {"currentColor", 2});
  const double tip = x(ratio), back = ratio > 1 ? -5 : 5;
  svg.path(fmt::format("M{} {}l{} -4v8z", whole(tip), kMiddle, back), {"none", 1, "", "", "currentColor"});
  return svg.figure(int(kW), int(kH), "");
}

}  // namespace tandem::command
