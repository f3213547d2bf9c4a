#include "gpt2_check/activations/layer_tensors.hpp"

#include <ATen/ops/zeros.h>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"

namespace attn::gpt2 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum BadInputKind;

/// The sizes of one layer's tensors, by the end of their names.
using Stored = std::map<std::string, Sizes>;

class LayerTensors : public test::WithFolder {
 protected:
  [[nodiscard]] safetensors::File file_of(const Stored& stored) const {
    std::map<std::string, at::Tensor> tensors;
    for (const auto& [name, sizes] : stored) {
      const bool is_of_layer = name != names::kTokens && name != names::kAttentionMask;
      tensors[is_of_layer ? "blocks.3.attn.hook_" + name : name] = at::zeros(sizes);
    }
    safetensors::write(folder / "recording.safetensors", tensors);
    return safetensors::File(folder / "recording.safetensors");
  }
  [[nodiscard]] LayerShape shape_of(const Stored& stored) const {
    return layer_shape(file_of(stored), 3);
  }
  void expect_refused(const Stored& stored, BadInputParts parts) const {
    parts.where = "tensor 'blocks.3.attn.hook_" + parts.where + "'";
    const safetensors::File file = file_of(stored);
    EXPECT_BAD_INPUT(layer_shape(file, 3), parts);
  }
};

/// heads, queries, keys, key heads, width, width of values
std::vector<std::int64_t> numbers(const LayerShape& shape) {
  return {shape.heads, shape.queries, shape.keys, shape.key_heads, shape.width, shape.value_width};
}

TEST_F(LayerTensors, TakesWhatStandsForTheLogits) {
  const Stored all{{"attn_scores", {4, 9, 9}},
                   {"q", {9, 4, 8}},
                   {"k", {9, 2, 8}},
                   {"v", {9, 2, 6}},
                   {"pattern", {4, 9, 9}}};
  LayerShape shape = shape_of(all);
  EXPECT_EQ(shape.layer, 3);
  EXPECT_EQ(shape.source, LogitSource::scores);
  EXPECT_THAT(numbers(shape), ElementsAre(4, 9, 9, 2, 0, 6));
  Stored some = all;
  some.erase("attn_scores");
  shape = shape_of(some);
  EXPECT_EQ(shape.source, LogitSource::queries_and_keys);
  EXPECT_THAT(numbers(shape), ElementsAre(4, 9, 9, 2, 8, 6));
  some.erase("q");
  expect_refused(some, {.kind = missing, .where = "q"});
  some.erase("k");
  shape = shape_of(some);
  EXPECT_EQ(shape.source, LogitSource::weights);
  EXPECT_THAT(numbers(shape), ElementsAre(4, 9, 9, 2, 0, 6));
  some.erase("pattern");
  const safetensors::File values_alone = file_of(some);
  EXPECT_BAD_INPUT(layer_shape(values_alone, 3), {.kind = missing,
                                                  .where = "layer 3",
                                                  .expected = "hook_pattern",
                                                  .found = "'blocks.3.attn.hook_v' alone"});
}

TEST_F(LayerTensors, TakesQueriesAfterTheRotationLayerByLayer) {
  Stored stored{{"q", {9, 4, 8}}, {"k", {9, 4, 8}}};
  const safetensors::File plain = file_of(stored);
  EXPECT_EQ(q_name(plain, 3), names::q(3));
  EXPECT_EQ(k_name(plain, 3), names::k(3));
  stored["rot_k"] = {9, 4, 6};
  expect_refused(stored, {.kind = missing, .where = "rot_q"});
  stored["rot_q"] = {9, 4, 6};
  const safetensors::File rotary = file_of(stored);
  EXPECT_EQ(q_name(rotary, 3), names::rotary_q(3));
  EXPECT_EQ(layer_shape(rotary, 3).width, 6);
  EXPECT_EQ(layers_of(rotary), std::vector<std::int64_t>{3});
}

/// Cross attention, last queries, a step of decoding, more queries than keys.
TEST_F(LayerTensors, TakesQueriesAndKeysOfAnyNumber) {
  EXPECT_THAT(numbers(shape_of({{"pattern", {4, 20, 32}}, {"v", {32, 4, 16}}})),
              ElementsAre(4, 20, 32, 4, 0, 16));
  EXPECT_THAT(numbers(shape_of({{"q", {20, 4, 16}}, {"k", {32, 4, 16}}, {"v", {32, 4, 12}}})),
              ElementsAre(4, 20, 32, 4, 16, 12));
  EXPECT_THAT(numbers(shape_of({{"q", {1, 4, 16}}, {"k", {33, 2, 16}}})),
              ElementsAre(4, 1, 33, 2, 16, 0));
  EXPECT_THAT(numbers(shape_of({{"attn_scores", {1, 4, 1, 33}}})), ElementsAre(4, 1, 33, 4, 0, 0));
  EXPECT_THAT(numbers(shape_of({{"pattern", {2, 9, 5}}})), ElementsAre(2, 9, 5, 2, 0, 0));
}

TEST_F(LayerTensors, RefusesSizesThatDoNotGoTogether) {
  const Stored sound{{"q", {9, 4, 8}}, {"k", {9, 2, 8}}, {"v", {9, 2, 6}}};
  const auto refused = [&](const std::string& name, const Sizes& sizes, BadInputParts parts) {
    Stored stored = sound;
    stored[name] = sizes;
    expect_refused(stored, std::move(parts));
  };
  refused("k", {9, 3, 8},
          {.kind = inconsistent, .where = "k", .expected = "4, or a divisor", .found = "3"});
  refused("k", {9, 2, 7},
          {.kind = inconsistent,
           .where = "k",
           .expected = "d_head 8 as 'blocks.3.attn.hook_q'",
           .found = "shape [9, 2, 7]"});
  refused("v", {8, 2, 6},
          {.kind = inconsistent,
           .where = "v",
           .expected = "[9, key head, d_head]",
           .found = "shape [8, 2, 6]"});
  refused("v", {9, 3, 6},
          {.kind = inconsistent, .where = "v", .expected = "4, or a divisor", .found = "3"});
  refused("v", {9, 4, 6},
          {.kind = inconsistent,
           .where = "v",
           .expected = "2 heads as 'blocks.3.attn.hook_k'",
           .found = "shape [9, 4, 6]"});
  refused("pattern", {4, 9, 8},
          {.kind = inconsistent,
           .where = "k",
           .expected = "[8, key head, d_head] beside 'blocks.3.attn.hook_pattern'",
           .found = "shape [9, 2, 8]"});
  refused("pattern", {5, 9, 9},
          {.kind = inconsistent,
           .where = "q",
           .expected = "[9, 5, d_head]",
           .found = "shape [9, 4, 8]"});
  refused("q", {9, 32},
          {.kind = malformed,
           .where = "q",
           .expected = "[position, head, d_head], each 1 or more",
           .found = "shape [9, 32]",
           .advice = "unflatten(-1, (heads, -1))"});
  refused("v", {9, 0, 6}, {.kind = malformed, .where = "v", .found = "shape [9, 0, 6]"});
  expect_refused({{"attn_scores", {4, 9, 9}}, {"pattern", {4, 9, 8}}},
                 {.kind = inconsistent,
                  .where = "pattern",
                  .expected = "shape [4, 9, 9] as 'blocks.3.attn.hook_attn_scores'",
                  .found = "[4, 9, 8]"});
  expect_refused(
      {{"pattern", {4, 9, 9}}, {"v", {1, 9, 32}}},
      {.kind = inconsistent,
       .where = "v",
       .found = "shape [1, 9, 32]",
       .advice = "if its heads are side by side, tensor[0].unflatten(-1, (heads, -1)); else "});
  // A key that is added, without its value.
  expect_refused({{"pattern", {4, 16, 17}}, {"v", {16, 4, 8}}},
                 {.kind = inconsistent,
                  .where = "v",
                  .expected = "[17, key head, d_head], a value a key",
                  .found = "shape [16, 4, 8]",
                  .advice = "add_zero_attn"});
}

/// One layer that only another order makes sense of.
TEST_F(LayerTensors, NamesAnOtherOrderThatAloneFits) {
  const auto refused = [&](const Stored& stored, const char* name, const char* found,
                           const char* advice) {
    expect_refused(stored, {.kind = inconsistent, .where = name, .found = found, .advice = advice});
  };
  refused({{"q", {4, 9, 8}}, {"k", {4, 9, 8}}, {"pattern", {4, 9, 9}}}, "q",
          "shape [4, 9, 8]: as [head, position, d_head] 4 heads of 9 positions",
          "transpose(0, 1) makes [position, head, d_head], of q, k and v alike");
  refused({{"v", {1, 2, 9, 8}}, {"pattern", {4, 9, 9}}}, "v",
          "shape [1, 2, 9, 8]: as [head, position, d_head] 4 heads of 9 positions",
          "tensor[0].transpose(0, 1)");
  refused({{"v", {9, 2, 8}}, {"pattern", {9, 9, 4}}}, "pattern",
          "shape [9, 9, 4]: as [query, key, head] 4 heads of 9 positions",
          "permute(2, 0, 1) makes [head, query, key]");
  refused({{"q", {9, 4, 8}}, {"k", {9, 4, 8}}, {"pattern", {9, 4, 9}}}, "pattern",
          "shape [9, 4, 9]: as [query, head, key] 4 heads of 9 positions", "permute(1, 0, 2)");
  refused({{"q", {4, 1, 8}}, {"k", {4, 9, 8}}}, "q",
          "shape [4, 1, 8]: as [head, position, d_head] 4 heads of 1 queries and 9 keys",
          "transpose(0, 1)");
}

/// What fits in both orders is asked for, unless what lies beside it settles it.
TEST_F(LayerTensors, AsksWhichOrderIsMeant) {
  const Stored few{{"q", {4, 28, 12}}, {"k", {4, 28, 12}}, {"v", {4, 28, 12}}};
  const auto asked = [&](const Stored& stored, const char* name, const char* found) {
    expect_refused(stored, {.kind = inconsistent,
                            .where = name,
                            .found = found,
                            .advice = "hook_mask [query, key] beside it"});
  };
  const auto beside = [](Stored stored, const std::string& name, const Sizes& sizes) {
    stored[name] = sizes;
    return stored;
  };
  asked(few, "q",
        "shape [4, 28, 12]: 28 heads of 4 positions, or as [head, position, d_head] 4 heads of 28 "
        "positions");
  for (const std::string name : {"tokens", "attention_mask"}) {
    EXPECT_EQ(shape_of(beside(few, name, {4})).heads, 28);
    EXPECT_EQ(shape_of(beside(few, name, {1, 4})).heads, 28);
    expect_refused(
        beside(few, name, {28}),
        {.kind = inconsistent, .where = "q", .found = "[4, 28, 12]: as [head, position, d_head]"});
    // The tokens of something else tell nothing.
    EXPECT_EQ(shape_of({{"pattern", {2, 4, 7}}, {name, {4}}}).keys, 7);
  }
  EXPECT_EQ(shape_of(beside(few, "mask", {4, 4})).heads, 28);
  EXPECT_EQ(shape_of(beside(few, "pattern", {28, 4, 4})).heads, 28);
  asked({{"q", {1, 4, 9, 8}}, {"k", {1, 2, 9, 8}}}, "q",
        "shape [1, 4, 9, 8]: 9 heads of 4 queries and 2 keys, or as [head, position, d_head] 4 "
        "heads of 9 positions");
  const Stored cross{{"q", {32, 8, 16}}, {"k", {16, 8, 16}}};
  asked(cross, "q", "8 heads of 32 queries and 16 keys, or as [head, position, d_head] 32 heads");
  EXPECT_EQ(shape_of(beside(cross, "mask", {32, 16})).queries, 32);
  const Stored squares{{"pattern", {28, 4, 28}}, {"v", {28, 4, 12}}};
  asked(squares, "pattern",
        "28 heads of 4 queries and 28 keys, or as [query, head, key] 4 heads of 28 positions");
  EXPECT_EQ(shape_of(beside(squares, "mask", {28, 4, 28})).queries, 4);
}

/// Sound sizes that are near those that are asked about.
TEST_F(LayerTensors, AsksNothingOfWhatIsPlain) {
  EXPECT_EQ(shape_of({{"q", {28, 28, 12}}, {"k", {28, 28, 12}}}).heads, 28);  // as many heads
  EXPECT_EQ(shape_of({{"q", {9, 32, 64}}, {"k", {9, 8, 64}}}).key_heads, 8);  // grouped keys
  EXPECT_EQ(shape_of({{"attn_scores", {12, 6, 6}}}).heads, 12);
  EXPECT_EQ(shape_of({{"pattern", {4, 1, 4}}, {"v", {4, 4, 8}}}).keys, 4);  // of no single head
  EXPECT_EQ(shape_of({{"q", {20, 4, 16}}, {"k", {32, 4, 16}}}).keys, 32);
}

}  // namespace
}  // namespace attn::gpt2
