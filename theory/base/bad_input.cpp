#include "theory/base/bad_input.hpp"

#include <utility>

#include "theory/base/one_line.hpp"

namespace attn {
namespace {

/// `text` and `more`, with `between` where both say something.
std::string joined(std::string text, std::string_view between, std::string_view more) {
  if (!text.empty() && !more.empty()) text += between;
  return text.append(more);
}

std::string message(const BadInputParts& parts) {
  const std::string expected = parts.expected.empty() ? "" : "expected " + parts.expected;
  const std::string found = parts.found.empty() ? "" : "found " + parts.found;
  const std::string wrong = joined(expected, ", ", found);
  return one_line(joined(joined(parts.where, ": ", wrong), "; ", parts.advice));
}

}  // namespace

BadInput::BadInput(BadInputParts parts)
    : std::runtime_error(message(parts)), parts_(std::move(parts)) {}

BadInput BadInput::within(std::string_view outer) const {
  BadInputParts parts = parts_;
  parts.where = joined(std::string(outer), ": ", parts_.where);
  return BadInput(std::move(parts));
}

}  // namespace attn
