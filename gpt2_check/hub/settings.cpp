#include "gpt2_check/hub/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"

namespace attn::hub {
namespace {

constexpr const char* kEndpoint = "https://huggingface.co";
/// std::regex takes stack for each character.
constexpr std::size_t kLongestUrl = 2048;

/// Whether this is the URL of a server over https, or of one on this machine.
bool is_endpoint(const std::string& url) {
  static const std::regex pattern(
      R"((https://[A-Za-z0-9._:\[\]-]+|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?))"
      R"((/[\w./~-]*)?)");
  return url.size() <= kLongestUrl && std::regex_match(url, pattern);
}

bool is_on(std::string value) {
  std::ranges::transform(value, value.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return value == "1" || value == "ON" || value == "YES" || value == "TRUE";
}

std::string endpoint(const gpt2::Environment& environment) {
  const std::string given = environment("HF_ENDPOINT").value_or(kEndpoint);
  std::string url = given;
  while (url.ends_with('/')) url.pop_back();
  if (!is_endpoint(url)) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = "HF_ENDPOINT",
                    .expected = fmt::format("a URL like {}, over https", kEndpoint),
                    .found = in_quotes(given),
                    .advice = "correct it or unset it"});
  }
  return url;
}

std::string token(const gpt2::Environment& environment) {
  std::string value = environment("HF_TOKEN").value_or("");
  // Anything else could end the header that the token is sent in. The token itself stays secret.
  if (!std::ranges::all_of(value, [](char c) { return c > ' ' && c <= '~'; })) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = "HF_TOKEN",
                    .expected = "printing characters without spaces",
                    .found = "others",
                    .advice = "correct it or unset it"});
  }
  return value;
}

}  // namespace

Settings read_settings(const gpt2::Environment& environment) {
  if (const auto offline = environment("HF_HUB_OFFLINE"); offline && is_on(*offline)) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = "HF_HUB_OFFLINE",
                    .expected = "it unset, for fetch needs the network",
                    .found = in_quotes(*offline),
                    .advice = "unset it, or copy the checkpoint here and give its folder"});
  }
  return {.endpoint = endpoint(environment),
          .token = token(environment),
          .cache = gpt2::hub_cache(environment)};
}

}  // namespace attn::hub
