#include <cstdlib>
#include <map>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/tests/support.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommit = "607a30d783dfa663caf39e06633721c8d4cfcd7e";

/// The variables that lead to the cache: those that are given, and no other. As they were at the
/// end.
class CacheVariables {
 public:
  explicit CacheVariables(const std::map<const char*, std::string>& given) {
    for (const char* const name : kNames) {
      if (const char* const value = std::getenv(name)) before_[name] = value;
    }
    set(given);
  }
  ~CacheVariables() { set(before_); }

 private:
  static constexpr const char* kNames[] = {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HOME"};

  static void set(const std::map<const char*, std::string>& variables) {
    for (const char* const name : kNames) unsetenv(name);
    for (const auto& [name, value] : variables) setenv(name, value.c_str(), 1);
  }

  std::map<const char*, std::string> before_;
};

fs::path cache_of(const std::map<const char*, std::string>& variables) {
  const CacheVariables given(variables);
  return hub_cache();
}

TEST(HubCache, FollowsTheOrderOfTheVariables) {
  EXPECT_EQ(cache_of({{"HF_HUB_CACHE", "/a"}, {"HF_HOME", "/b"}, {"HOME", "/d"}}), "/a");
  EXPECT_EQ(cache_of({{"HF_HOME", "/b"}, {"XDG_CACHE_HOME", "/c"}, {"HOME", "/d"}}), "/b/hub");
  EXPECT_EQ(cache_of({{"HF_HOME", ""}, {"XDG_CACHE_HOME", "/c"}, {"HOME", "/d"}}),
            "/c/huggingface/hub");
  EXPECT_EQ(cache_of({{"HOME", "/d"}}), "/d/.cache/huggingface/hub");
  EXPECT_BAD_INPUT(cache_of({}),
                   {.kind = BadInputKind::missing, .where = "the Hugging Face cache"});
}

class Locate : public test::WithFolder {
 protected:
  void SetUp() override {
    repository = folder / "models--openai-community--gpt2";
    fs::create_directories(repository / "refs");
    fs::create_directories(repository / "snapshots" / kCommit);
    write("models--openai-community--gpt2/refs/main", std::string(kCommit) + "\n");
  }

  [[nodiscard]] fs::path locate(const std::string& model) const {
    const CacheVariables given({{"HF_HUB_CACHE", folder.string()}});
    return locate_model(model);
  }

  fs::path repository;
};

TEST_F(Locate, FindsTheSnapshotOfAHubName) {
  EXPECT_EQ(locate("openai-community/gpt2"), repository / "snapshots" / kCommit);
  EXPECT_EQ(locate("gpt2"), repository / "snapshots" / kCommit);
}

TEST_F(Locate, TakesAFolderAsItIs) {
  EXPECT_EQ(locate(folder.string()), folder);
}

TEST_F(Locate, KnowsTheEmbeddedModel) {
  EXPECT_THAT(locate("tiny").lexically_normal().string(),
              ::testing::EndsWith("gpt2_check/tiny/model"));
}

TEST_F(Locate, SaysWhereItLooked) {
  EXPECT_BAD_INPUT(
      locate("openai-community/gpt2-xl"),
      {.kind = BadInputKind::missing,
       .where = "'openai-community/gpt2-xl'",
       .expected = "models--openai-community--gpt2-xl in the Hugging Face cache " + folder.string(),
       .advice = "hf download openai-community/gpt2-xl"});
}

TEST_F(Locate, RefusesNamesThatAreNoHubNames) {
  for (const char* name : {"", "/no/such/folder", "../x", "a/../b", "a/b/c", "a b", "~/gpt2"}) {
    EXPECT_BAD_INPUT(
        locate(name),
        {.kind = BadInputKind::missing, .expected = "a folder, or a hub name", .found = "neither"});
  }
}

TEST_F(Locate, RefusesABrokenCache) {
  write("models--openai-community--gpt2/refs/main", "../../../etc");
  EXPECT_BAD_INPUT(locate("gpt2"), {.kind = BadInputKind::malformed, .found = "'../../../etc'"});
  fs::remove(repository / "refs" / "main");
  EXPECT_BAD_INPUT(
      locate("gpt2"),
      {.kind = BadInputKind::malformed, .where = "refs/main", .expected = "the commit"});
  write("models--openai-community--gpt2/refs/main", "0123456789");
  EXPECT_BAD_INPUT(
      locate("gpt2"),
      {.kind = BadInputKind::missing, .expected = "snapshots/0123456789", .found = "none"});
}

}  // namespace
}  // namespace attn::gpt2
