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
                          "https://user:word@host", "http://host", "http://localhost.evil",
                          "http://127.0.0.1.evil/", "http://localhost@evil"}) {
    EXPECT_BAD_INPUT(read({{"HF_ENDPOINT", url}}),
                     {.kind = BadInputKind::malformed, .where = "HF_ENDPOINT", .found = url});
  }
}

TEST(ReadSettings, RefusesAnEndpointOfAnyLength) {
  for (const std::string start : {"https://", "https://a/", "http://localhost:"}) {
    EXPECT_BAD_INPUT(read({{"HF_ENDPOINT", start + std::string(1'000'000, '1')}}),
                     {.kind = BadInputKind::malformed, .where = "HF_ENDPOINT"});
  }
}

TEST(ReadSettings, RefusesATokenThatWouldEndItsHeaderAndKeepsItSecret) {
  EXPECT_EQ(read({{"HF_TOKEN", "hf_abc"}}).token, "hf_abc");
  for (const char* token : {"hf_abc\n", "hf_abc\r\nX: y", "hf abc"}) {
    EXPECT_BAD_INPUT(read({{"HF_TOKEN", token}}),
                     {.kind = BadInputKind::malformed, .where = "HF_TOKEN"});
    EXPECT_THAT(
        [&] {
          read({{"HF_TOKEN", token}});
        },
        ::testing::ThrowsMessage<BadInput>(Not(HasSubstr("abc"))));
  }
}

TEST(ReadSettings, StaysOfflineWhereItIsTold) {
  for (const char* value : {"1", "ON", "on", "Yes", "TRUE", "true"}) {
    EXPECT_BAD_INPUT(
        read({{"HF_HUB_OFFLINE", value}}),
        {.kind = BadInputKind::unsupported, .where = "HF_HUB_OFFLINE", .advice = "unset it"});
  }
  for (const char* value : {"0", "OFF", "no", "false", "11"}) {
    EXPECT_NO_THROW(read({{"HF_HUB_OFFLINE", value}})) << value;
  }
}

}  // namespace
}  // namespace attn::hub
