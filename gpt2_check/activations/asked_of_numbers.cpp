#include <fmt/format.h>

#include <cmath>

#include "gpt2_check/activations/asked.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;

/// What to do about a number that is not finite.
std::string advice_for(double number, const Asked& asked) {
  if (number > 0) return "a number overflowed: compute it in float32, and record it so";
  if (!asked.are_scores && number < 0) return kLogitsAdvice;
  return asked.are_scores ? fmt::format("{}; {}", kMaskAdvice, kPaddingAdvice)
                          : "is it padding? metadata 'zeros' that say 'hidden' leave zeros and "
                            "rows of NaN out";
}

/// Scores that are e^(l - max).
Parts ask_by_largest(const Asked& asked) {
  if (asked.are_temperatures_said) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "logits",
      .found =
          "none below 0, and 1 for the largest of every row: are they e^(l - max), before the "
          "division by its sum?",
      .advice =
          "divided by the sum of their row they are hook_pattern; metadata 'temperatures' "
          "says that they are logits, and their T"};
}

const char* in_words(Evidence::Normalised::Of groups) {
  using enum Evidence::Normalised::Of;
  switch (groups) {
    case rows:
      return "all rows";
    case columns:
      return "all columns";
    case heads:
      return "all heads";
    case keys:
      return "all columns, each over all heads";
    case layer:
      break;
  }
  return "all heads together";
}

std::string in_words(const Evidence::Normalised& found) {
  using enum Evidence::Normalised::By;
  const char* const groups = in_words(found.of);
  switch (found.by) {
    case weights:
      return fmt::format(
          "weights: none is below 0, and {} of a head have one sum, {:.6g} in "
          "head 0",
          groups, found.sum);
    case sum_of_all:
      return fmt::format("one sum of {} of a head, {:.6g} in head 0: are they of weights?", groups,
                         found.sum);
    case centred:
    case zero_sum:
      return fmt::format("sums of 0 in {}, as of weights less their mean: are they that?", groups);
    case deviation:
      return fmt::format("the mean 0 and the deviation 1 in {}: were they standardised?", groups);
    case length:
      return fmt::format(
          "1 for the sum or the mean of the squares in {}: were they "
          "normalised?",
          groups);
    case largest:
      return fmt::format("1 for the largest absolute value in {}: were they scaled?", groups);
    case quartiles:
      return fmt::format("the median 0, and 1 between the quartiles, in {}: were they scaled?",
                         groups);
    case odds:
      break;
  }
  return "sums of 1 of 1/(1 + e^-x) in every row: are they ln(p/(1 - p)) of weights p?";
}

}  // namespace

Parts ask_not_finite(const Evidence& evidence, const Asked& asked) {
  if (!evidence.not_finite) return {};
  return BadInputParts{
      .kind = out_of_range,
      .where = asked.where,
      .expected = "finite numbers where a query sees a key",
      .found = number_at(asked, *evidence.not_finite) +
               (std::isfinite(evidence.not_finite->value) ? ", the greatest number of a type" : ""),
      .advice = advice_for(evidence.not_finite->value, asked)};
}

Parts ask_negative(const Evidence& evidence, const Asked& asked) {
  if (!evidence.negative) return {};
  return BadInputParts{
      .kind = out_of_range,
      .where = asked.where,
      .expected = "weights of at least 0",
      .found = number_at(asked, *evidence.negative) +
               (evidence.are_sizes_one ? ", and sizes that sum to 1 in every row" : ""),
      .advice = evidence.are_sizes_one
                    ? "are the signs marks of dropout, as flash attention returns "
                      "them? Record the absolute values, of the model in eval()"
                    : kLogitsAdvice};
}

Parts ask_transposed(const Evidence& evidence, const Asked& asked) {
  if (!evidence.transposed) return {};
  const auto& [sum, head, query] = *evidence.transposed;
  // Queries that are as many as heads may be their first axis.
  const bool may_be_first = asked.heads == asked.queries;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "[head, query, key], whose rows sum to 1",
      .found =
          fmt::format("columns that do, and a row of sum {:.6g} at {}: is it [head, key, "
                      "query]{}?",
                      sum, asked.at({head, query}), may_be_first ? ", or [query, key, head]" : ""),
      .advice =
          fmt::format("transpose(-2, -1) makes [head, query, key]{}",
                      may_be_first ? fmt::format(" of the first, {}permute(2, 0, 1) of the second",
                                                 asked.is_batched ? "tensor[0]." : "")
                                   : "")};
}

Parts ask_over_heads(const Evidence& evidence, const Asked& asked) {
  using enum Evidence::OverHeads;
  if (evidence.over_heads == none) return {};
  const bool is_of_each_key = evidence.over_heads == each_key;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "[head, query, key], whose rows sum to 1",
      .found = fmt::format("sums of 1 over the heads{}: was softmax taken over these?",
                           is_of_each_key ? ", of each query and key" : " and keys of each query"),
      .advice = is_of_each_key ? "softmax(-1) of the scores is over the keys"
                               : "softmax(-1) of the scores is over the keys; weights that were "
                                 "divided by the number of heads are multiplied with it"};
}

Parts ask_upside_down(const Evidence& evidence, const Asked& asked) {
  // Values are of the keys, so that other sizes show which axis is theirs.
  const bool are_sizes_clear = asked.queries != asked.keys && asked.has_values;
  const bool is_settled = are_sizes_clear || asked.has_mask || asked.has_outputs;
  if (!evidence.upside_down || is_settled) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "[head, query, key], and keys before a query's own that it sees",
      .found = fmt::format("none, but {}, a later one: is it [head, key, query]?",
                           number_at(asked, *evidence.upside_down)),
      .advice =
          "transpose(-2, -1) makes [head, query, key]; turn round what is read from the end; where "
          "the queries see these keys alone, a tensor hook_mask [query, key] says so"};
}

Parts ask_as_weights(const Evidence& evidence, const Asked& asked) {
  if (!evidence.as_weights || asked.has_pattern) return {};
  const auto& [sum, head, query, by] = *evidence.as_weights;
  using enum Evidence::AsWeights::By;
  if (by == largest) return ask_by_largest(asked);
  const std::string largest_sum =
      fmt::format("the largest sum of a row is {:.6g}, at {}", sum, asked.at({head, query}));
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "logits",
      .found =
          by == means
              ? "weights by the number of keys: none is below 0, and the mean of every row is 1"
          : by == squares
              ? "roots of weights: none is below 0, and the squares of every row sum to 1"
              : fmt::format("weights: none is below 0, and {}{}", largest_sum,
                            by == dropout ? ", with zeros as dropout leaves them" : ""),
      .advice = fmt::format("weights after the softmax are recorded as hook_pattern{}",
                            by == dropout ? ", of the model in eval()" : "")};
}

Parts ask_normalised(const Evidence& evidence, const Asked& asked) {
  using enum Evidence::Normalised::By;
  if (!evidence.normalised || asked.has_pattern) return {};
  const Evidence::Normalised::By by = evidence.normalised->by;
  const bool is_settled = asked.are_temperatures_said && by != weights;
  if (by == zero_sum || is_settled) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "logits",
      .found = in_words(*evidence.normalised),
      .advice = fmt::format(
          "weights after the softmax are recorded as hook_pattern{}",
          by == weights
              ? ""
              : "; metadata 'temperatures' says that they are logits all the same, and their T")};
}

Parts ask_exponent(const Evidence& evidence, const Asked& asked) {
  if (!evidence.base || asked.are_temperatures_said || asked.has_pattern) return {};
  const auto [exponent, sum] = *evidence.base;
  const bool is_turned = exponent < 0;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "scores x of which softmax reads e^x",
      .found = fmt::format("sums of {:.4g} of {:.6g}^{}x in every row: are they {}logarithms of "
                           "weights to that base?",
                           sum, std::exp(std::abs(exponent)), is_turned ? "-" : "",
                           is_turned ? "the negative " : ""),
      .advice =
          is_turned
              ? "turn their sign, or record the weights as hook_pattern"
              : fmt::format("metadata 'temperatures' says the T of each layer, {:.17g} where they "
                            "are; or record the weights as hook_pattern",
                            1 / exponent)};
}

Parts ask_length_one(const Evidence& evidence, const Asked& asked) {
  if (!evidence.are_of_length_one || asked.are_temperatures_said) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "queries and keys whose products are divided by the root of d_head",
      .found = "length 1 of one of them or both in every head: what is q.k multiplied by?",
      .advice =
          "metadata 'temperatures' says the T of each layer, 1 over that factor; where heads "
          "have a T of their own, record hook_attn_scores"};
}

Parts ask_latent(const Evidence& evidence, const Asked& asked) {
  const auto& [values, keys] = evidence.latent;
  if (values == 0 || asked.are_temperatures_said) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "queries and keys whose products are divided by the root of d_head",
      .found = fmt::format(
          "values that are {} of the {} numbers of the keys: are they latent, as of MLA?", values,
          keys),
      .advice =
          "metadata 'temperatures' says the T of each layer, which is the root of the d_head that "
          "its queries have before they are multiplied into this width"};
}

Parts ask_sink(const Evidence& evidence, const Asked& asked) {
  if (!asked.has_sink || !evidence.least_sum || *evidence.least_sum < 1 - kOffSum) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "rows of a sum below 1, which leave weight to the learned sink beside it",
      .found = fmt::format("none of a sum below {:.6g}", *evidence.least_sum),
      .advice = "leave hook_sink out, or record the weights before they are divided by their sum"};
}

Parts ask_order(const Evidence& evidence, const Asked& asked) {
  using enum Evidence::CausalAs;
  if (evidence.causal_as == none || asked.has_mask) return {};
  const char* const first = asked.is_batched ? "tensor[0]." : "";
  const auto is = [&](const char* seen, const char* order, const char* change) {
    return BadInputParts{.kind = inconsistent,
                         .where = asked.where,
                         .expected = "[head, query, key]",
                         .found = fmt::format("{} the number of the head: is it {}?", seen, order),
                         .advice = fmt::format("{}{} makes [head, query, key]", first, change)};
  };
  switch (evidence.causal_as) {
    case query_head_key:
      return is("in each head the same keys of every query, those up to", "[query, head, key]",
                "transpose(0, 1)");
    case query_key_head:
      return is("in each head all keys of some queries, those up to", "[query, key, head]",
                "permute(2, 0, 1)");
    case key_query_head:
      return is("in each head all keys of some queries, those from", "[key, query, head]",
                "permute(2, 1, 0)");
    case key_head_query:
    case none:
      break;
  }
  return is("in each head the same keys of every query, those from", "[key, head, query]",
            "permute(1, 2, 0)");
}

Parts ask_sink_column(const Evidence& evidence, const Asked& asked) {
  // Beside a learned sink one of its scores would be in the sum twice.
  const bool is_twice = asked.has_sink && asked.are_scores;
  if (!evidence.sink_column || asked.are_all_scores) return {};
  if (!is_twice && (asked.has_sink || asked.has_mask)) return {};
  if (!asked.are_scores) {
    if (asked.has_values) return {};  // of this key too
    return BadInputParts{
        .kind = inconsistent,
        .where = asked.where,
        .expected = "the weights of tokens",
        .found = fmt::format("a last key with a weight in every row, {}, and no other after a "
                             "query's own: is it a learned sink?",
                             number_at(asked, *evidence.sink_column)),
        .advice =
            "record the other keys alone, whose rows then sum to less than 1; a tensor hook_mask "
            "says that it is a key like the others, as add_bias_kv adds one"};
  }
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "the scores of tokens",
      .found = fmt::format("one score of the {} key in all rows of each head, {}: is it {}?",
                           evidence.sink_column->place[2] == 0 ? "first" : "last",
                           number_at(asked, *evidence.sink_column),
                           is_twice ? "the learned sink beside it" : "a learned sink"),
      .advice = fmt::format(
          "{}; metadata 'hidden_below': 'none' says that it is a token",
          is_twice ? "record the scores of the other keys alone, or leave hook_sink out"
                   : "record it as hook_sink [head], and the scores of the other keys")};
}

Parts ask_zero_columns(const Evidence& evidence, const Asked& asked) {
  if (evidence.zero_columns == 0 || asked.are_temperatures_said) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "queries and keys of d_head numbers",
      .found =
          fmt::format("{} of these that are 0 in all queries and keys: were they added to fill it?",
                      evidence.zero_columns),
      .advice =
          "record the others alone; or metadata 'temperatures' says the T of each layer, which is "
          "the root of d_head without them"};
}

}  // namespace attn::gpt2
