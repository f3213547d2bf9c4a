#include "theory/attention/field.hpp"

#include <algorithm>

#include "theory/base/overloaded.hpp"

namespace attn {

const Field* find_field(std::string_view name) {
  const auto found = std::ranges::find(kFields, name, &Field::name);
  return found == kFields.end() ? nullptr : *found;
}

bool is_given(const Field& field, const Case& input) {
  return std::visit(
      Overloaded{
          [&](const Temperature& role) { return input.*role.at != Case().*role.at; },
          [&](const NormalizerName& role) { return input.*role.at != Case().*role.at; },
          [&](const TokenCount& role) { return (input.*role.at).has_value(); },
          [&](const SelectedCount& role) { return (input.*role.at).has_value(); },
          [&](const Dimension& role) { return (input.*role.at).has_value(); },
          [&](const Degree& role) { return (input.*role.at).has_value(); },
          [&](const Number& role) { return (input.*role.at).has_value(); },
          [&](const auto& list) { return !(input.*list.at).empty(); },
      },
      field.role);
}

}  // namespace attn
