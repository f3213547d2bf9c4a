#include "reports/record/record_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace attn::report {

using nlohmann::json;

Reader Reader::at(const std::string& field) const {
  const json& members = object();
  const auto found = members.find(field);
  if (found == members.end())
    refuse(BadInputKind::missing, fmt::format("a field \"{}\"", field), "none");
  return Reader(*found, path_ + "/" + field);
}

bool Reader::has(const std::string& field) const {
  const json& members = object();
  const auto found = members.find(field);
  return found != members.end() && !found->is_null();
}

std::vector<Reader> Reader::elements() const {
  if (!value_->is_array()) refuse(BadInputKind::malformed, "an array");
  std::vector<Reader> readers;
  readers.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    readers.emplace_back((*value_)[i], fmt::format("{}/{}", path_, i));
  }
  return readers;
}

std::vector<std::pair<std::string, Reader>> Reader::members() const {
  std::vector<std::pair<std::string, Reader>> readers;
  for (const auto& [name, member] : object().items()) {
    readers.emplace_back(name, Reader(member, path_ + "/" + name));
  }
  return readers;
}

const json& Reader::object() const {
  if (!value_->is_object()) refuse(BadInputKind::malformed, "an object");
  return *value_;
}

std::string Reader::text() const {
  if (!value_->is_string()) refuse(BadInputKind::malformed, "a string");
  return value_->get<std::string>();
}

bool Reader::boolean() const {
  if (!value_->is_boolean()) refuse(BadInputKind::malformed, "true or false");
  return value_->get<bool>();
}

std::uint64_t Reader::count() const {
  if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
  const bool fits = value_->is_number_integer() && value_->get<std::int64_t>() >= 0;
  if (!fits) refuse(BadInputKind::malformed, "a non-negative integer");
  return value_->get<std::uint64_t>();
}

double Reader::number() const {
  if (value_->is_number()) return value_->get<double>();
  if (*value_ == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (*value_ == "inf") return std::numeric_limits<double>::infinity();
  if (*value_ == "-inf") return -std::numeric_limits<double>::infinity();
  refuse(BadInputKind::malformed, "a number, \"nan\", \"inf\" or \"-inf\"");
}

void Reader::refuse(BadInputKind kind, std::string_view expected, std::string_view found) const {
  throw BadInput({.kind = kind,
                  .where = fmt::format("at {}", path_.empty() ? "/" : path_),
                  .expected = std::string(expected),
                  .found = std::string(found),
                  .advice = "write the report anew"});
}

void Reader::refuse(BadInputKind kind, std::string_view expected) const {
  refuse(kind, expected, shown_json(*value_));
}

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
  std::vector<Reader> elements = in.elements();
  if (traits.elements != 0 && !elements.empty() && elements.size() != traits.elements) {
    in.refuse(BadInputKind::malformed, fmt::format("{} elements or none", traits.elements),
              fmt::format("{}", elements.size()));
  }
  return elements;
}

}  // namespace attn::report
