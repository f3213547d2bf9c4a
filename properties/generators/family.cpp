#include "properties/generators/family.hpp"

#include <rapidcheck/shrinkable/Create.h>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/smaller.hpp"
#include "theory/base/overloaded.hpp"

namespace attn::properties {

namespace {

Case draw_case(Draw& draw, const Given& given, const Family& family, int size) {
  return std::visit(
      Overloaded{
          [&](const SphereEmbeddings& kind) -> Case {
            return draw_case(draw, kind, given.radius, family, size);
          },
          [&](const auto& kind) -> Case { return draw_case(draw, kind, family, size); },
      },
      given.kind);
}

}  // namespace

rc::Gen<Case> cases(const Given& given, const Family& family) {
  return [given, family](const rc::Random& random, int size) {
    Draw draw(random);
    return rc::shrinkable::shrinkRecur(draw_case(draw, given, family, size),
                                       [](const Case& input) { return smaller_cases(input); });
  };
}

}  // namespace attn::properties
