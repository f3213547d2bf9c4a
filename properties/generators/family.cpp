#include "properties/generators/family.hpp"

#include <rapidcheck/shrinkable/Create.h>

#include <stdexcept>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/smaller.hpp"

namespace attn::properties {

namespace {

Case draw_case(Draw& draw, const Given& given, const Family& family, int size) {
  switch (given.shape) {
    case Shape::logits:
    case Shape::logits_softmax:
    case Shape::logits_of:
    case Shape::bounded_logits:
    case Shape::direction_softmax:
    case Shape::step_of:
      return draw_logit_case(draw, given, family, size);
    case Shape::query_keys:
      return draw_query_case(draw, family, size);
    case Shape::top_n_embeddings:
    case Shape::set_embeddings:
      return draw_embedding_case(draw, given, family, size);
    case Shape::random_set_embeddings:
      return draw_random_set_case(draw, given, family, size);
    case Shape::flat_family:
      return draw_flat_family_case(draw, family, size);
    case Shape::random_embeddings:
      return draw_sphere_case(draw, given, family, size);
    case Shape::plan:
      return draw_plan_case(draw, family, size);
  }
  throw std::logic_error("a shape without a generator");
}

}  // namespace

rc::Gen<Case> cases(const Given& given, const Family& family) {
  return [given, family](const rc::Random& random, int size) {
    Draw draw(random);
    return rc::shrinkable::shrinkRecur(
        draw_case(draw, given, family, size),
        [shape = given.shape](const Case& input) { return smaller_cases(input, shape); });
  };
}

}  // namespace attn::properties
