#include "gpt2_check/hub/settings.hpp"

#include <map>

#include "gpt2_check/tests/support.hpp"

namespace attn::hub {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Settings read(const std::map<std::string, std::string>& variables) {
  return read_settings([&](const char* name) -> std::optional<std::string> {
    if (std::string(name) == "HF_HUB_CACHE") return "/cache";
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

TEST(ReadSettings, KnowsTheHub) {
  const Settings settings = read({});
  EXPECT_EQ(settings.endpoint, "https://huggingface.co");
  EXPECT_EQ(settings.token, "");
  EXPECT_EQ(settings.cache, "/cache");
}

TEST(ReadSettings, TakesAnotherEndpoint) {
  EXPECT_EQ(read({{"HF_ENDPOINT", "https://mirror.example/hub/"}}).endpoint,
            "https://mirror.example/hub");
  EXPECT_EQ(read({{"HF_ENDPOINT", "http://[::1]:8080"}}).endpoint, "http://[::1]:8080");
}

TEST(ReadSettings, RefusesEndpointsThatAreNone) {
  for (const char* url : {"huggingface.co", "ftp://host", "file:///etc", "https://", "https://a b",
                          "https://user:word@host"}) {
    test::expect_bad_input(
        [&] {
          read({{"HF_ENDPOINT", url}});
        },
        AllOf(HasSubstr("HF_ENDPOINT"), HasSubstr(url)));
  }
}

TEST(ReadSettings, RefusesATokenThatWouldEndItsHeaderAndKeepsItSecret) {
  EXPECT_EQ(read({{"HF_TOKEN", "hf_abc"}}).token, "hf_abc");
  for (const char* token : {"hf_abc\n", "hf_abc\r\nX: y", "hf abc"}) {
    test::expect_bad_input(
        [&] {
          read({{"HF_TOKEN", token}});
        },
        AllOf(HasSubstr("HF_TOKEN"), Not(HasSubstr("abc"))));
  }
}

TEST(ReadSettings, StaysOfflineWhereItIsTold) {
  for (const char* value : {"1", "ON", "on", "Yes", "TRUE", "true"}) {
    test::expect_bad_input(
        [&] {
          read({{"HF_HUB_OFFLINE", value}});
        },
        AllOf(HasSubstr("HF_HUB_OFFLINE"), HasSubstr("unset it")));
  }
  for (const char* value : {"0", "OFF", "no", "false", "11"}) {
    EXPECT_NO_THROW(read({{"HF_HUB_OFFLINE", value}})) << value;
  }
}

}  // namespace
}  // namespace attn::hub
