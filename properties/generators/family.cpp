#include "properties/generators/family.hpp"

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
    return shrinkable(draw_case(draw, given, family, size));
  };
}

}  // namespace attn::properties
