#include "reports/io/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "theory/base/bad_input.hpp"

namespace attn::report {

using nlohmann::json;

Reader Reader::at(const std::string& field) const {
  const json& members = object();
  const auto found = members.find(field);
  if (found == members.end()) refuse(fmt::format("a field \"{}\"", field), "none");
  return Reader(*found, path_ + "/" + field);
}

bool Reader::has(const std::string& field) const {
  const json& members = object();
  const auto found = members.find(field);
  return found != members.end() && !found->is_null();
}

std::vector<Reader> Reader::elements() const {
  if (!value_->is_array()) refuse("an array");
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
  if (!value_->is_object()) refuse("an object");
  return *value_;
}

std::string Reader::text() const {
  if (!value_->is_string()) refuse("a string");
  return value_->get<std::string>();
}

std::string Reader::one_of(const std::vector<std::string_view>& words) const {
  const std::string word = text();
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    refuse(fmt::format("one of \"{}\"", fmt::join(words, "\", \"")));
  }
  return word;
}

bool Reader::boolean() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

std::uint64_t Reader::count() const {
  if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
  const bool fits = value_->is_number_integer() && value_->get<std::int64_t>() >= 0;
  if (!fits) refuse("a non-negative integer");
  return value_->get<std::uint64_t>();
}

unsigned Reader::small_count() const {
  const std::uint64_t value = count();
  if (value > std::numeric_limits<unsigned>::max()) refuse("an integer below 2^32");
  return static_cast<unsigned>(value);
}

double Reader::number() const {
  if (value_->is_number()) return value_->get<double>();
  if (*value_ == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (*value_ == "inf") return std::numeric_limits<double>::infinity();
  if (*value_ == "-inf") return -std::numeric_limits<double>::infinity();
  refuse("a number, \"nan\", \"inf\" or \"-inf\"");
}

void Reader::refuse(std::string_view expected, std::string_view found) const {
  throw BadInput(fmt::format("at {}: expected {}, found {}; write the report anew",
                             path_.empty() ? "/" : path_, expected, found));
}

void Reader::refuse(std::string_view expected) const {
  constexpr std::size_t kShown = 40;
  // Replaces what is not UTF-8, so that a hostile string cannot make the message itself fail.
  std::string found = value_->dump(-1, ' ', true, json::error_handler_t::replace);
  if (found.size() > kShown) found = found.substr(0, kShown) + "...";
  refuse(expected, found);
}

}  // namespace attn::report
