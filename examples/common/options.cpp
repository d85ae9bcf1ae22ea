#include "common/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

namespace tandem::terminal {
namespace {

/// --help within the terminal's width.
class Wrapping : public CLI::Formatter {
  std::string make_option_desc(const CLI::Option* option) const override {
    return beside_names(Formatter::make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* sub) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, sub->get_display_name(true), beside_names(sub->get_description()),
                             get_column_width());
    return out.str();
  }
  std::string make_description(const CLI::App* app) const override {
    return paragraphs(Formatter::make_description(app));
  }
  std::string make_footer(const CLI::App* app) const override {
    return paragraphs(Formatter::make_footer(app));
  }

  std::string beside_names(const std::string& text) const {
    constexpr std::size_t kLeast = 30;
    const std::size_t names = get_column_width(), columns = std::max(terminal_width(), names + kLeast);
    return fmt::format("{}", fmt::join(wrapped(text, columns - names), "\n"));
  }
  /// Line by line; what is indented is a command line, which can be copied.
  static std::string paragraphs(const std::string& text) {
    std::string all;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      all +=
          line.starts_with(' ') ? line : fmt::format("{}", fmt::join(wrapped(line, terminal_width()), "\n"));
      if (end < text.size()) all += '\n';
      begin = end + 1;
    }
    return all;
  }
};

}  // namespace

void wrap_help(CLI::App& app) { app.formatter(std::make_shared<Wrapping>()); }

Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::default_str(const std::string& text) const { return Option(option_->default_str(text)); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::required() const { return Option(option_->required()); }
Option Option::expected(int least, int most) const { return Option(option_->expected(least, most)); }
Option Option::one_of(const std::vector<std::string>& texts) const {
  return Option(option_->check(CLI::IsMember(texts)));
}
Option Option::check(std::function<std::string(const std::string&)> problem) const {
  return Option(option_->check(std::move(problem)));
}
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::excludes(const std::string& other) const { return Option(option_->excludes(other)); }
std::size_t Option::count() const { return option_->count(); }

std::string not_empty(const std::string& text) { return text.empty() ? "needs a value" : ""; }

std::string Command::name() const { return app_->get_name(); }
Command Command::subcommand(const std::string& name, const std::string& description) const {
  return *app_->add_subcommand(name, description);
}
Command Command::footer(const std::string& text) const { return *app_->footer(text); }
void Command::callback(std::function<void()> run) const { app_->callback(std::move(run)); }
void Command::require_subcommand() const { app_->require_subcommand(1); }

Option Command::flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(app_->add_flag(name, value, help));
}
Option Command::flag(const std::string& name, std::function<void()> set, const std::string& help) const {
  return Option(app_->add_flag_callback(name, std::move(set), help));
}
Option Command::option(const std::string& name, std::string& value, const std::string& help) const {
  return Option(app_->add_option(name, value, help));
}
Option Command::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) const {
  return Option(app_->add_option(name, values, help));
}
Option Command::option(const std::string& name, std::function<void(const std::string&)> take,
                       const std::string& help) const {
  return Option(app_->add_option_function<std::string>(name, take, help));
}

// CLI11 would drop the empty part of "1K,,2K".
Option Command::texts(const std::string& name, std::vector<std::string>& values,
                      const std::string& help) const {
  const auto take = [&values, name](const std::vector<std::string>& texts) {
    values.clear();
    for (const std::string& text : texts) {
      for (std::string& part : parse_list(text, ',', name)) values.push_back(std::move(part));
    }
  };
  return Option(app_->add_option_function<std::vector<std::string>>(name, take, help)
                    ->default_str(fmt::format("{}", fmt::join(values, ","))));
}

Program::Program(const std::string& name, const std::string& description)
    : Command(*new CLI::App(description, name)) {
  wrap_help(app());
}
Program::~Program() { delete &app(); }
bool Program::parse(int argc, char** argv) {
  try {
    app().parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app().exit(error) == 0;  // --help, too, comes this way
  }
  return true;
}

}  // namespace tandem::terminal
