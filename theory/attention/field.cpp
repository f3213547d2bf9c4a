#include "theory/attention/field.hpp"

#include <algorithm>

namespace attn {

const Field* find_field(std::string_view name) {
  const auto found = std::ranges::find(kFields, name, &Field::name);
  return found == kFields.end() ? nullptr : *found;
}

}  // namespace attn
