#include "theory/attention/field.hpp"

#include <algorithm>

namespace attn {

const Field* find_field(std::string_view name) {
  const std::size_t rank = rank_of(name);
  return rank == kFields.size() ? nullptr : kFields[rank];
}

std::string_view symbol_of(std::string_view name) {
  const Field* const field = find_field(name);
  return field == nullptr ? name : field->symbol;
}

std::size_t rank_of(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kFields, name, &Field::name) - kFields.begin());
}

}  // namespace attn
