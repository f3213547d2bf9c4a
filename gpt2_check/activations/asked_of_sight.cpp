#include <fmt/format.h>

#include "gpt2_check/activations/asked.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;

constexpr const char* kZerosAdvice =
    "metadata 'zeros' says what they are: hidden, by a mask or padding, or weights of 0";

/// Where others are zeros of some heads.
constexpr const char* kSomeZerosAdvice =
    "a tensor hook_mask [query, key] says which keys a query sees; metadata 'zeros': 'weights', "
    "that all of these, and the others, are weights of 0";

/// Which word or tensor is left to say which keys a query sees, before further advice.
std::string mask_advice(const Asked& asked) {
  if (asked.has_mask) return "";
  return asked.is_mask_said ? "a tensor hook_mask [query, key] says which keys a query sees; "
                            : fmt::format("{}; ", kMaskAdvice);
}

std::string sight_advice(const Asked& asked) {
  const bool may_be_padding = asked.queries == asked.keys && !asked.is_padding_said;
  return mask_advice(asked) + (may_be_padding ? fmt::format("{}; ", kPaddingAdvice) : "");
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
      .advice = mask_advice(asked) + "metadata 'zeros': 'weights' says that they are weights"};
}

}  // namespace

Parts ask_hidden_weight(const Evidence& evidence, const Asked& asked) {
  if (!evidence.hidden_weight) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "0 where a query does not see a key",
      .found = number_at(asked, *evidence.hidden_weight),
      .advice =
          fmt::format("{}{}; or record 0 there", kMaskAdvice,
                      asked.is_padding_said ? "; metadata 'padding' lists positions from 0 on, "
                                              "and attention_mask is 1 of a token"
                                            : "")};
}

Parts ask_last_keys(const Evidence& evidence, const Asked& asked) {
  if (!evidence.are_last_keys || asked.has_mask || asked.has_outputs) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "the keys up to a query's own",
      .found =
          "as many of every query, but the last of all: are rows of a growing cache written "
          "from the end?",
      .advice =
          "write each row from key 0 on; where the queries see these keys, a tensor hook_mask "
          "[query, key] says so"};
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

Parts ask_blind_query(const Evidence& evidence, const Asked& asked) {
  if (!evidence.blind_query || asked.is_padding_said || asked.has_mask) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "no query that sees no key, where others see its own",
      .found =
          fmt::format("query {}: is it [head, key, query], or padding?", *evidence.blind_query),
      .advice = fmt::format("transpose(-2, -1) makes [head, query, key]; {}", kPaddingAdvice)};
}

Parts ask_hidden_in_sight(const Evidence& evidence, const Asked& asked) {
  if (!evidence.hidden_in_sight || asked.has_mask || asked.is_full_said) return {};
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "scores of the keys that metadata 'mask' says a query sees",
      .found = fmt::format("{}, and so in every head: is the mask another, or the order of the "
                           "keys?",
                           number_at(asked, *evidence.hidden_in_sight)),
      .advice = fmt::format("leave 'mask' out, or record a tensor hook_mask [query, key] of what "
                            "each query sees; {}",
                            kPaddingAdvice)};
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
      .advice = asked.are_scores || asked.are_zeros_said || !evidence.has_later_zeros
                    ? std::string(kMaskAdvice)
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
      .advice = sight_advice(asked) + "metadata 'hidden_below': 'none' says that they are scores"};
}

Parts ask_zero_row(const Evidence& evidence, const Asked& asked) {
  if (!evidence.zero_row) return {};
  const auto& [head, query, key] = evidence.zero_row->place;
  if (evidence.is_head_zero) {
    return BadInputParts{.kind = out_of_range,
                         .where = asked.where,
                         .expected = "a weight above 0 in every head",
                         .found = fmt::format("zeros alone in head {}: was it cut?", head),
                         .advice =
                             "record the other heads, of v too; 'zeros': 'hidden' leaves its "
                             "rows out"};
  }
  const bool is_of_all = evidence.is_zero_in_all_heads;
  return BadInputParts{
      .kind = out_of_range,
      .where = asked.where,
      .expected = "a weight above 0 in every row",
      .found = fmt::format("a row of zeros at {}{}", asked.at({head, query}),
                           is_of_all ? "" : ", which other heads have not"),
      .advice = fmt::format("{}; 'zeros': 'hidden' leaves rows of zeros out",
                            is_of_all ? fmt::format("is it padding? {}", kPaddingAdvice)
                                      : "record what the model weighs by in every row")};
}

Parts ask_blank(const Evidence& evidence, const Asked& asked) {
  if (!evidence.blank || asked.is_padding_said || asked.has_mask) return {};
  const auto& [of, position, positions, is_attended] = *evidence.blank;
  using enum Evidence::Blank::Of;
  const std::string where =
      positions == 1 ? fmt::format("position {}", position)
                     : fmt::format("{} positions, the first of them {}", positions, position);
  if (is_attended) {
    return BadInputParts{
        .kind = inconsistent,
        .where = asked.where,
        .expected = "values of tokens",
        .found = fmt::format("zeros in every head at {}, which have weights in the rows of others: "
                             "does the model attend to them?",
                             where),
        .advice =
            "metadata 'padding': '[]' says that it does; a tensor hook_mask [query, key] "
            "says which keys a query sees"};
  }
  // Where there is one more key than queries, it may be no token's.
  const bool may_be_sink = of == values && asked.keys == asked.queries + 1 && positions == 1;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = fmt::format("{} of tokens", of == keys      ? "keys"
                                              : of == queries ? "queries"
                                                              : "values"),
      .found = fmt::format("zeros in every head at {}: padding, {}or a cache that was not filled?",
                           where, may_be_sink ? "a learned sink, " : ""),
      .advice = fmt::format(
          "{}a tensor hook_mask [query, key] says which keys a query sees",
          asked.queries == asked.keys
              ? fmt::format("{}; ", kPaddingAdvice)
              : fmt::format(
                    "record the others alone, of {} too{}; metadata 'padding': '[]' says that "
                    "they are seen; ",
                    of == values ? "k" : "v",
                    may_be_sink ? ", and a learned sink as hook_sink [head]" : ""))};
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
      .advice = zeros.has_scattered_beside ? std::string(kSomeZerosAdvice)
                : zeros.window > 1
                    ? fmt::format("metadata 'mask': 'window:{}' says that a window hides these; {}",
                                  zeros.window, kZerosAdvice)
                    : std::string(kZerosAdvice)};
}

Parts ask_common_weight(const Evidence& evidence, const Asked& asked) {
  if (!evidence.common_weight || asked.are_zeros_weights || asked.has_mask) return {};
  const Evidence::CommonPlaces& common = *evidence.common_weight;
  return BadInputParts{
      .kind = inconsistent,
      .where = asked.where,
      .expected = "weights where a query sees a key",
      .found = fmt::format("the least, {:.6g}, in {} places, the same of every head, the first at "
                           "{}: do they hide keys?",
                           common.value, common.places, asked.at({0, common.query, common.key})),
      .advice = sight_advice(asked) + "metadata 'zeros': 'weights' says that they are weights"};
}

}  // namespace attn::gpt2
