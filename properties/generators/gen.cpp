#include "properties/generators/gen.hpp"

#include <rapidcheck.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "properties/generators/pieces.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/property.hpp"
#include "theory/attention/case_json.hpp"

namespace attn::gen {

namespace {

using namespace attn::properties;

template <class Pattern>
Pattern drawn(Draw& draw, const std::optional<Pattern>& pattern, Pattern last) {
  return pattern ? *pattern : static_cast<Pattern>(draw.index(0, static_cast<std::size_t>(last)));
}

void check_shape(std::size_t tokens, std::size_t dimension = 1) {
  if (tokens < 2) throw std::invalid_argument("fewer than two tokens");
  if (dimension == 0) throw std::invalid_argument("vectors without a coordinate");
}

/// One member of a case that `fill` draws. It shrinks as the case does, but for L and d.
template <class Value, class Fill>
rc::Gen<Value> member_of(InputKind::Name kind, Value Case::*member, Fill fill) {
  return [=](const rc::Random& random, int) {
    Case whole{.kind = kind};
    Draw draw(random);
    fill(draw, whole);
    const Measure shape = measure(whole);
    const auto has_shape = [=](const Case& input) {
      const Measure size = measure(input);
      return size.tokens == shape.tokens && size.dimension == shape.dimension;
    };
    return rc::shrinkable::map(*rc::shrinkable::filter(shrinkable(std::move(whole)), has_shape),
                               [=](const Case& input) { return input.*member; });
  };
}

}  // namespace

rc::Gen<Case> case_of(const Claim& claim, const Family& family) {
  return [=, draw_it = property_of(claim).draw, kind = claim.kind](const rc::Random& random,
                                                                   int size) {
    return shrinkable(drawn_case(draw_it, kind, family, random, size));
  };
}

rc::Gen<Case> case_of(const Claim& claim) {
  std::vector<rc::Gen<Case>> generators;  // each family's as often as it weighs
  for (const Family& family : property_of(claim).families) {
    generators.insert(generators.end(), family.weight, case_of(claim, family));
  }
  return [=](rc::Random random, int size) {
    const std::size_t at = Draw(random.split()).index(0, generators.size() - 1);
    return generators[at](random, size);
  };
}

rc::Gen<std::vector<Rational>> logits(std::size_t tokens, std::optional<ScorePattern> pattern) {
  check_shape(tokens);
  return member_of(InputKind::softmax_row, &Case::logits, [=](Draw& draw, Case& whole) {
    const ScorePattern scores = drawn(draw, pattern, ScorePattern::one_at_an_end);
    whole.logits = draw_scaled_logits(draw, scores, tokens);
  });
}

rc::Gen<std::vector<Rational>> weights(std::size_t tokens, std::optional<ScorePattern> pattern) {
  check_shape(tokens);
  return member_of(InputKind::weighted_embeddings, &Case::weights, [=](Draw& draw, Case& whole) {
    const ScorePattern scores = drawn(draw, pattern, ScorePattern::equal_pairs);
    whole.weights = shares(draw_parts(draw, scores, tokens));
  });
}

rc::Gen<Case::Vectors> embeddings(std::size_t tokens, std::size_t dimension,
                                  std::optional<Vectors> family) {
  check_shape(tokens, dimension);
  return member_of(InputKind::self_attention, &Case::embeddings, [=](Draw& draw, Case& whole) {
    const Vectors vectors = drawn(draw, family, Vectors::zero_and_equal);
    whole.embeddings = draw_vectors(draw, vectors, tokens, dimension);
  });
}

}  // namespace attn::gen

namespace attn {

void showValue(const Case& input, std::ostream& out) {
  out << to_json(input).dump();
}

void showValue(const Rational& number, std::ostream& out) {
  out << to_string(number);
}

}  // namespace attn
