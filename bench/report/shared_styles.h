#pragma once
// How the lines and texts of a page's pictures look, said once for all that look alike: without it half of a page would be this.

#include <map>
#include <string>
#include <string_view>

namespace tandem::command {

class SharedStyles {
 public:
  /// HTML whose pictures, paths and texts name a class instead of what is theirs of stroke and font.
  std::string shortened(std::string_view html);
  /// A style sheet that says what the classes mean.
  std::string rules() const;

 private:
  std::map<std::string, std::string> classes_;  // by declarations
};

}  // namespace tandem::command
