#include "bench/reproduce/recorded.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tandem::command {
namespace {

/// The element of a list of objects that has this text under a key; null where there is none.
const Json* find(const Json& list, const char* key, const std::string& text) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Json& object) { return object.at(key) == text; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

const Json* recorded_run(const std::string& table) {
  static const std::map<std::string, Json> runs = [] {
    std::map<std::string, Json> all;
    for (const char* const* text = kRecordedRuns; *text; ++text) {
      Json run = Json::parse(*text);
      all.emplace(run.at("table").get<std::string>(), std::move(run));
    }
    return all;
  }();
  const auto found = runs.find(table);
  return found == runs.end() ? nullptr : &found->second;
}

std::optional<double> recorded_number(const Json& run, const Section& section, const Line& line,
                                      const Column& column) {
  const Json* const there = find(run.at("sections"), "title", section.title);
  const Json* const row = there ? find(there->at("rows"), "name", line.name) : nullptr;
  const Json* const head = row ? find(there->at("columns"), "name", column.name) : nullptr;
  if (!head) return {};
  const auto c = static_cast<std::size_t>(head - &there->at("columns").front());
  const Json& number = row->at("cells").at(c).at("here");
  return number.is_null() ? std::nullopt : std::optional(number.get<double>());
}

Json to_json(const Claim& claim) {
  return {{"text", claim.text},
          {"here", claim.here},
          {"published", claim.published},
          {"least", claim.least},
          {"most", std::isinf(claim.most) ? Json(nullptr) : Json(claim.most)}};
}

std::vector<Claim> recorded_claims(const Json& run) {
  std::vector<Claim> claims;
  for (const Json& c : run.value("claims", Json::array())) {
    claims.push_back({c.at("text"), c.at("here").get<std::vector<double>>(),
                      c.at("published").get<std::vector<double>>(), c.at("least").get<double>()});
    if (!c.at("most").is_null()) claims.back().most = c.at("most").get<double>();
  }
  return claims;
}

}  // namespace tandem::command
