// tandem manual: the man page, made from what --help says of every command.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bench/command/command.h"

namespace tandem::command {
namespace {

/// As roff takes a text: no letter of it is a command.
std::string roff(std::string_view text) {
  std::string out;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_starts = c == '\n';
  }
  return out;
}

/// Lines of a footer are paragraphs, but those of one sentence belong together.
void print_footer(const std::string& footer) {
  std::string_view rest = footer;
  bool sentence_ended = true;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty()) continue;
    fmt::print("{}{}\n", sentence_ended || line.starts_with("Example:") ? ".PP\n" : "", roff(line));
    sentence_ended = line.ends_with('.') || line.starts_with("Example:");
  }
}

void print_option(const CLI::Option& option) {
  std::string line =
      fmt::format("\\fB{}\\fR", roff(option.get_name(option.get_positional(), !option.get_positional())));
  if (option.get_type_size() != 0 && !option.get_positional())
    line += fmt::format(" \\fI{}\\fR", roff(option.get_type_name()));
  if (option.get_expected_max() > 1) line += " ...";
  std::string text = option.get_description();
  if (option.get_required()) text += " (required)";
  if (!option.get_default_str().empty()) text += fmt::format(" (default: {})", option.get_default_str());
  fmt::print(".TP\n{}\n{}\n", line, roff(text));
}

void print_options(const CLI::App& app) {
  for (const bool positional : {true, false}) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() == positional) print_option(*option);
    }
  }
}

void print_commands(const CLI::App& app, const std::string& path) {
  for (const CLI::App* sub : app.get_subcommands({})) {
    const std::string name = path + " " + sub->get_name();
    fmt::print(".SS \"{}\"\n{}.\n", roff(name), roff(sub->get_description()));
    print_options(*sub);
    print_footer(sub->get_footer());
    print_commands(*sub, name);
  }
}

void print_manual(const CLI::App& app) {
  fmt::print(".\\\" Made by: tandem manual\n.TH TANDEM 1 \"\" \"Tandem {}\" \"User Commands\"\n",
             TANDEM_VERSION_STRING);
  fmt::print(".SH NAME\ntandem \\- compare library calls with hand-written kernels\n");
  fmt::print(".SH SYNOPSIS\n.B tandem\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n");
  fmt::print(".SH DESCRIPTION\n{}\n", roff(app.get_description()));
  print_footer(app.get_footer());
  fmt::print(".SH OPTIONS\n");
  print_options(app);
  fmt::print(".SH COMMANDS\n");
  print_commands(app, app.get_name());
  fmt::print(
      ".SH EXIT STATUS\n.TP\n{}\nsuccess\n.TP\n{}\na wrong result, or what the command's help says\n"
      ".TP\n{}\nthe command line, a file or this machine does not allow it; one line on standard error says "
      "why\n",
      static_cast<int>(kSuccess), static_cast<int>(kWrongResult), static_cast<int>(kBadUsage));
}

}  // namespace

void add_manual(Command program) {
  const auto sub = program.subcommand("manual", "The man page of tandem, as roff");
  sub.footer("cmake --install puts it where man looks for it.\nExample: tandem manual | man -l -");
  sub.callback([program] { print_manual(program.app()); });
}

}  // namespace tandem::command
