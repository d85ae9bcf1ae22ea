#pragma once
// The options of a command line. CLI11 parses them; it takes seconds to compile, so only options.cpp and files that go over
// whole command lines (main.cpp, the man page, completion) include it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "common/terminal.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tandem::terminal {

/// --help of this program and of the subcommands that are added later keeps within the terminal's width.
void wrap_help(CLI::App& app);

/// One option of a command. Calls can be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  /// What --help calls a value, and shows as the default.
  Option type_name(const std::string& name) const;
  Option default_str(const std::string& text) const;
  /// The default is what the variable holds now.
  Option show_default() const;

  Option required() const;
  /// How many values it takes.
  Option expected(int least, int most) const;
  Option one_of(const std::vector<std::string>& texts) const;
  /// `problem` says what is wrong with a text, or nothing.
  Option check(std::function<std::string(const std::string&)> problem) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  Option excludes(const std::string& other) const;

  /// How often the command line has it, once it is parsed.
  std::size_t count() const;

 private:
  CLI::Option* option_;
};

/// For check(): a text that may be left out, but not be empty.
std::string not_empty(const std::string& text);

/// A command or subcommand. Options write into variables, which must outlive the parsing.
class Command {
 public:
  Command(CLI::App& app) : app_(&app) {}
  CLI::App& app() const { return *app_; }
  std::string name() const;

  Command subcommand(const std::string& name, const std::string& description) const;
  Command footer(const std::string& text) const;
  /// What to do when the command line has this command.
  void callback(std::function<void()> run) const;
  void require_subcommand() const;

  Option flag(const std::string& name, bool& value, const std::string& help) const;
  Option flag(const std::string& name, std::function<void()> set, const std::string& help) const;
  Option option(const std::string& name, std::string& value, const std::string& help) const;
  /// May be given more than once.
  Option option(const std::string& name, std::vector<std::string>& values, const std::string& help) const;
  /// `take` gets the text.
  Option option(const std::string& name, std::function<void(const std::string&)> take,
                const std::string& help) const;
  /// Texts with commas between them; may be given more than once.
  Option texts(const std::string& name, std::vector<std::string>& values, const std::string& help) const;

  /// `parse` turns the text into a value.
  template <class T, class Parse>
  Option parsed(const std::string& name, T& value, const std::string& help, Parse parse) const {
    return option(
               name, [&value, parse](const std::string& text) { value = parse(text); }, help)
        .type_name(std::is_integral_v<T> ? "INT" : "FLOAT")
        .default_str(fmt::format("{}", value));
  }
  /// A number, see parse_number.
  template <class T>
  Option number(const std::string& name, T& value, const std::string& help) const {
    return parsed(name, value, help,
                  [name](const std::string& text) { return parse_number<T>(text, first_of(name)); });
  }
  template <std::integral T>
  Option number(const std::string& name, T& value, const std::string& help, std::type_identity_t<T> least,
                std::type_identity_t<T> most) const {
    return parsed(name, value, help, [=](const std::string& text) {
      return parse_number<T>(text, first_of(name), least, most);
    });
  }

 private:
  /// What messages call an option that has two names: "--trial,--case".
  static std::string first_of(const std::string& names) { return names.substr(0, names.find(',')); }

  CLI::App* app_;
};

/// A program: the command of all others.
class Program : public Command {
 public:
  Program(const std::string& name, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  /// Runs what the command line asks for. False if it is wrong, and says so on standard error.
  bool parse(int argc, char** argv);
};

}  // namespace tandem::terminal
