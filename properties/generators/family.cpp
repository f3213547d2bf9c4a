#include "properties/generators/family.hpp"

#include "properties/generators/draw_case.hpp"
#include "theory/base/overloaded.hpp"

namespace attn::properties {

Case draw_case(const InputDomain& given, const Family& family, const rc::Random& random, int size) {
  Draw draw(random);
  return std::visit(
      Overloaded{
          [&](const SphereEmbeddings& kind) -> Case {
            return draw_case(draw, kind, given.radius, family, size);
          },
          [&](const auto& kind) -> Case { return draw_case(draw, kind, family, size); },
      },
      given.kind);
}

}  // namespace attn::properties
