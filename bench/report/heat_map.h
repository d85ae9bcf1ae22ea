#pragma once
// Tables of numbers as coloured squares, for people who would rather look than read.

#include <map>
#include <string>
#include <vector>

namespace tandem::command {

struct HeatMap {
  struct Cell {
    int row, column;
    double value;       // gives the colour
    std::string text;   // the value as it is written
    std::string small;  // written below it
  };
  std::string title, subtitle;
  std::map<int, std::string> rows, columns;  // labels, in order
  std::vector<Cell> cells;                   // what is missing stays empty
};

/// One SVG of all maps, below each other. The colour of a cell is its share of the largest value of its map.
std::string draw(const std::vector<HeatMap>& maps);
/// The same as a part of a page (Svg::figure).
std::string figure_of(const std::vector<HeatMap>& maps);

}  // namespace tandem::command
