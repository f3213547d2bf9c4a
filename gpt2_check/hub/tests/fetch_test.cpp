// Fetches a small checkpoint from a server in this process that answers as the Hub does.
#include "gpt2_check/hub/fetch.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/hub/pins.hpp"
#include "gpt2_check/hub/tests/fake_hub.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"

namespace attn::hub {
namespace {

namespace fs = std::filesystem;
using test::asks_for;
using test::kModel;
using test::Reply;
using test::Request;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using enum BadInputKind;

constexpr std::size_t kTries = 6;

class Fetch : public test::WithHub {
 protected:
  fs::path fetch(const std::optional<std::string>& revision = std::nullopt) {
    return fetch_with(settings(), revision);
  }

  fs::path fetch_with(const Settings& settings,
                      const std::optional<std::string>& revision = std::nullopt) {
    return hub::fetch(repository, revision, settings,
                      {.notice = [&](const std::string& line) { notices.push_back(line); },
                       .progress = [&](const std::string&, std::uint64_t done,
                                       std::uint64_t) { last_done = done; }});
  }

  void expect_refused(const BadInputParts& parts) {
    EXPECT_BAD_INPUT(fetch(), parts);
    EXPECT_FALSE(fs::exists(repository_folder() / "refs" / "main"));
  }

  /// Every answer for a file is changed by `change` before it is sent.
  void change_answers(const std::string& file, std::function<void(const Request&, Reply&)> change) {
    answer_by([this, file, change = std::move(change)](const Request& request) {
      Reply reply = answer(request);
      if (request.target.ends_with("/" + file)) change(request, reply);
      return reply;
    });
  }

  /// The Range headers of the GETs of the large file, in order.
  [[nodiscard]] std::vector<std::string> ranges() const {
    std::vector<std::string> found;
    for (const Request& request : server.requests()) {
      if (asks_for(request, kModel)) found.push_back(request.range);
    }
    return found;
  }

  void expect_whole(const std::string& file) const {
    EXPECT_TRUE(test::read_bytes(repository_folder() / "snapshots" / commit / file) == bytes(file))
        << file;
  }

  std::vector<std::string> notices;
  std::uint64_t last_done{};
};

TEST_F(Fetch, LaysTheCacheOutAsPythonDoes) {
  const fs::path snapshot = fetch();
  EXPECT_EQ(snapshot, cache / "models--someone--small" / "snapshots" / commit);
  EXPECT_EQ(test::read_bytes(repository_folder() / "refs" / "main"), commit);
  for (const auto& [name, content] : files) {
    EXPECT_EQ(fs::read_symlink(snapshot / name), fs::path("../../blobs") / hash(name));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(blob(name))));
    EXPECT_TRUE(fs::exists(cache / ".locks" / "models--someone--small" / (hash(name) + ".lock")));
    expect_whole(name);
  }
  std::size_t blobs = 0;
  for (const auto& entry : fs::directory_iterator(repository_folder() / "blobs")) {
    EXPECT_NE(entry.path().extension(), ".incomplete");
    ++blobs;
  }
  EXPECT_EQ(blobs, files.size());
  EXPECT_EQ(last_done, bytes(kModel).size());
  EXPECT_THAT(notices, IsEmpty());
}

TEST_F(Fetch, GivesWhatTheModelIsLoadedFrom) {
  const fs::path snapshot = fetch();
  const fs::path located =
      gpt2::locate_model(repository, [&](const char* name) -> std::optional<std::string> {
        if (std::string(name) == "HF_HUB_CACHE") return cache.string();
        return std::nullopt;
      });
  EXPECT_EQ(located, snapshot);
  EXPECT_EQ(gpt2::load_checkpoint(located, at::kFloat).sha256, hash(kModel));
  EXPECT_THAT(Tokenizer::load(located).encode("!"), ElementsAre('!'));
}

TEST_F(Fetch, DownloadsNothingTwice) {
  fetch();
  EXPECT_EQ(downloads(), files.size());
  fetch();
  EXPECT_EQ(downloads(), files.size());
}

TEST_F(Fetch, AsksForEveryFileAtTheCommitOfTheFirst) {
  fetch();
  for (const Request& request : server.requests()) {
    const bool first = asks_for(request, "config.json", "HEAD");
    EXPECT_THAT(request.target, HasSubstr(first ? "/resolve/main/" : "/resolve/" + commit + "/"));
  }
}

TEST_F(Fetch, DownloadsADamagedBlobAgain) {
  fetch();
  std::string damaged = bytes(kModel);
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  std::ofstream(blob(kModel), std::ios::binary) << damaged;
  fetch();
  expect_whole(kModel);
  EXPECT_EQ(downloads(kModel), 2U);
  EXPECT_EQ(downloads("config.json"), 1U);
  EXPECT_THAT(notices, ElementsAre(HasSubstr("damaged")));
}

TEST_F(Fetch, TakesPlainFilesOfASnapshotAsTheyAre) {
  fetch();
  const fs::path file = repository_folder() / "snapshots" / commit / kModel;
  fs::remove(file);
  fs::rename(blob(kModel), file);
  fetch();
  EXPECT_EQ(downloads(kModel), 1U);
}

TEST_F(Fetch, LinksABlobThatIsThere) {
  fetch();
  fs::remove_all(repository_folder() / "snapshots");
  fetch();
  EXPECT_EQ(downloads(), files.size());
  expect_whole(kModel);
}

TEST_F(Fetch, GoesOnWhereACutConnectionEnded) {
  int cuts = 2;
  change_answers(kModel, [&](const Request& request, Reply& reply) {
    if (request.method == "GET" && cuts-- > 0) reply.cut_after = 1000;
  });
  fetch();
  expect_whole(kModel);
  EXPECT_THAT(ranges(), ElementsAre("", "bytes=1000-", "bytes=2000-"));
}

TEST_F(Fetch, GoesOnWhereAnEarlierRunEnded) {
  change_answers(kModel, [](const Request&, Reply& reply) { reply.cut_after = 100; });
  expect_refused(
      {.kind = unreadable, .found = "the connection cut 6 times", .advice = "again to go on"});
  EXPECT_EQ(test::read_bytes(incomplete(kModel)), bytes(kModel).substr(0, kTries * 100));
  EXPECT_FALSE(fs::exists(blob(kModel)));

  answer_by([this](const Request& request) { return answer(request); });
  fetch();
  expect_whole(kModel);
  EXPECT_EQ(ranges().back(), "bytes=600-");
  EXPECT_FALSE(fs::exists(incomplete(kModel)));
}

TEST_F(Fetch, StartsOverWithAServerWithoutRanges) {
  int cuts = 1;
  change_answers(kModel, [&](const Request& request, Reply& reply) {
    if (request.method != "GET") return;
    reply.status = 200;
    reply.headers.erase("Content-Range");
    reply.body = bytes(kModel);
    if (cuts-- > 0) reply.cut_after = 1000;
  });
  fetch();
  expect_whole(kModel);
  EXPECT_THAT(ranges(), ElementsAre("", "bytes=1000-"));
}

TEST_F(Fetch, StartsOverWhereTheServerHasNoSuchRange) {
  int cuts = 1;
  change_answers(kModel, [&](const Request& request, Reply& reply) {
    if (request.method == "GET" && cuts-- > 0) reply.cut_after = 1000;
    if (!request.range.empty()) reply = {.status = 416};
  });
  fetch();
  expect_whole(kModel);
  EXPECT_THAT(ranges(), ElementsAre("", "bytes=1000-", ""));
}

TEST_F(Fetch, RefusesARangeThatLeavesAHole) {
  int cuts = 1;
  change_answers(kModel, [&](const Request& request, Reply& reply) {
    if (request.method == "GET" && cuts-- > 0) reply.cut_after = 1000;
    if (!request.range.empty()) {
      reply.body = reply.body.substr(1);
      reply.headers["Content-Range"] =
          fmt::format("bytes 1001-{}/{}", bytes(kModel).size() - 1, bytes(kModel).size());
    }
  });
  expect_refused(
      {.kind = inconsistent, .expected = "bytes from 1000 on", .found = "bytes from 1001 on"});
}

TEST_F(Fetch, StartsOverWhereAnIncompleteFileIsTooLong) {
  fs::create_directories(blob(kModel).parent_path());
  std::ofstream(incomplete(kModel)) << bytes(kModel) << "more";
  fetch();
  expect_whole(kModel);
  EXPECT_THAT(ranges(), ElementsAre(""));
}

TEST_F(Fetch, DeletesADownloadOfAWrongHash) {
  for (const std::string file : {"config.json", kModel}) {
    change_answers(file, [](const Request&, Reply& reply) {
      if (!reply.body.empty()) reply.body.back() = '?';
    });
    expect_refused({.kind = inconsistent,
                    .where = file,
                    .expected = "the hash " + hash(file),
                    .advice = "deleted"});
    EXPECT_FALSE(fs::exists(incomplete(file)));
    EXPECT_FALSE(fs::exists(blob(file)));
  }
}

TEST_F(Fetch, RefusesMoreBytesThanTheServerSaid) {
  change_answers(kModel,
                 [](const Request&, Reply& reply) { reply.headers["X-Linked-Size"] = "1000"; });
  expect_refused({.kind = inconsistent, .expected = "1000 bytes", .found = "more"});
}

TEST_F(Fetch, RefusesFewerBytesThanTheServerSaid) {
  change_answers(kModel, [&](const Request&, Reply& reply) {
    reply.headers["X-Linked-Size"] = std::to_string(bytes(kModel).size() + 1);
  });
  expect_refused({.kind = inconsistent, .found = fmt::format("{}", bytes(kModel).size())});
}

TEST_F(Fetch, SaysWhichFileIsMissing) {
  files.erase("vocab.json");
  expect_refused({.kind = unreadable,
                  .where = "vocab.json",
                  .expected = "the file",
                  .found = "HTTP 404 (EntryNotFound)",
                  .advice = "a checkpoint needs config.json, vocab.json"});
  EXPECT_EQ(downloads(), 0U);
}

TEST_F(Fetch, SaysWhatARefusalMeans) {
  for (const unsigned status : {401U, 403U}) {
    answer_by([&](const Request&) { return Reply{.status = status}; });
    expect_refused(
        {.kind = unreadable, .found = fmt::format("HTTP {}", status), .advice = "HF_TOKEN"});
  }
  answer_by([](const Request&) { return Reply{.status = 429}; });
  expect_refused({.kind = unreadable, .advice = "too many requests"});
  EXPECT_EQ(server.requests().size(), 3U) << "what the client did wrong is not tried again";
}

TEST_F(Fetch, AsksAServerThatFailsAFewTimes) {
  answer_by([](const Request&) { return Reply{.status = 500}; });
  expect_refused(
      {.kind = unreadable, .found = "HTTP 500", .advice = "run the command again later"});
  EXPECT_EQ(server.requests().size(), kTries);
}

TEST_F(Fetch, OutlivesAFailureThatPasses) {
  int failures = 3;
  change_answers(kModel, [&](const Request& request, Reply& reply) {
    if (request.method == "GET" && failures-- > 0) reply = {.status = 503, .body = "Try again"};
  });
  fetch();
  expect_whole(kModel);
  EXPECT_EQ(downloads(kModel), 4U);
}

TEST_F(Fetch, SaysThatNobodyAnswers) {
  Settings nowhere = settings();
  nowhere.endpoint = "http://127.0.0.1:1";
  EXPECT_BAD_INPUT(fetch_with(nowhere), {.kind = unreadable,
                                         .where = "http://127.0.0.1:1/someone/small",
                                         .expected = "a server that can be reached",
                                         .advice = "HF_ENDPOINT"});
}

TEST_F(Fetch, RefusesHashesThatAreNone) {
  for (const std::string etag : {"../../../etc/passwd", "\"..\"", "", "abc", "\"W/\""}) {
    change_answers("config.json",
                   [&](const Request&, Reply& reply) { reply.headers["ETag"] = etag; });
    expect_refused({.kind = malformed, .expected = "an ETag of 64 or 40 hexadecimal digits"});
  }
  EXPECT_FALSE(fs::exists(cache));
}

TEST_F(Fetch, RefusesCommitsThatAreNone) {
  for (const std::string found : {"../../..", "", "main", "0123"}) {
    change_answers("config.json",
                   [&](const Request&, Reply& reply) { reply.headers["X-Repo-Commit"] = found; });
    expect_refused({.kind = malformed, .expected = "the header x-repo-commit"});
  }
  EXPECT_FALSE(fs::exists(cache));
}

TEST_F(Fetch, RefusesAnotherCommitThanItAskedFor) {
  change_answers(kModel, [](const Request&, Reply& reply) {
    reply.headers["X-Repo-Commit"] = std::string(40, 'f');
  });
  expect_refused({.kind = inconsistent, .expected = "commit " + commit});
}

TEST_F(Fetch, RefusesNamesAndRevisionsThatAreNone) {
  for (const std::string& revision :
       {std::string(), std::string("../main"), std::string("a b"), std::string("-x"),
        std::string("a?b"), std::string(1'000'000, 'a')}) {
    EXPECT_BAD_INPUT(fetch(revision), {.kind = malformed, .where = "--revision"});
  }
  repository = "../../etc";
  EXPECT_BAD_INPUT(fetch(), {.kind = malformed, .expected = "a hub name"});
  EXPECT_THAT(server.requests(), IsEmpty());
}

TEST_F(Fetch, LeavesMainAloneForAnotherRevision) {
  const fs::path snapshot = fetch(commit);
  EXPECT_TRUE(fs::exists(snapshot / kModel));
  EXPECT_FALSE(fs::exists(repository_folder() / "refs" / "main"));
  EXPECT_THAT(notices, ElementsAre(HasSubstr("give its folder")));
}

TEST_F(Fetch, EscapesTheRevision) {
  EXPECT_BAD_INPUT(fetch("refs/pr/1"), {.kind = unreadable, .found = "404"});
  EXPECT_THAT(server.requests().front().target, HasSubstr("/resolve/refs%2Fpr%2F1/"));
}

TEST_F(Fetch, FollowsARedirectWithinTheHub) {
  answer_by([this](const Request& request) {
    constexpr std::string_view kOld = "/someone/old/";
    if (!request.target.starts_with(kOld)) return answer(request);
    return Reply{.status = 307,
                 .headers = {{"Location", "/someone/small/" + request.target.substr(kOld.size())}}};
  });
  const Settings here = settings();
  const fs::path snapshot =
      hub::fetch("someone/old", std::nullopt, here,
                 {.notice = [](const std::string&) {}, .progress = [](auto&&...) {}});
  EXPECT_EQ(snapshot, cache / "models--someone--old" / "snapshots" / commit);
  EXPECT_TRUE(test::read_bytes(snapshot / kModel) == bytes(kModel));
}

/// The large file lies on another server, as those of the Hub do.
class FetchRedirected : public Fetch {
 protected:
  void SetUp() override {
    Fetch::SetUp();
    change_answers(kModel, [this](const Request&, Reply& reply) {
      reply.status = 302;
      reply.body.clear();
      reply.headers["Location"] = elsewhere.url("localhost") + "/signed/model.safetensors";
    });
  }

  test::HttpServer elsewhere{[this](const Request& request) {
    return request.method == "GET" ? Reply{.body = bytes(kModel)} : Reply{.status = 403};
  }};
};

TEST_F(FetchRedirected, DownloadsFromThere) {
  fetch();
  expect_whole(kModel);
  ASSERT_EQ(elsewhere.requests().size(), 1U);
  EXPECT_EQ(elsewhere.requests().front().method, "GET");
}

TEST_F(FetchRedirected, TellsTheTokenToTheHubAlone) {
  Settings with_token = settings();
  with_token.token = "hf_secret";
  fetch_with(with_token);
  for (const Request& request : server.requests()) {
    EXPECT_EQ(request.authorization, "Bearer hf_secret");
  }
  ASSERT_EQ(elsewhere.requests().size(), 1U);
  EXPECT_EQ(elsewhere.requests().front().authorization, "");
}

TEST_F(FetchRedirected, FollowsABoundedNumberOfRedirects) {
  change_answers(kModel, [this](const Request& request, Reply& reply) {
    if (request.method == "GET") {
      reply = {.status = 302, .headers = {{"Location", server.url() + request.target}}};
    }
  });
  expect_refused({.kind = unreadable, .found = "redirects"});
  EXPECT_LE(downloads(kModel), 6U);
}

TEST_F(Fetch, DownloadsOnceWhereTwoRunAtOnce) {
  std::promise<void> first_asked, second_waits;
  std::atomic<bool> asked = false;
  change_answers(kModel, [&](const Request& request, Reply& reply) {
    if (request.method != "GET" || asked.exchange(true)) return;
    reply.cut_after = 1000;
    reply.before_end = [&] {
      first_asked.set_value();
      second_waits.get_future().wait_for(std::chrono::seconds(10));
    };
  });
  auto first = std::async(std::launch::async, [&] { return fetch(); });
  first_asked.get_future().wait();
  const fs::path second =
      hub::fetch(repository, std::nullopt, settings(),
                 {.notice =
                      [&](const std::string& line) {
                        EXPECT_THAT(line, HasSubstr("waiting for another download"));
                        second_waits.set_value();
                      },
                  .progress = [](auto&&...) { ADD_FAILURE() << "downloaded a second time"; }});
  EXPECT_EQ(second, first.get());
  EXPECT_THAT(ranges(), ElementsAre("", "bytes=1000-"));
  expect_whole(kModel);
}

/// Files of this process cannot grow beyond a size; restored at the end.
class LimitedFileSize {
 public:
  explicit LimitedFileSize(rlim_t size) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{size, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~LimitedFileSize() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  LimitedFileSize(const LimitedFileSize&) = delete;
  LimitedFileSize& operator=(const LimitedFileSize&) = delete;

 private:
  sighandler_t handler_;
  rlimit before_{};
};

TEST_F(Fetch, KeepsWhatADiskThatIsFullTook) {
  constexpr std::size_t kLimit = 8192;
  ASSERT_GT(bytes(kModel).size(), kLimit);
  {
    const LimitedFileSize limit(kLimit);
    expect_refused(
        {.kind = unwritable, .where = incomplete(kModel).string(), .advice = "make room"});
  }
  EXPECT_EQ(fs::file_size(incomplete(kModel)), kLimit);
  fetch();
  expect_whole(kModel);
  EXPECT_EQ(ranges().back(), "bytes=8192-");
}

TEST_F(Fetch, RefusesWhatTheDiskHasNoRoomFor) {
  change_answers(kModel, [](const Request&, Reply& reply) {
    reply.headers["X-Linked-Size"] = "1000000000000000000";
  });
  expect_refused({.kind = unwritable,
                  .expected = "1000000000000000000 bytes free for model.safetensors",
                  .advice = "HF_HUB_CACHE"});
  EXPECT_EQ(downloads(kModel), 0U);
}

TEST_F(Fetch, SaysThatTheCacheIsNoFolder) {
  std::ofstream(cache) << "a file";
  expect_refused({.kind = unwritable, .where = cache.string()});
}

/// The pinned checkpoint's name, with files that are not its own.
class FetchPinned : public Fetch {
 protected:
  void SetUp() override {
    Fetch::SetUp();
    repository = gpt2_pin().repository;
    commit = gpt2_pin().commit;
    files["config.json"] = std::string(gpt2_pin().file("config.json").size, ' ');
  }

  /// The server says of a file that it has the size of the pinned one.
  void claim_size(const std::string& file) {
    change_answers(file, [file](const Request& request, Reply& reply) {
      if (request.method == "HEAD") {
        reply.headers["X-Linked-Size"] = std::to_string(gpt2_pin().file(file).size);
      }
    });
  }
};

TEST_F(FetchPinned, AsksForThePinnedCommit) {
  EXPECT_BAD_INPUT(fetch(), {.kind = inconsistent});
  EXPECT_THAT(server.requests().front().target, HasSubstr("/resolve/" + commit + "/config.json"));
}

TEST_F(FetchPinned, RefusesAnotherSize) {
  expect_refused({.kind = inconsistent, .where = "vocab.json", .expected = "1042301 bytes"});
  EXPECT_EQ(downloads(), 0U);
}

TEST_F(FetchPinned, RefusesAnotherHashOfALargeFileBeforeItsDownload) {
  files["vocab.json"] = std::string(gpt2_pin().file("vocab.json").size, ' ');
  files["merges.txt"] = std::string(gpt2_pin().file("merges.txt").size, ' ');
  claim_size(kModel);
  expect_refused({.kind = inconsistent, .expected = "SHA-256 " + gpt2_pin().file(kModel).sha256});
  EXPECT_EQ(downloads(), 0U);
}

TEST_F(FetchPinned, ChecksTheSha256OfSmallFilesToo) {
  files["vocab.json"] = std::string(gpt2_pin().file("vocab.json").size, ' ');
  files["merges.txt"] = std::string(gpt2_pin().file("merges.txt").size, ' ');
  change_answers(kModel, [](const Request& request, Reply& reply) {
    if (request.method != "HEAD") return;
    reply.headers["X-Linked-Size"] = std::to_string(gpt2_pin().file(kModel).size);
    reply.headers["X-Linked-Etag"] = gpt2_pin().file(kModel).sha256;
  });
  expect_refused({.kind = inconsistent,
                  .where = "config.json",
                  .expected = "SHA-256 " + gpt2_pin().file("config.json").sha256});
  EXPECT_EQ(downloads(), 1U);
}

}  // namespace
}  // namespace attn::hub
