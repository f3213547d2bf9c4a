// The case of a claim, from JSON to its verdict: by the filter and the ladder, by intervals alone,
// and by the second implementation, which must all agree.
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/recheck/recheck.hpp"
#include "theory/tests/three_ways.hpp"

namespace attn {
namespace {

/// More digits take longer and read nothing more of the input.
constexpr unsigned kMostDigits = 50;

void expect(bool holds, std::string_view what, const Claim& claim, const nlohmann::json& json) {
  if (!holds) throw std::logic_error(fmt::format("{} of {}: {}", what, claim.id, json.dump()));
}

/// An entry as `claims eval` reads it.
void decide_one(const nlohmann::json& entry) {
  if (!entry.is_object() || !entry.contains("case") || !entry.contains("claim")) return;
  if (!entry["claim"].is_string()) return;
  const Claim& claim = catalogue().at(entry["claim"].get_ref<const std::string&>());
  const nlohmann::json& json = entry["case"];
  const Case input = read_case(claim, json);
  expect(to_json(read_case(claim, to_json(input))) == to_json(input), "JSON", claim, json);
  const ThreeWays ways = decide_three_ways(recheck::listed_checks(), claim, input, kMostDigits);
  expect(ways.contradiction.empty(), ways.contradiction, claim, json);
}

}  // namespace
}  // namespace attn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    attn::decide_one(attn::read_json(text, "a case"));
  } catch (const attn::BadInput&) {
  }
  return 0;
}
