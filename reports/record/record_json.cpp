#include "reports/record/record_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace attn::report {

using nlohmann::ordered_json;

ordered_json number_json(double value, bool whole) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  constexpr double kExact = 9007199254740992;  // 2^53
  if (whole && std::trunc(value) == value && std::abs(value) <= kExact) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

void set_member(ordered_json& object, std::string_view name, ordered_json value) {
  object[std::string(name)] = std::move(value);
}

void check_limits(double value, const Limits& limits, const Reader& in) {
  if (limits.any() && !limits.hold(value)) in.refuse(BadInputKind::out_of_range, limits.words);
}

std::vector<Reader> elements_of(const Reader& in, const Traits& traits) {
  if (traits.or_count && !in.is_array()) {
    in.count();
    return {};
  }
  std::vector<Reader> elements = in.elements();
  if (traits.elements != 0 && !elements.empty() && elements.size() != traits.elements) {
    in.refuse(BadInputKind::malformed, fmt::format("{} elements or none", traits.elements),
              fmt::format("{}", elements.size()));
  }
  return elements;
}

}  // namespace attn::report
