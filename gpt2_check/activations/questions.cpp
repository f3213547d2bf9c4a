#include "gpt2_check/activations/questions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {
namespace {

using Parts = std::optional<BadInputParts>;
using enum BadInputKind;

constexpr const char* kMaskAdvice =
    "metadata 'mask' (causal, full or window:K) or a tensor hook_mask says which keys a query sees";
constexpr const char* kPaddingAdvice =
    "metadata 'padding', a JSON list of positions, or a tensor attention_mask says what is padding";
constexpr const char* kLogitsAdvice =
    "logits are recorded as hook_attn_scores; weights of linear, differential or mixed attention "
    "are no softmax's";
constexpr const char* kZerosAdvice =
    "metadata 'zeros' says what they are: hidden, by a mask or padding, or weights of 0";

std::string at(const Asked& asked, const Sighting& sighting) {
  const auto& [head, query, key] = sighting.place;
  return asked.at({head, query, key});
}

std::string number_at(const Asked& asked, const Sighting& sighting) {
  return fmt::format("{:.6g} at {}", sighting.value, at(asked, sighting));
}

/// What to do about a number that is not finite.
std::string advice_for(double number, const Asked& asked) {
  if (number > 0) return "a number overflowed: compute it in float32, and record it so";
  if (!asked.are_scores && number < 0) return kLogitsAdvice;
  return asked.are_scores ? fmt::format("{}; {}", kMaskAdvice, kPaddingAdvice)
                          : "is it padding? metadata 'zeros' that say 'hidden' leave zeros and "
                            "rows of NaN out";
}

Parts ask_not_finite(const Evidence& evidence, const Asked& asked) {
  if (!evidence.not_finite) return {};
  return BadInputParts{.kind = out_of_range,
                       .where = asked.where,
                       .expected = "finite numbers where a query sees a key",
                       .found = number_at(asked, *evidence.not_finite),
                       .advice = advice_for(evidence.not_finite->value, asked)};
}

Parts ask_negative(const Evidence& evidence, const Asked& asked) {
  if (!evidence.negative) return {};
  return BadInputParts{.kind = out_of_range,
                       .where = asked.where,
                       .expected = "weights of at least 0",
                       .found = number_at(asked, *evidence.negative),
                       .advice = kLogitsAdvice};
}

Parts ask_hidden_weight(const Evidence& evidence, const Asked& asked) {
  if (!evidence.hidden_weight) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "0 where a query does not see a key",
      .found = number_at(asked, *evidence.hidden_weight),
      .advice = fmt::format("{}{}; or record 0 there", kMaskAdvice,
                            asked.is_padding_said ? "; attention_mask is 1 of a token" : "")};
}

Parts ask_transposed(const Evidence& evidence, const Asked& asked) {
  if (!evidence.transposed) return {};
  const auto& [sum, head, query] = *evidence.transposed;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "[head, query, key], whose rows sum to 1",
      .found = fmt::format("columns that do, and a row of sum {:.6g} at {}: is it [head, key, "
                           "query]?",
                           sum, asked.at({head, query})),
      .advice = "transpose(-2, -1) makes [head, query, key]"};
}

Parts ask_upside_down(const Evidence& evidence, const Asked& asked) {
  if (!evidence.upside_down) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "[head, query, key], and keys before a query's own that it sees",
      .found = fmt::format("none, but {}, a later one: is it [head, key, query]?",
                           number_at(asked, *evidence.upside_down)),
      .advice = "transpose(-2, -1) makes [head, query, key]; turn round what is read from the end"};
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

Parts ask_as_weights(const Evidence& evidence, const Asked& asked) {
  if (!evidence.as_weights) return {};
  const auto& [sum, head, query, is_dropout, is_by_largest] = *evidence.as_weights;
  if (is_by_largest) return ask_by_largest(asked);
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "logits",
      .found = fmt::format("weights: none is below 0, and the largest sum of a row is {:.6g}, at "
                           "{}{}",
                           sum, asked.at({head, query}),
                           is_dropout ? ", with zeros as dropout leaves them" : ""),
      .advice = fmt::format("weights after the softmax are recorded as hook_pattern{}",
                            is_dropout ? ", of the model in eval()" : "")};
}

Parts ask_exponent(const Evidence& evidence, const Asked& asked) {
  if (!evidence.exponent || asked.are_temperatures_said || asked.has_pattern) return {};
  const double exponent = *evidence.exponent;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "scores x of which softmax reads e^x",
      .found = fmt::format("sums of 1 of {:.6g}^x in every row: are they logarithms of weights to "
                           "that base?",
                           std::exp(exponent)),
      .advice = fmt::format("metadata 'temperatures' says the T of each layer, {:.17g} where they "
                            "are; or record the weights as hook_pattern",
                            1 / exponent)};
}

/// Weights that a mask leaves of its keys where a number like -100 is added.
Parts ask_fill_of_weights(const Evidence::Fill& fill, const Asked& asked) {
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected =
          fmt::format("0, or weights of {:.3g} or more, as the others are", fill.least_other),
      .found = fmt::format("{} and no greater in {} places, {}: did a mask leave them?",
                           number_at(asked, fill.highest), fill.places,
                           fill.is_same_in_all_heads ? "the same of every head" : "of all heads"),
      .advice =
          fmt::format("{}; metadata 'zeros': 'weights' says that they are weights", kMaskAdvice)};
}

Parts ask_fill(const Evidence& evidence, const Asked& asked) {
  if (!evidence.fill) return {};
  const Evidence::Fill& fill = *evidence.fill;
  if (!asked.are_scores && asked.are_zeros_weights) return {};
  if (!asked.are_scores) return ask_fill_of_weights(fill, asked);
  if (asked.are_all_scores) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = fmt::format("scores of {:.6g} or more, as the others are", fill.least_other),
      .found = fmt::format("{} and no greater in {} places, {}: do they hide keys?",
                           number_at(asked, fill.highest), fill.places,
                           fill.is_same_in_all_heads ? "the same of every head" : "of all heads"),
      .advice = fmt::format("metadata 'hidden_below': '{:.2g}' says that they do, 'none' that they "
                            "are scores",
                            (fill.highest.value + fill.least_other) / 2)};
}

Parts ask_level_row(const Evidence& evidence, const Asked& asked) {
  if (!evidence.level_row || asked.is_padding_said) return {};
  const auto& [query, keys, rows] = *evidence.level_row;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "rows of one kind",
      .found = fmt::format("{}, whose row is level over {} keys in every head, unlike the others: "
                           "padding?",
                           rows == 1 ? fmt::format("query {}", query)
                                     : fmt::format("{} queries, the first of them {}", rows, query),
                           keys),
      .advice = kPaddingAdvice};
}

Parts ask_later(const Evidence& evidence, const Asked& asked) {
  const bool is_settled =
      asked.is_mask_said || evidence.hides_later_keys || (asked.are_scores && asked.has_pattern);
  if (!evidence.later || is_settled) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = asked.queries == asked.keys
                      ? "nothing after a query's own key, as of a causal mask"
                  : asked.queries > asked.keys
                      ? "a word on what its queries see, which are more than its keys"
                      : fmt::format("nothing after a query's own key, where the {} queries are the "
                                    "last of {} tokens",
                                    asked.queries, asked.keys),
      .found = number_at(asked, *evidence.later),
      .advice = asked.are_scores ? std::string(kMaskAdvice)
                                 : fmt::format("{}; metadata 'zeros': 'hidden', that it sees those "
                                               "whose weight is not 0",
                                               kMaskAdvice)};
}

Parts ask_common_score(const Evidence& evidence, const Asked& asked) {
  if (!evidence.common_score || asked.are_all_scores || asked.has_pattern) return {};
  const Evidence::CommonPlaces& common = *evidence.common_score;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "scores where a query sees a key",
      .found = fmt::format("{}{:.6g} in {} places, {}, the first at {}: do they hide keys?",
                           common.is_least_of_rows ? "each row's least score, such as " : "",
                           common.value + 0.0,  // never -0
                           common.places,
                           common.is_of_one_head ? "of one head" : "the same of every head",
                           asked.at({common.head, common.query, common.key})),
      .advice = fmt::format("{}; {}; metadata 'hidden_below': 'none' says that they are scores",
                            kMaskAdvice, kPaddingAdvice)};
}

Parts ask_zero_row(const Evidence& evidence, const Asked& asked) {
  if (!evidence.zero_row) return {};
  const auto& [head, query, key] = evidence.zero_row->place;
  return BadInputParts{
      .kind = out_of_range,
      .where = asked.where,
      .expected = "a weight above 0 in every row",
      .found = fmt::format("a row of zeros at {}", asked.at({head, query})),
      .advice = fmt::format("is it padding? {}; 'zeros': 'hidden' leaves rows of zeros out",
                            kPaddingAdvice)};
}

Parts ask_blank(const Evidence& evidence, const Asked& asked) {
  if (!evidence.blank || asked.is_padding_said || asked.has_mask) return {};
  const auto& [of, position, positions] = *evidence.blank;
  using enum Evidence::Blank::Of;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = fmt::format("{} of tokens", of == keys      ? "keys"
                                              : of == queries ? "queries"
                                                              : "values"),
      .found = fmt::format(
          "zeros in every head at {}: padding, or a cache that was not filled?",
          positions == 1 ? fmt::format("position {}", position)
                         : fmt::format("{} positions, the first of them {}", positions, position)),
      .advice = fmt::format(
          "{}a tensor hook_mask [query, key] says which keys a query sees",
          asked.queries == asked.keys
              ? fmt::format("{}; ", kPaddingAdvice)
              : fmt::format("record the others alone, of {} too, or ", of == values ? "k" : "v"))};
}

Parts ask_length_one(const Evidence& evidence, const Asked& asked) {
  if (!evidence.are_of_length_one || asked.are_temperatures_said) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "queries and keys whose products are divided by the root of d_head",
      .found =
          "length 1 in every head, which makes all logits nearly 0: what is q.k multiplied by?",
      .advice =
          "metadata 'temperatures' says the T of each layer, 1 over that factor; where heads "
          "have a T of their own, record hook_attn_scores"};
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

Parts ask_common_zeros(const Evidence& evidence, const Asked& asked) {
  if (!evidence.common_zeros || asked.are_zeros_said) return {};
  const Evidence::CommonPlaces& zeros = *evidence.common_zeros;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "weights where a query sees a key",
      .found = fmt::format("zeros in {} places, the same of every head, the first at {}: are they "
                           "padding or a mask?",
                           zeros.places, asked.at({0, zeros.query, zeros.key})),
      .advice = kZerosAdvice};
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {"a number that is not finite where a query sees the key",
       "refused: `mask` or `hook_mask` hides it, and of a pattern `zeros`: `hidden`, which hides "
       "NaN too",
       ask_not_finite},
      {"a weight below 0",
       "refused: logits are `hook_attn_scores`; weights of linear or differential attention, or "
       "that heads have mixed, are no softmax's",
       ask_negative},
      {"a pattern whose columns all sum to 1, those of padding to 0, and not its rows",
       "refused: it is [head, key, query]", ask_transposed},
      {"scores that hide all keys before a query's own, and not all later ones",
       "refused: they are [head, key, query], or read from the end", ask_upside_down},
      {"a weight above 2⁻⁵³ of a key that `mask`, `hook_mask` or `padding` hides",
       "refused: one of them is not so", ask_hidden_weight},
      {"scores of which none is below 0, with no row of a larger sum than 1, or all rows of one "
       "sum, or 1 for the largest of each row, or zeros among rows of sum 1 on average",
       "refused: weights are `hook_pattern`; where each row's largest is 1, `temperatures` say "
       "that "
       "they are logits",
       ask_as_weights},
      {"scores x of which b^x sums to 1 in every row, for one b other than e, without a pattern",
       "asked whether they are logarithms of weights: `temperatures` of 1/ln b say so",
       ask_exponent},
      {"scores, or logarithms of weights, below all others of the layer by more than twice the "
       "spread of those, and so far that their weights are 0, or below 2⁻⁵³ of theirs, in the same "
       "places of every head, or where each head sees its tokens in groups; or scores below them "
       "by 100 times the spread",
       "asked whether a mask was added: `hidden_below`, a number or `none`; of weights `mask`, "
       "`hook_mask`, or `zeros`: `weights`",
       ask_fill},
      {"a row that is level in every head over all keys, or over later ones than its own, unlike "
       "other rows",
       "asked whether it is padding: `padding` or `attention_mask`", ask_level_row},
      {"a score or weight of a key after a query's own, where no number hides such a key",
       "asked for `mask` or `hook_mask`; of scores a pattern beside them shows it; one value in "
       "all these places is no score, and `causal`",
       ask_later},
      {"one value of scores, or the least of each row more than once, in the same places of every "
       "head, or one value where a mask hides keys of one",
       "asked whether it hides keys: `mask`, `hook_mask`, `padding`, or `hidden_below`: `none`",
       ask_common_score},
      {"queries or keys that are 0 in every head at some positions, without a pattern, or values "
       "of "
       "keys that are seen",
       "asked whether these are padding, or places of a cache that were not filled: `padding`, "
       "`attention_mask` or `hook_mask`",
       ask_blank},
      {"queries and keys of length 1 in every head, without a pattern",
       "asked for `temperatures`: what normalises them has a factor of its own", ask_length_one},
      {"a learned sink beside a pattern that is read, none of whose rows leaves it 0.01",
       "refused: there is none", ask_sink},
      {"a row of zeros in a pattern",
       "asked whether it is padding: `padding`, `attention_mask`, or `zeros`: `hidden`",
       ask_zero_row},
      {"zeros of a pattern in the same places of every head",
       "asked what they are: `zeros`: `hidden` or `weights`", ask_common_zeros},
      {"a score of −∞, or no greater than half the least number of float16 in F16 files, of "
       "float32 in others, or than `hidden_below`; with `zeros`: `hidden` a weight of 0 or NaN",
       "hides its key; where some keys after a query's own are hidden so and there is no `mask`, "
       "all others are seen",
       nullptr},
      {"nothing of this, and no `mask`", "`causal`; of q and k for want of numbers that show it",
       nullptr},
      {"a pattern beside q and k or scores",
       "where it is softmax(l/T) but for rounding, under the mask that is said, or else the first "
       "of `causal`, a window, `full` and its own zeros: as these; else the claims of the layer "
       "are decided on the pattern, which report and console say first, and `report gate` fails "
       "without `--allow-mismatch`",
       nullptr},
      {"q and k or scores without a pattern",
       "read, and one line says that nothing shows that the model weighed by them", nullptr},
      {"rows of a pattern whose sum is not 1",
       "read, and counted: below 1 alone they say a sink, a gate or keys that were left out, on "
       "both "
       "sides dropout, a sigmoid or few bits, above alone no softmax",
       nullptr},
  };
  return all;
}

std::optional<BadInputParts> first_question(const Evidence& evidence, const Asked& asked) {
  for (const Rule& rule : rules()) {
    if (rule.ask == nullptr) continue;
    if (auto parts = rule.ask(evidence, asked)) return parts;
  }
  return std::nullopt;
}

std::string table_of_rules() {
  std::string table = "| recorded | is |\n|---|---|\n";
  for (const Rule& rule : rules()) table += fmt::format("| {} | {} |\n", rule.seen, rule.outcome);
  return table;
}

}  // namespace attn::gpt2
