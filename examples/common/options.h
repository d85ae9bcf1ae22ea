#pragma once
// Options that are numbers or lists. CLI11 would take -1 for a large unsigned number and 010 for 8, and drop the
// empty part of "1K,,2K".

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

#include "common/terminal.h"

namespace tandem::terminal {

/// An option whose text `parse` turns into a value; --help shows what the value is now as the default.
template <class T, class Parse>
CLI::Option* add_parsed(CLI::App* app, const std::string& name, T& value, const std::string& help,
                        Parse parse) {
  return app
      ->add_option_function<std::string>(
          name, [&value, parse](const std::string& text) { value = parse(text); }, help)
      ->type_name(std::is_integral_v<T> ? "INT" : "FLOAT")
      ->default_str(fmt::format("{}", value));
}

/// An option that is a number, see parse_number.
template <class T>
CLI::Option* add_number(CLI::App* app, const std::string& name, T& value, const std::string& help) {
  return add_parsed(app, name, value, help,
                    [name](const std::string& text) { return parse_number<T>(text, name); });
}
template <std::integral T>
CLI::Option* add_number(CLI::App* app, const std::string& name, T& value, const std::string& help,
                        std::type_identity_t<T> least, std::type_identity_t<T> most) {
  return add_parsed(app, name, value, help,
                    [=](const std::string& text) { return parse_number<T>(text, name, least, most); });
}

/// For check(): an option whose text may be left out, but not be empty.
inline std::string not_empty(const std::string& text) { return text.empty() ? "needs a value" : ""; }

/// An option that takes texts with commas between them, and may be given more than once.
inline CLI::Option* add_texts(CLI::App* app, const std::string& name, std::vector<std::string>& values,
                              const std::string& help) {
  const auto take = [&values, name](const std::vector<std::string>& texts) {
    values.clear();
    for (const std::string& text : texts) {
      for (std::string& part : parse_list(text, ',', name)) values.push_back(std::move(part));
    }
  };
  return app->add_option_function<std::vector<std::string>>(name, take, help)
      ->default_str(fmt::format("{}", fmt::join(values, ",")));
}

}  // namespace tandem::terminal
