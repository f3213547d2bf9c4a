// Runs the built binary against a server in this process.
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>

#include "gpt2_check/hub/tests/fake_hub.hpp"

namespace attn::hub {
namespace {

namespace fs = std::filesystem;
using test::kModel;
using test::Reply;
using test::Request;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class FetchCommand : public test::WithHub {
 protected:
  struct Outcome {
    int status{};
    std::string out, err;
  };

  void SetUp() override {
    WithHub::SetUp();
    setenv("HF_ENDPOINT", server.url().c_str(), 1);
    setenv("HF_HUB_CACHE", cache.c_str(), 1);
    unsetenv("HF_HUB_OFFLINE");
    unsetenv("HF_TOKEN");
  }

  [[nodiscard]] Outcome run(const std::string& arguments) const {
    const std::string command =
        fmt::format("'{}' {} </dev/null >'{}/out' 2>'{}/err'", ATTN_GPT2_CHECK, arguments,
                    folder.string(), folder.string());
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::read_bytes(folder / "out"),
            test::read_bytes(folder / "err")};
  }

  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(MatchesRegex("gpt2_check: [^\n]+\n"), HasSubstr(message)));
  }
};

TEST_F(FetchCommand, PrintsTheFolderOfTheSnapshot) {
  const Outcome outcome = run("fetch someone/small");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, (repository_folder() / "snapshots" / commit).string() + "\n");
  EXPECT_EQ(outcome.err, "") << "no progress where stderr is no terminal";
  const Outcome tokens =
      run(fmt::format("tokenize --model someone/small '{}'", write("text", "!").string()));
  EXPECT_EQ(tokens.out, fmt::format("[{}]\n", int{'!'})) << tokens.err;
}

TEST_F(FetchCommand, TakesARevision) {
  EXPECT_EQ(run("fetch someone/small --revision " + commit).status, 0);
  EXPECT_THAT(server.requests().front().target, HasSubstr("/resolve/" + commit + "/"));
}

TEST_F(FetchCommand, RefusesWithOneLine) {
  expect_refused("fetch nobody/nothing", "expected the file, found HTTP 404");
  expect_refused("fetch 'no name'", "expected a hub name");
  expect_refused("fetch", "name is required");
  setenv("HF_HUB_OFFLINE", "True", 1);
  expect_refused("fetch someone/small", "HF_HUB_OFFLINE");
}

TEST_F(FetchCommand, KeepsWhatHasComeAtAnInterrupt) {
  constexpr std::size_t kSent = 1000;
  std::promise<void> interrupted;
  const std::shared_future<void> is_interrupted = interrupted.get_future().share();
  answer_by([&](const Request& request) {
    Reply reply = answer(request);
    if (test::asks_for(request, kModel)) {
      reply.cut_after = kSent;
      reply.before_end = [&] { is_interrupted.wait(); };
    }
    return reply;
  });
  std::string program = ATTN_GPT2_CHECK;
  std::string words[] = {"fetch", "someone/small"};
  char* const argv[] = {program.data(), words[0].data(), words[1].data(), nullptr};
  signal(SIGINT, SIG_DFL);  // a job in the background ignores it, and so would the child
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, program.c_str(), nullptr, nullptr, argv, environ), 0);
  std::error_code missing;
  while (fs::file_size(incomplete(kModel), missing) != kSent &&
         waitpid(child, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGINT);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  interrupted.set_value();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_EQ(fs::file_size(incomplete(kModel)), kSent);
  EXPECT_FALSE(fs::exists(blob(kModel)));
  EXPECT_FALSE(fs::exists(repository_folder() / "refs" / "main"));

  answer_by([this](const Request& request) { return answer(request); });
  EXPECT_EQ(run("fetch someone/small").status, 0);
  EXPECT_EQ(server.requests().back().range, "bytes=1000-");
}

}  // namespace
}  // namespace attn::hub
