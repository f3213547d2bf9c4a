#include "reports/record/case_input.hpp"

#include <algorithm>
#include <string_view>

#include "theory/number/packed.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

json written(std::string_view vector) {
  json array = json::array();
  for (const Rational& number : unpacked(vector)) array.push_back(to_string(number));
  return array;
}

json written(const CaseInput::List& list) {
  json vectors = json::array();
  list.for_each([&](const std::string& vector) { vectors.push_back(written(vector)); });
  return list.is_one ? std::move(vectors.at(0)) : vectors;
}

std::vector<std::string_view> vectors_of(const CaseInput::List& list) {
  std::vector<std::string_view> vectors;
  list.for_each([&](const std::string& vector) { vectors.push_back(vector); });
  return vectors;
}

bool are_equal(const CaseInput::Lists::value_type& a, const CaseInput::Lists::value_type& b) {
  return a.first == b.first && a.second.is_one == b.second.is_one &&
         vectors_of(a.second) == vectors_of(b.second);
}

}  // namespace

CaseInput::CaseInput(json fields, Lists lists) {
  if (fields.is_null()) return;
  parts_ = std::make_shared<const Parts>(Parts{std::move(fields), std::move(lists)});
}

const json& CaseInput::fields() const {
  static const json none;
  return parts_ ? parts_->fields : none;
}

const CaseInput::Lists& CaseInput::lists() const {
  static const Lists none;
  return parts_ ? parts_->lists : none;
}

json CaseInput::whole() const {
  json object = fields();
  for (const auto& [name, list] : lists()) object[name] = written(list);
  return object;
}

bool CaseInput::is_longer_than(std::size_t characters) const {
  // No number is shorter in JSON than it is packed.
  std::size_t least = 0;
  for (const auto& [name, list] : lists()) {
    list.for_each([&](const std::string& vector) { least += vector.size(); });
  }
  return least > characters || whole().dump().size() > characters;
}

bool operator==(const CaseInput& a, const CaseInput& b) {
  if (a.parts_ == b.parts_) return true;
  if (a.is_null() || b.is_null()) return false;
  return a.fields() == b.fields() && std::ranges::equal(a.lists(), b.lists(), are_equal);
}

}  // namespace attn::report
