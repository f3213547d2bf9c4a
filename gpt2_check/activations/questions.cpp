#include "gpt2_check/activations/questions.hpp"

#include <fmt/format.h>

#include "gpt2_check/activations/asked.hpp"

namespace attn::gpt2 {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {"a number that is not finite where a query sees the key",
       "refused: `mask` or `hook_mask` hides it, and of a pattern `zeros`: `hidden`, which hides "
       "NaN too",
       ask_not_finite},
      {"a weight below 0",
       "refused: logits are `hook_attn_scores`; weights of linear or differential attention, or "
       "that heads have mixed, are no softmax's; where the sizes of a row sum to 1, the signs may "
       "be marks of dropout",
       ask_negative},
      {"as many heads as queries or keys, and in each head the same keys of every query, or all "
       "keys of some queries, those up to the number of the head or from it on",
       "refused: it is [query, head, key], [query, key, head] or these two with queries and keys "
       "the other way round",
       ask_order},
      {"a pattern whose columns all sum to 1, those of padding to 0, and not its rows",
       "refused: it is [head, key, query], or where its heads are as many as queries maybe [query, "
       "key, head]",
       ask_transposed},
      {"a pattern whose rows do not sum to 1, but all heads together, of each query or of each "
       "query and key",
       "refused: softmax was taken over the heads", ask_over_heads},
      {"scores that hide all keys before a query's own, and not all later ones, without outputs, "
       "or values of another number of keys than queries",
       "refused: they are [head, key, query], or read from the end; `hook_mask` says that they are "
       "right",
       ask_upside_down},
      {"scores or weights of which query i, from 0 on, sees or weighs the last keys alone, as many "
       "as those up to its own, without outputs",
       "refused: rows of a growing cache are written from key 0 on; `hook_mask` says that they are "
       "right",
       ask_last_keys},
      {"one key more than queries, and one score of the last or first in all rows of each head, "
       "beside `hook_sink` too; or of a pattern without values a weight of the last in all rows, "
       "and none else of a key after a query's own",
       "asked whether it is a learned sink: `hook_sink`, or of a token `hidden_below`: `none`, or "
       "`hook_mask`",
       ask_sink_column},
      {"a weight above 2⁻⁵³ of a key that `mask`, `hook_mask` or `padding` hides",
       "refused: one of them is not so", ask_hidden_weight},
      {"scores of which none is below 0, with no row of a larger sum than 1, or all rows of the "
       "mean 1, or of squares that sum to 1, or 1 for the largest of each row, or "
       "zeros among rows of sum 1 on average",
       "refused: weights are `hook_pattern`; where each row's largest is 1, `temperatures` say "
       "that they are logits",
       ask_as_weights},
      {"scores x of which b^x sums to 1 in every row, for one b other than e, or b^-x for any, or "
       "to another number, the same in every row, for b of 10, 2 or decibels, without a pattern",
       "asked whether they are logarithms of weights: `temperatures` of 1/ln b say so",
       ask_exponent},
      {"scores, or logarithms of weights, below all others of the layer by more than twice the "
       "spread of those, and so far that their weights are 0, or below 2⁻⁵³ of theirs, in the same "
       "places of every head, or where each head sees its tokens in groups; or scores below them "
       "by 100 times the spread",
       "asked whether a mask was added: `hidden_below`, a number or `none`; of weights `mask`, "
       "`hook_mask`, or `zeros`: `weights`",
       ask_fill},
      {"a row of scores that hide all its keys, where other rows see its query's own",
       "asked whether they are [head, key, query], or it is padding: `padding` or "
       "`attention_mask`",
       ask_blind_query},
      {"scores of −∞, or of what stands for it, in every head, of keys that the word `mask` shows, "
       "padding aside",
       "refused: the mask is another, or the order of the keys: `hook_mask`, `padding`, or no "
       "`mask`; where that is `full`, read as hidden, and one line asks",
       ask_hidden_in_sight},
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
      {"scores whose rows all have, in each head, one sum other than 0, or sums of 0 as weights "
       "less their mean have, or the mean 0 and the deviation 1, or the median 0 and 1 from the "
       "first quartile to the third, or 1 for the sum or the mean of their squares, or for the "
       "largest absolute value, or for the sum of 1/(1 + e^-l); or whose columns do, or, but for "
       "the sums, whose heads, or, of means and deviations or the largest alone, each key's scores "
       "of all heads, or all scores, up to four million; without a pattern",
       "asked whether they are weights, or were normalised: `hook_pattern`, or `temperatures` "
       "where some are below 0",
       ask_normalised},
      {"queries or keys that are 0 in every head at some positions, without a pattern, or values "
       "of keys that are seen",
       "asked whether these are padding, or places of a cache that were not filled: `padding`, "
       "`attention_mask` or `hook_mask`; of values that have weights, `padding`: `[]`",
       ask_blank},
      {"queries or keys of length 1 in every head, without a pattern",
       "asked for `temperatures`: what normalises them has a factor of its own", ask_length_one},
      {"values that are the first or last numbers of their keys, which have more, without a "
       "pattern",
       "asked for `temperatures`: where both are latent, as of multi-head latent attention, d_head "
       "is not their width",
       ask_latent},
      {"numbers of d_head that are 0 in all queries and all keys, without a pattern",
       "asked for `temperatures`, or q and k without them", ask_zero_columns},
      {"the least weight of a pattern more than once in the same places of every head",
       "asked whether it hides keys: `mask`, `hook_mask`, `padding`, or `zeros`: `weights`",
       ask_common_weight},
      {"a learned sink beside a pattern that is read, none of whose rows leaves it 0.01",
       "refused: there is none", ask_sink},
      {"a row of zeros in a pattern",
       "asked whether it is padding: `padding`, `attention_mask`, or `zeros`: `hidden`",
       ask_zero_row},
      {"zeros of a pattern in the same places of every head; where others are scattered beside "
       "them, such as lie after the query's number or its own, or in whole last columns",
       "asked what they are: `zeros`: `hidden` or `weights`, or `mask`: `window:K`",
       ask_common_zeros},
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
       "are decided on the pattern, which report and console say first, with the T or the type of "
       "16 bits at which it would fit, if any, or how many rows do not where most do, and `report "
       "gate` fails without `--allow-mismatch`",
       nullptr},
      {"q and k or scores of a layer without a pattern, where the pattern of another one shows a "
       "mask that is not causal, or another T",
       "asked for `mask` or `temperatures`; where that pattern contradicts its logits in another "
       "way, one line asks whether these do too",
       nullptr},
      {"scores beside q and k, less what is alike in rows, columns and diagonals: in half of the "
       "heads a correlation of less than 0.3 with their products",
       "read, and one line asks whether q and k are of another layer", nullptr},
      {"`hook_rot_q` or `hook_rot_k` beside `hook_q` or `hook_k` of the same sizes: in half of the "
       "heads lengths of pairs of d_head, less what positions and pairs have in common, of a "
       "correlation of less than 0.3",
       "read, and one line asks whether they are of another layer", nullptr},
      {"`hook_rot_k` of the numbers of `hook_k`, beside `hook_rot_q` of others than `hook_q`, or "
       "the other way round",
       "read, and one line asks whether these were not rotated", nullptr},
      {"heads of keys that are the same, of which heads of values are not, and the other way round",
       "read, and one line asks whether one was tiled and the other repeated", nullptr},
      {"queries, keys or values that come again after some positions, rows of scores or weights "
       "that do, or two heads of these with the same numbers",
       "read, and one line asks whether they are of several sequences", nullptr},
      {"queries, keys or values that are all whole numbers, or of four significant bits at most",
       "read, and one line asks whether they are codes of 8 bits, without their scale", nullptr},
      {"scores of eight rows or more, all from 0 to 1",
       "read, and one line asks whether they are weights of a sigmoid", nullptr},
      {"scores of keys that words or tensors hide, padding aside, that differ and are not below "
       "all others of their row, without a pattern",
       "read, and one line asks whether they were recorded before the mask was added, and before "
       "their factor",
       nullptr},
      {"scores that are all whole numbers, a fifth of them different, and of a size above 300",
       "read, and one line asks whether they are products of integers, without their scale",
       nullptr},
      {"scores that are all whole numbers from −128 to 127, reach 127, −127 or −128, are many "
       "different ones, and not those of the next query for the next key",
       "read, and one line asks whether they are codes of 8 bits, without their scale", nullptr},
      {"scores of which the largest is 0 in every row, and not that of its own key in all, or e^x "
       "sums to 1, or to another number, the same in every row, or has the mean 1 there",
       "read, and one line says that what reads the size of the logits reads another one", nullptr},
      {"scores of which the largest is 0 in every row, and in eight rows or more more than once, "
       "where others are hardly the same",
       "read, and one line asks whether the largest so far was taken off block by block, which "
       "changes the weights",
       nullptr},
      {"scores that are the largest, or the least, of their layer eight times or more, where no "
       "others are often the same",
       "read, and one line asks whether they were clipped", nullptr},
      {"scores whose sums are 0 in every row of each head, or in every column, and that is all",
       "read, and one line asks whether they were centred", nullptr},
      {"scores of which one in every row is exactly 0, that of the same key, of the query's own, "
       "unless all others are on one side of it, the least, or the middle one",
       "read, and one line asks whether it was taken off", nullptr},
      {"scores of which none is above 0, or none below, and no head has more than one of 0",
       "read, and one line asks whether the largest, or the least, was taken off", nullptr},
      {"queries, keys or values of which every number of every head has the mean 0 over the "
       "positions, four or more",
       "read, and one line asks whether the mean was taken off", nullptr},
      {"layers of the same keys, where no pattern shows that they are theirs, or of the same "
       "values, where no outputs do",
       "read, and one line asks whether the model shares them", nullptr},
      {"keys that have the numbers of other keys in every head, in all rows that see both, a "
       "quarter of them or more, while their queries have not; in layer 0 alone where each has "
       "as many",
       "read, and one line asks whether fewer keys were copied to more places", nullptr},
      {"keys in the order of their scores or weights in every row",
       "read, and one line asks whether they were sorted", nullptr},
      {"q and k or scores without a pattern",
       "read, and one line says that nothing shows that the model weighed by them, under which "
       "mask, that fewer queries than keys are the last, and how many heads in a row read a "
       "head of keys",
       nullptr},
      {"a pattern alone, or beside values, without outputs",
       "read, and one line says that nothing shows that the model weighed its values by it, and of "
       "a pattern without logits how many heads in a row read a head of values",
       nullptr},
      {"outputs beside values that are not the weights times these but for rounding",
       "refused, with the first place, and with the T, the mask, the order of the heads, the "
       "softcap or the factors that would make them, if any; where these do not, and the rounding "
       "of products to 11 or 8 bits may, as of TF32 and bfloat16, read, and one line says so, or "
       "that rows of the pattern do not sum to 1, or that some are off, where they are less than "
       "half",
       nullptr},
      {"keys or values of which each head of one half or another part of the heads has those of "
       "the next part, at some positions",
       "read, and one line asks whether they are of several sequences", nullptr},
      {"q, k and v of as many heads as positions, without outputs, or q and k without a pattern, "
       "or scores or a pattern whose queries all see every key",
       "read, and one line says that nothing shows which axis is which", nullptr},
      {"a learned sink beside a pattern that is read, with rows whose sum is 1 but for rounding",
       "read, and one line says of how many rows the sink's weight is lost: scores, or q and k, "
       "beside `hook_sink` have it",
       nullptr},
      {"a pattern in which each query's own key has half of its row or more, in a layer with eight "
       "rows or more that have other weights too, and sums of 1, or of 2",
       "read, and one line asks whether it is the mean, or the sum, of a pattern and the identity",
       nullptr},
      {"a pattern of fewer queries than keys, by three at least, whose queries all see every key: "
       "positive factors of its rows that make every column sum to 1, in each head",
       "read, and one line asks whether softmax was taken over the queries", nullptr},
      {"a pattern of 8 to 256 queries and as many keys, of an inverse that rounding leaves: "
       "positive factors of its rows that make every column sum to 1, in each head, where an "
       "eighth of its "
       "rows, and 24 of all heads, share the key of their largest weight with others",
       "read, and one line asks whether softmax was taken over the queries", nullptr},
      {"a pattern of 8 to 256 queries and as many keys, whose inverse has in each head no number "
       "above 0 beside its diagonal, and many below it, though not all alike, in a "
       "third of its rows, whose own keys have less than half of the weight",
       "read, and one line asks whether a softmax was multiplied by itself", nullptr},
      {"a pattern of as many queries as keys, eight or more, whose queries all see every key, with "
       "columns that sum to 1 as the rows do",
       "read, and one line asks whether Sinkhorn made them", nullptr},
      {"a pattern in which 2 to 8 equally long parts of the keys, the last of which may be "
       "shorter, have equal sums in every row that sees several",
       "read, and one line asks whether softmax was taken of each part alone", nullptr},
      {"weights that are all multiples of 1/255, eight different ones or more",
       "read, and one line asks whether they were read from an image", nullptr},
      {"weights that are all multiples of 10⁻ᵏ, k from 2 to 6, and zeros",
       "read, and one line says to how many decimals they are rounded, and in how many rows to 0",
       nullptr},
      {"a pattern in which the first keys, so many in every head, have one share of the "
       "weight in all rows that see others too, from 0.02 to 0.98 and by head, though the "
       "rows differ",
       "read, and one line asks whether softmax was taken of these and of the others apart",
       nullptr},
      {"a pattern of 8 to 256 queries that all see every key, no more keys than queries, in which "
       "some keys, the same in every head, have one share of the weight in all rows, from 0.02 to "
       "0.98 and by head, though the rows differ",
       "read, and one line asks whether softmax was taken of these and of the others apart",
       nullptr},
      {"a pattern in whose rows of eight keys or more the least weight, not 0, comes three "
       "times or more and every other once, in most of them, at other keys in each head, "
       "where it is not of 16 bits",
       "read, and one line asks whether weights were clamped from below", nullptr},
      {"weights that all have k significant digits at most, k from 2 to 6, and 16 different "
       "numbers of these that rounding does not explain",
       "read, and one line asks whether they were written as text", nullptr},
      {"a pattern of as many queries as keys, eight or more, that is its own transpose in "
       "every head, in rows that are not level",
       "read, and one line asks whether it is the mean of a pattern and its transpose", nullptr},
      {"a pattern whose rows of eight keys or more are the softmax of weights, clearly so in a "
       "quarter of them, with the largest weight of four keys or more in each head",
       "read, and one line asks whether a softmax was taken of the weights again", nullptr},
      {"a pattern of as many queries as keys, eight or more, in which i times the weight of "
       "row i is nowhere less than i − 1 times that of the row before, in rows that are not "
       "alike",
       "read, and one line asks whether its rows are running means", nullptr},
      {"patterns of layers from 0 on in which i + 1 times the weight of layer i is nowhere less "
       "than i times that of the layer before, in rows that are not alike",
       "read, and one line asks whether they were averaged over the layers", nullptr},
      {"a pattern whose rows, undone of what averages of the last 2 to 8 rows add, have no weight "
       "below 0 and are not alike; or in which no weight is less than a part of that of the row "
       "before, the same part in most rows of all heads",
       "read, and one line asks whether it was smoothed over the queries", nullptr},
      {"a pattern of up to 256 queries that all see every key, or of the later half of its queries "
       "and the earlier half of its keys under a causal mask, in which the rows of each head, "
       "eight or more, are combinations of fewer than three quarters of these but for "
       "rounding, and those of its logarithms are not",
       "read, and one line asks whether it was resized, or made without a softmax", nullptr},
      {"zeros of a pattern, elsewhere in each head, in rows that sum to 1, and no weight so small "
       "that rounding makes 0 of it",
       "read as small weights, and one line asks whether they hide their keys: `zeros`: `hidden`, "
       "or `hook_mask`",
       nullptr},
      {"rows of a pattern whose sum is not 1",
       "read, and counted: below 1 alone they say a sink, a gate or keys that were left out, on "
       "both sides dropout, a sigmoid or few bits, above alone no softmax",
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
