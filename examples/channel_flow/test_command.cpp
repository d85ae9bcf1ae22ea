// The command in processes of its own: interruptions, exit status, messages.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "test_support.h"

namespace channel {
namespace {

/// The command with these arguments in a process of its own; its output goes to `output`.
class Process {
 public:
  Process(const std::vector<std::string>& arguments, const std::string& output) {
    std::vector<std::string> words{CHANNEL_FLOW_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    id_ = fork();
    if (id_ == 0) {
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      if (file < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0) _exit(99);
      execv(argv[0], argv.data());
      _exit(98);
    }
  }
  void kill(int signal) { ::kill(id_, signal); }
  /// The exit status; 1000 + signal where one ended it.
  int wait() {
    int status = 0;
    waitpid(id_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  pid_t id_;
};

int command(const std::vector<std::string>& arguments, const std::string& output) {
  return Process(arguments, output).wait();
}

}  // namespace

TEST_SUITE_BEGIN("channel_flow");

TEST_CASE("a run that is killed at any moment goes on and gives the same fields, bit for bit") {
  const TemporaryDirectory directory;
  const std::string log = directory / "log", checkpoint = directory / "flow.cfc";
  const std::vector<std::string> flow{"run", "--nodes", "24x12x10", "--steps", "300", "--on", "cpu"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), flow.begin(), flow.end());
    return more;
  };
  REQUIRE(command(with({"--vti", directory / "whole.vti"}), log) == 0);
  const std::vector<std::string> saving{
      "--checkpoint", checkpoint, "--checkpoint-every", "1", "--vti", directory / "parts.vti"};
  std::vector<std::string> arguments = with(saving);
  int kills = 0, status = -1;
  for (int round = 0; round < 200 && status != 0; ++round) {
    Process process(arguments, log);
    std::this_thread::sleep_for(std::chrono::milliseconds(40 + 13 * round));
    process.kill(SIGKILL);
    status = process.wait();
    kills += status == 1000 + SIGKILL;
    if (std::ifstream(checkpoint) && arguments.size() == flow.size() + saving.size()) {
      arguments.push_back("--resume");
      arguments.push_back(checkpoint);
    }
    if (status != 0) REQUIRE_MESSAGE(status == 1000 + SIGKILL, slurp(log));
  }
  CHECK(kills > 0);
  CHECK(status == 0);
  CHECK(slurp(directory / "parts.vti") == slurp(directory / "whole.vti"));
}

TEST_CASE("Ctrl-C leaves a checkpoint, and a bad call leaves everything as it was") {
  const TemporaryDirectory directory;
  const std::string log = directory / "log", checkpoint = directory / "flow.cfc";
  Process process(
      {"run", "--nodes", "24x12x10", "--steps", "1000000", "--on", "cpu", "--checkpoint", checkpoint}, log);
  while (!contains(slurp(log), " 3 ")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.kill(SIGINT);
  CHECK(process.wait() == 130);
  CHECK(contains(slurp(log), "go on with --resume"));
  const std::string saved = slurp(checkpoint);
  CHECK(!saved.empty());

  CHECK(command(
            {"run", "--nodes", "24x12x11", "--on", "cpu", "--checkpoint", checkpoint, "--resume", checkpoint},
            log) == 2);
  CHECK(contains(slurp(log), "nodes along z is 10 in it and 11 in this run"));
  CHECK(command({"run", "--nodes", "24x12x10", "--on", "cpu", "--re", "0", "--checkpoint", checkpoint},
                log) == 2);
  CHECK(contains(slurp(log), "Re is 0; it must be positive"));
  CHECK(command({"run", "--on", "cpu", "--steps", "1", "--checkpoint", checkpoint}, log) == 2);
  CHECK(contains(slurp(log), "is already there"));
  CHECK(slurp(checkpoint) == saved);
  CHECK(command({"run", "--vti", directory / "no/where.vti"}, log) == 2);
  CHECK(command({"run", "--nodes", "8x8"}, log) == 2);
  CHECK(command({"run", "--solver", "nothing", "--steps", "1"}, log) == 2);
  CHECK(command({"bench", "nothing"}, log) == 2);
  CHECK(command({"--help"}, log) == 0);
  CHECK(contains(slurp(log), "Example: channel_flow run"));
}

TEST_SUITE_END();

}  // namespace channel
