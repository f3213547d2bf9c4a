#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "theory/base/bad_input.hpp"
#include "theory/base/tests/kept_refusals.hpp"

namespace attn::test {

/// Matches BadInput of the kind of `parts` each of whose other parts holds the text given for it,
/// and whose message is kept word for word, and is one line.
inline testing::Matcher<const BadInput&> says(const BadInputParts& parts) {
  using testing::AllOf;
  using testing::Field;
  using testing::HasSubstr;
  const auto each = AllOf(Field("kind", &BadInputParts::kind, parts.kind),
                          Field("where", &BadInputParts::where, HasSubstr(parts.where)),
                          Field("expected", &BadInputParts::expected, HasSubstr(parts.expected)),
                          Field("found", &BadInputParts::found, HasSubstr(parts.found)),
                          Field("advice", &BadInputParts::advice, HasSubstr(parts.advice)));
  return AllOf(
      testing::Property(&BadInput::parts, each),
      testing::Property("what", &BadInput::what, AllOf(testing::Not(HasSubstr("\n")), IsKept())));
}

}  // namespace attn::test

/// Expects that the statement throws BadInput which says(...):
/// EXPECT_BAD_INPUT(read_file(path), {.kind = BadInputKind::missing, .where = path}).
#define EXPECT_BAD_INPUT(statement, ...)             \
  EXPECT_THAT([&] { static_cast<void>(statement); }, \
              ::testing::Throws<::attn::BadInput>(::attn::test::says(__VA_ARGS__)))
