#include "properties/search/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "theory/base/bad_input.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

/// All of `text` as a number from 1 to kMostShards.
std::optional<unsigned> number_from(std::string_view text) {
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end || number < 1 || number > kMostShards) return std::nullopt;
  return number;
}

}  // namespace

report::Shard shard_from(std::string_view text) {
  const auto slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto index = number_from(text.substr(0, slash));
    const auto count = number_from(text.substr(slash + 1));
    if (index && count && *index <= *count) return {*index, *count};
  }
  throw BadInput(
      fmt::format("--shard: expected K/N with 1 <= K <= N <= {}, such as 2/3, found \"{}\"",
                  kMostShards, text.substr(0, 40)));
}

std::vector<Claim> claims_of(const report::Shard& shard) {
  std::vector<Claim> claims;
  for (std::size_t i = shard.index - 1; i < catalogue().size(); i += shard.count) {
    claims.push_back(catalogue()[i]);
  }
  return claims;
}

}  // namespace attn::properties
