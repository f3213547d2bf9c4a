#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "gpt2_check/activations/said.hpp"
#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::gpt2 {

/// On tensors that have the names of a layer's, but elsewhere, and are not read; a sentence.
std::vector<std::string> remarks_on_names(const safetensors::File& file);

/// On layers of other lengths, on `tokens` of which no layer has as many, and on `hidden_below`,
/// where it hides keys of some heads that others see, a sentence each. `layers` as they are
/// recorded.
std::vector<std::string> remarks_on_words(const safetensors::File& file, const Said& said,
                                          const std::vector<LayerShape>& layers);

/// On layers that have the same numbers, as a hook that is called for another layer leaves them, a
/// sentence each. `layers` as they are recorded.
std::vector<std::string> remarks_on_layers(const safetensors::File& file,
                                           const std::vector<LayerShape>& layers);

/// On patterns of layers from 0 on that may be means over the layers so far, in all heads; a
/// sentence. `layers` as they are recorded.
std::optional<std::string> remark_on_layer_means(const safetensors::File& file,
                                                 const std::vector<LayerShape>& layers);

/// On keys that have the numbers of other keys in every head, and in every row that sees both, as
/// keys have that are copied to several places, while their queries have not; a sentence for the
/// layers that have so many.
/// `layers` as they are recorded; `seen_of` [1 or head, query, key], booleans: which keys the
/// queries of the layer of that place in the list see.
std::vector<std::string> remarks_on_copies(
    const safetensors::File& file, const std::vector<LayerShape>& layers,
    const std::function<at::Tensor(std::size_t layer)>& seen_of);

/// On numbers that a layer has several times, and on queries, keys and values of 0 or of few bits,
/// a part of a sentence each, which names no layer. `layer` as it is recorded.
std::vector<std::string> remarks_on_numbers(const safetensors::File& file, const LayerShape& layer);

/// On keys and values of which each head of one part of the heads has those of the next part at
/// some position, a part of a sentence each, which names no layer. `layer` as it is recorded.
std::vector<std::string> remarks_on_heads(const safetensors::File& file, const LayerShape& layer);

/// On queries, keys, values, scores or weights of as many heads as positions, which neither a
/// pattern, a mask nor outputs show to be in the documented order; a part of a sentence, which
/// names no layer. `sees_all`: whether each query sees all keys.
std::optional<std::string> remark_on_square(const LayerShape& layer, bool has_pattern,
                                            bool sees_all);

/// On scores beside queries and keys of which they are the products, not divided, or which have
/// nothing to do with them; a part of a sentence, which names no layer.
std::optional<std::string> remark_on_products(const safetensors::File& file,
                                              const LayerShape& layer);

/// On rotated queries and keys beside those that are not, of which they are no rotation, whether or
/// not a norm with weights was taken in between; a part of a sentence, which names no layer.
std::optional<std::string> remark_on_rotation(const safetensors::File& file,
                                              const LayerShape& layer);

/// On scores that may be weights of a sigmoid or were centred, and on scores or weights that were
/// sorted; a part of a sentence each, which names no layer.
std::vector<std::string> remarks_on_evidence(const Evidence& found, bool are_scores);

/// On scores that are whole numbers as products or codes of integers are, were shifted by a number
/// of their row, as their largest or what log-softmax takes off, or clipped; a part of a sentence,
/// which names no layer. `seen` [1 or head, query, key], booleans: which keys the queries see.
std::optional<std::string> remark_on_scores(const HeadSquares& scores, const at::Tensor& seen);

/// On scores of which one in every row is exactly 0, that of one key or the least of it, or of
/// which the largest or least of a head or of the layer is, as where it was taken off the others; a
/// part of a sentence, which names no layer. `seen` [1 or head, query, key], booleans: which keys
/// the queries see.
std::optional<std::string> remark_on_reference(const HeadSquares& scores, const at::Tensor& seen);

/// On weights that are not what one softmax over the keys makes: added to the identity, of a
/// softmax over the queries, of one over each part of the keys, or processed in another way; parts
/// of a sentence, which name no layer. `seen` [1 or head, query, key], booleans: which keys the
/// queries see.
std::vector<std::string> remarks_on_weights(const HeadSquares& weights, const at::Tensor& seen);

/// On weights of which the first keys have one share in every row of a head, in all heads; a part
/// of a sentence, which names no layer. `seen` [1 or head, query, key], booleans: which keys the
/// queries see; `rounding` is that of the weights.
std::optional<std::string> remark_on_shares(const HeadSquares& weights, const at::Tensor& seen,
                                            const Rounding& rounding);

/// How many times more than some shares of the weight, sums of keys, the rows of each of so many
/// heads differ, where chance does not make the shares alike.
double clear_of_heads(std::int64_t heads);

/// On weights of which a group of keys has one share in every row of a head, in all heads,
/// whichever keys these are, of no more queries than takes a moment; a part of a sentence, which
/// names no layer. `seen` [1 or head, query, key], booleans: which keys the queries see; `rounding`
/// is that of the weights.
std::optional<std::string> remark_on_groups(const HeadSquares& weights, const at::Tensor& seen,
                                            const Rounding& rounding);

/// On rows of weights that repeat their least one and no other, as a clamp leaves them, in most
/// rows; a part of a sentence, which names no layer. `seen` [1 or head, query, key], booleans:
/// which keys the queries see; `rounding` is that of the weights.
std::optional<std::string> remark_on_floor(const HeadSquares& weights, const at::Tensor& seen,
                                           const Rounding& rounding);

/// On weights that are their own transpose in all heads; a part of a sentence, which names no
/// layer. `seen` [1 or head, query, key], booleans: which keys the queries see; `rounding` is that
/// of the weights.
std::optional<std::string> remark_on_symmetry(const HeadSquares& weights, const at::Tensor& seen,
                                              const Rounding& rounding);

/// On rows of weights that may be means of all rows so far, in all heads; a part of a sentence,
/// which names no layer. `seen` [1 or head, query, key], booleans: which keys the queries see;
/// `rounding` is that of the weights.
std::optional<std::string> remark_on_means(const HeadSquares& weights, const at::Tensor& seen,
                                           const Rounding& rounding);

/// On rows of weights that may be averages of the last rows, in all heads; a part of a sentence,
/// which names no layer. `seen` [1 or head, query, key], booleans: which keys the queries see;
/// `rounding` is that of the weights.
std::optional<std::string> remark_on_averages(const HeadSquares& weights, const at::Tensor& seen,
                                              const Rounding& rounding);

/// On rows of weights that are the softmax of weights, in all heads; a part of a sentence, which
/// names no layer. `seen` [1 or head, query, key], booleans: which keys the queries see; `rounding`
/// is that of the weights.
std::optional<std::string> remark_on_twice(const HeadSquares& weights, const at::Tensor& seen,
                                           const Rounding& rounding);

/// On rows of weights that are combinations of fewer rows in all heads, of no more queries than
/// takes a moment; a part of a sentence, which names no layer. `seen` [1 or head, query, key],
/// booleans: which keys the queries see; `rounding` is that of the weights.
std::optional<std::string> remark_on_rank(const HeadSquares& weights, const at::Tensor& seen,
                                          const Rounding& rounding);

/// On weights of as many queries as keys that a softmax over the queries was divided to, in all
/// heads, of no more queries than takes a moment; a part of a sentence, which names no layer.
/// `seen` [1 or head, query, key], booleans: which keys the queries see; `rounding` is that of the
/// weights.
std::optional<std::string> remark_on_queries(const HeadSquares& weights, const at::Tensor& seen,
                                             const Rounding& rounding);

/// On weights whose inverse shows that a softmax was multiplied by itself, in all heads, of no more
/// queries than takes a moment; a part of a sentence, which names no layer. `seen` [1 or head,
/// query, key], booleans: which keys the queries see; `rounding` is that of the weights.
std::optional<std::string> remark_on_diffusion(const HeadSquares& weights, const at::Tensor& seen,
                                               const Rounding& rounding);

/// On rows of weights that leave the learned sink beside them no more than their rounding; a part
/// of a sentence, which names no layer. `seen` [1 or head, query, key], booleans: which keys the
/// queries see.
std::optional<std::string> remark_on_lost_sinks(const HeadSquares& weights, const at::Tensor& seen);

/// On weights that are rounded to a number of decimals, some of them to 0, or to the levels of an
/// image; a part of a sentence, which names no layer. `seen` [1 or head, query, key], booleans:
/// which keys the queries see.
std::optional<std::string> remark_on_decimals(const HeadSquares& weights, const at::Tensor& seen);

/// On weights that have few significant digits, as text has them; a part of a sentence, which names
/// no layer. `seen` [1 or head, query, key], booleans: which keys the queries see.
std::optional<std::string> remark_on_digits(const HeadSquares& weights, const at::Tensor& seen);

/// On weights of 0 beside none that is so small that rounding makes 0 of it, where all rows of them
/// sum to 1; a part of a sentence, which names no layer. `seen` [1 or head, query, key], booleans:
/// which keys the queries see.
std::optional<std::string> remark_on_far_zeros(const HeadSquares& weights, const at::Tensor& seen);

}  // namespace attn::gpt2
