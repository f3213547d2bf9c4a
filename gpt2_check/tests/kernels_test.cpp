// The double filters of the row claims, each held against the claim's own formula on exact cases.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "gpt2_check/heads/set_pass.hpp"
#include "gpt2_check/heads/set_terms.hpp"
#include "gpt2_check/rows/head_check.hpp"
#include "gpt2_check/tests/random_head.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/attention/output.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/elementary.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/scalar.hpp"

namespace attn::gpt2 {
namespace {

constexpr Eigen::Index kTokens = 24;
constexpr Eigen::Index kWidth = 4;

/// How the logits and the embeddings of a head are made.
struct HeadKind {
  const char* name;
  double scale;  ///< what the queries are multiplied by
  void (*change)(Head& head);
};

void keep(Head&) {}

/// Every third token repeats the key of the one before: exactly equal logits.
void repeat_keys(Head& head) {
  for (Eigen::Index i = 2; i < kTokens; i += 3) head.k.row(i) = head.k.row(i - 1);
}

/// Exactly equal embeddings, with keys of their own.
void repeat_embeddings(Head& head) {
  for (Eigen::Index i = 1; i < kTokens; i += 2) head.x.row(i) = head.x.row(i - 1);
}

/// The first token takes nearly all the weight, and its embedding is short.
void add_sink(Head& head) {
  head.q.col(0).setConstant(3);
  head.k(0, 0) = 9;
  head.x.row(0) *= 0.01;
}

/// All keys are the same.
void one_key(Head& head) {
  for (Eigen::Index i = 1; i < kTokens; ++i) head.k.row(i) = head.k.row(0);
}

/// The logits of the first two tokens are the largest and differ by less than double arithmetic
/// sees: it puts the first before the second, which is larger.
void almost_tie(Head& head) {
  head.q.setOnes();
  head.k.setConstant(-1);
  head.k.row(0) << 8, 0, 0, 0;
  head.k.row(1) << 8, 0x1p-70, 0, 0;
}

constexpr HeadKind kKinds[] = {
    {"moderate", 1, &keep},   {"near-uniform", 1e-3, &keep}, {"peaked", 8, &keep},
    {"far apart", 60, &keep}, {"ties", 1, &repeat_keys},     {"duplicates", 1, &repeat_embeddings},
    {"sink", 1, &add_sink},   {"uniform", 1, &one_key},      {"almost tied", 1, &almost_tie},
};

void see_all(Head& head) {
  head.mask.full = true;
}

void see_five(Head& head) {
  head.mask.window = 5;
}

/// The first three tokens and the last two.
void see_listed(Head& head) {
  const Mask::Lists lists(kTokens, {0, 1, 2, kTokens - 2, kTokens - 1});
  head.mask = {.lists = std::make_shared<const Mask::Lists>(lists)};
}

/// Leaves of the attention of a head its weights alone, in float32.
void keep_weights(Head& head) {
  const Rows logits = head.q * head.k.transpose();
  Rows pattern = Rows::Zero(kTokens, kTokens);
  for (Eigen::Index row = 0; row < kTokens; ++row) {
    const Eigen::Index first = head.first(row), tokens = head.tokens(row);
    softmax({&logits(row, first), static_cast<std::size_t>(tokens)}, 1.0,
            {&pattern(row, first), static_cast<std::size_t>(tokens)});
  }
  head.pattern = Square(NarrowRows(pattern.cast<float>()));
  head.pattern_temperature = 1;
  head.q = head.k = {};
}

Rows rows_of(const Square& square) {
  Rows rows(square.queries(), square.keys());
  for (Eigen::Index row = 0; row < rows.rows(); ++row) rows.row(row) = square.row(row);
  return rows;
}

void keep_weights_of_all(Head& head) {
  see_all(head);
  keep_weights(head);
}

/// Every third token has no weight at all.
void keep_weights_with_zeros(Head& head) {
  keep_weights(head);
  Rows pattern = rows_of(head.pattern);
  for (Eigen::Index i = 1; i < kTokens; i += 3) pattern.col(i).setZero();
  head.pattern = pattern;
}

/// Heads of other masks, and of weights alone.
constexpr HeadKind kOtherKinds[] = {{"all tokens seen", 1, &see_all},
                                    {"five tokens seen", 1, &see_five},
                                    {"weights", 1, &keep_weights},
                                    {"peaked weights", 4, &keep_weights},
                                    {"weights of all", 1, &keep_weights_of_all},
                                    {"weights with zeros", 1, &keep_weights_with_zeros},
                                    {"listed tokens seen", 1, &see_listed}};

Head head_of_kind(const HeadKind& kind, std::uint64_t seed) {
  Head head = random_head(kTokens, kWidth, 3, kind.scale, seed);
  head.temperature = 1;
  kind.change(head);
  return head;
}

/// Whether the tokens of a case are those of the largest contributions: the claims' own formulas
/// alone decide these.
bool is_of_contributions(const RowTerms& terms, const RowCase& at) {
  return !at.set.empty() && terms.set == nullptr;
}

/// Calls use(head, kind, terms, at) for every case of some rows of a head that kernels are of.
template <class Use>
void for_each_case_of(const Head& head, double temperature, Use use) {
  const SelectionSettings settings{.rows = {1, 2, 3, 6, 19, 23},
                                   .counts = {1, 2, 5, 17, 18, 19},
                                   .draws = 1,
                                   .for_claims = true};
  std::mt19937_64 stream(5);
  const HeadTerms terms(head, {2, 4, 7});
  for_each_row(head, temperature, settings, stream, [&](const RowSelections& row) {
    terms.for_each_case(row, temperature,
                        [&](const InputKind& kind, const RowTerms& of_case, const RowCase& at) {
                          // Kernels are of softmax, and of the largest weights or a random set.
                          if (at.normalizer != Normalizer::softmax) return;
                          if (is_of_contributions(of_case, at)) return;
                          use(head, kind, of_case, at);
                        });
  });
}

template <class Use>
void for_each_case_of(const HeadKind& kind, Use use) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Head head = head_of_kind(kind, seed);
    for (const double temperature : {0.5, 1.0, 2.0}) for_each_case_of(head, temperature, use);
  }
}

/// Some number lies in both enclosures: both are of the same exact number. What has overflowed
/// encloses everything: no comparison accepts it.
bool meet(const ErrorDouble& a, const Interval& b) {
  if (!std::isfinite(a.error())) return true;
  return a.lower() <= b.upper() && b.lower() <= a.upper();
}

bool is_tight(const ErrorDouble& x) {
  return x.error() <= 1e-9 * std::abs(x.value());
}

/// What the cases of one claim showed.
struct Tried {
  int unmet{};     ///< outside the claim's hypotheses
  int cases{};     ///< within the claim's hypotheses
  int answered{};  ///< the kernel gave sides
  int tight{};     ///< both sides, and those that decide, with a relative error below 1e-9
};

/// The kernel's sides and the claim's own on the exact case.
void hold(const RowKernel& kernel, const Head& head, const RowTerms& terms, const RowCase& at,
          Tried& tried) {
  const Claim& claim = find_claim(kernel.claim);
  const Case input = exact_case(head, claim.kind, at);
  const CaseContext context(input);
  const std::string_view unmet = claim.unmet == nullptr ? "" : claim.unmet(context);
  if (kernel.unmet != nullptr) {
    EXPECT_EQ(kernel.unmet(terms), unmet);
  }
  if (!unmet.empty()) {
    // What a kernel cannot tell it leaves open.
    const auto open = kernel.sides(terms);
    EXPECT_TRUE(kernel.unmet != nullptr || !open || filter(*open).verdict == Verdict::undecided);
    ++tried.unmet;
    return;
  }
  ++tried.cases;
  if (terms.set != nullptr) {
    EXPECT_FALSE(terms.set->centred.around.error() < 0);
  }
  const auto sides = kernel.sides(terms);
  if (!sides) return;
  ++tried.answered;
  const WidestExponents widest;
  const Sides<Interval> exact = claim.evaluators->enclose(context);
  EXPECT_TRUE(meet(sides->lhs, exact.lhs)) << sides->lhs.value() << " " << exact.lhs.middle();
  EXPECT_TRUE(meet(sides->rhs, exact.rhs)) << sides->rhs.value() << " " << exact.rhs.middle();
  bool tight = is_tight(sides->lhs) && is_tight(sides->rhs);
  if (kernel.decided != nullptr) {
    const Sides<ErrorDouble> decided = kernel.decided(terms);
    EXPECT_TRUE(meet(decided.rhs - decided.lhs, Interval(exact.rhs - exact.lhs)));
    tight = is_tight(decided.lhs) && is_tight(decided.rhs);
  }
  tried.tight += tight ? 1 : 0;
}

/// A claim of rows without a kernel is decided by its own formula; a kernel without one, never.
TEST(Kernels, AreEachOfOneClaimOfRows) {
  std::set<std::string_view> without;
  for (const Claim* const claim : row_claims()) without.insert(claim->id);
  for (const RowKernel& kernel : row_kernels()) {
    EXPECT_EQ(without.erase(kernel.claim), 1U) << kernel.claim;
    EXPECT_EQ(kernel_of(find_claim(kernel.claim)), &kernel);
  }
  for (const std::string_view id : without) EXPECT_EQ(kernel_of(find_claim(id)), nullptr) << id;
}

std::vector<RowKernel> kernels_with_sides() {
  std::vector<RowKernel> found;
  std::ranges::copy_if(row_kernels(), std::back_inserter(found),
                       [](const RowKernel& kernel) { return kernel.formula != nullptr; });
  return found;
}

/// Nothing but the enclosures themselves decides: a factor lost, another claim's bound or a term
/// from the wrong tokens puts a side elsewhere.
std::map<std::string_view, Tried> held(std::span<const HeadKind> kinds) {
  std::map<std::string_view, Tried> tried;
  for (const HeadKind& heads : kinds) {
    for_each_case_of(heads, [&](const Head& head, const InputKind& kind, const RowTerms& terms,
                                const RowCase& at) {
      for (const RowKernel& kernel : kernels_with_sides()) {
        if (find_claim(kernel.claim).kind != kind) continue;
        SCOPED_TRACE(std::string(kernel.claim) + ", " + heads.name + ", " +
                     at.place(head, "random set"));
        hold(kernel, head, terms, at, tried[kernel.claim]);
      }
    });
  }
  return tried;
}

/// What a kernel shows less of than the others do.
struct Least {
  std::string_view claim;
  int cases;
  int tight;  ///< tenths of the answers
};

/// A claim on vanishing gradients says nothing of logits all within 7 T. Where the selected tokens
/// have nearly all the weight, s/A is next to the output, and their difference keeps few digits;
/// where the next weight is one of equal ones, it is not known which token is added.
constexpr Least kLeast[] = {{"lemma2.vanishing", 200, 8},
                            {"retrieval.renormalised.variance", 400, 7},
                            {"retrieval.monotone", 400, 7}};

Least least_of(std::string_view claim, int cases) {
  const auto* const found = std::ranges::find(kLeast, claim, &Least::claim);
  if (found == std::end(kLeast)) return {claim, cases, 8};
  return {claim, std::min(found->cases, cases), found->tight};
}

/// Every kernel has at least so many cases, and answers at least so many tenths of them.
void expect_answered(std::map<std::string_view, Tried> tried, int cases, int tenths) {
  for (const RowKernel& kernel : kernels_with_sides()) {
    const Tried& of_claim = tried[kernel.claim];
    const Least least = least_of(kernel.claim, cases);
    EXPECT_GE(of_claim.cases, least.cases) << kernel.claim;
    EXPECT_GE(of_claim.answered * 10, of_claim.cases * tenths) << kernel.claim;
    EXPECT_GE(of_claim.tight * 10, of_claim.answered * least.tight) << kernel.claim;
  }
}

TEST(Kernels, EncloseTheClaimsOwnSides) {
  std::map<std::string_view, Tried> tried = held(kKinds);
  expect_answered(tried, 400, 6);
  for (const RowKernel& kernel : kernels_with_sides()) {
    EXPECT_EQ(tried[kernel.claim].unmet > 0, kernel.unmet != nullptr) << kernel.claim;
  }
}

TEST(Kernels, EncloseTheSidesOfOtherMasksAndOfWeightsAlone) {
  expect_answered(held(kOtherKinds), 100, 8);
}

/// How often the kernel of a claim shows that its bound is attained, each time where the claim's
/// own condition on the exact case says so as well.
int shown_attained(std::string_view id, const HeadKind& kind) {
  const Claim& claim = find_claim(id);
  const RowKernel& kernel = *kernel_of(claim);
  int shown = 0;
  for_each_case_of(kind, [&](const Head& head, const InputKind& of_case, const RowTerms& terms,
                             const RowCase& at) {
    if (claim.kind != of_case || !kernel.is_certain(terms)) return;
    if (filter(kernel.decided(terms)).verdict != Verdict::equal) return;
    const Case input = exact_case(head, claim.kind, at);
    const CaseContext context(input);
    EXPECT_TRUE(claim.attained(context)) << id << ", " << at.place(head, "random set");
    ++shown;
  });
  return shown;
}

/// As where the values of a head are those of the token alone and a text has two words.
void have_two_embeddings(Head& head) {
  for (Eigen::Index i = 2; i < kTokens; ++i) head.x.row(i) = head.x.row(i % 2);
}

/// Two embeddings of one length, so that tokens of either may be the longest.
void have_opposite_embeddings(Head& head) {
  have_two_embeddings(head);
  for (Eigen::Index i = 1; i < kTokens; i += 2) head.x.row(i) = -head.x.row(0);
}

TEST(Kernels, ShowThatTokensOfOneEmbeddingAttainABound) {
  for (const auto change : {&have_two_embeddings, &have_opposite_embeddings}) {
    const HeadKind kind{"two embeddings", 1, change};
    for (const std::string_view id : {"retrieval.monotone", "distance.radius"}) {
      EXPECT_GE(shown_attained(id, kind), 20) << id;
    }
  }
}

/// Squares of distances overflow, those of lengths do not.
void lengthen(Head& head) {
  head.x *= 1.3e154 / head.x.rowwise().norm().maxCoeff();
}

/// One token of length 1 among those whose squares underflow, all but at right angles to it.
void shorten_all_but_one(Head& head) {
  head.q.setOnes();
  head.k.row(0).setConstant(2);
  const Eigen::RowVectorXd direction = head.x.row(0).normalized();
  head.x -= (head.x * direction.transpose()) * direction;
  head.x *= 1e-170;
  head.x.row(0) = direction;
}

void shorten(Head& head) {
  head.x *= 1e-170;
}

/// All weights but the first are next to the least double.
void all_but_underflow(Head& head) {
  head.q.setOnes();
  head.k *= 0.5;
  head.k.row(0).setConstant(177);
}

constexpr HeadKind kExtremeKinds[] = {{"long", 1, &lengthen},
                                      {"long and duplicates", 1,
                                       [](Head& head) {
                                         repeat_embeddings(head);
                                         lengthen(head);
                                       }},
                                      {"one is not short", 0.3, &shorten_all_but_one},
                                      {"short", 1, &shorten},
                                      {"least weights", 1, &all_but_underflow}};

TEST(Kernels, EncloseWhatOverflowsAndUnderflows) {
  std::map<std::string_view, Tried> tried = held(kExtremeKinds);
  for (const RowKernel& kernel : kernels_with_sides()) EXPECT_GE(tried[kernel.claim].cases, 100);
}

/// The weights at their own T are the numbers divided by their sum; at another T, and for claims on
/// logits, the logits are the doubles next to their logarithms.
TEST(ExactCase, OfAKindThatNoRowHasIsALogicError) {
  const Head head = random_head(4, 4, 3, 1, 5);
  const RowCase at{.row = {.row = 3, .temperature = 1}};
  EXPECT_NO_THROW(exact_case(head, InputKind::softmax_row, at));
  for (const InputKind::Name kind : {InputKind::softmax_direction, InputKind::competitors,
                                     InputKind::transport_plan, InputKind::equal_tokens}) {
    EXPECT_THROW(exact_case(head, kind, at), std::logic_error) << name_of(kind);
  }
}

TEST(ExactCase, HoldsSharesOfWeightsAlone) {
  Head head = head_of_kind(kOtherKinds[2], 1);
  const RowCase at{.row = {.row = 6, .temperature = 1}, .n = 0, .set = {1, 4}};
  const auto set = exact_case(head, InputKind::set_embeddings, at);
  EXPECT_TRUE(set.logits.empty());
  ASSERT_EQ(set.weights.size(), 7U);
  Rational sum = 0, recorded = 0;
  for (Eigen::Index i = 0; i < 7; ++i) recorded += exact(head.pattern.row(6)[i]);
  EXPECT_NE(recorded, 1);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(set.weights[i] * recorded, exact(head.pattern.row(6)[static_cast<Eigen::Index>(i)]));
    sum += set.weights[i];
  }
  EXPECT_EQ(sum, 1);
  const RowCase warmer{.row = {.row = 6, .temperature = 2}, .n = 0, .set = {1, 4}};
  const auto other = exact_case(head, InputKind::set_embeddings, warmer);
  EXPECT_TRUE(other.weights.empty());
  EXPECT_EQ(other.temperature, 2);
  EXPECT_EQ(other.logits, exact_case(head, InputKind::softmax_row, {.row = at.row}).logits);
  EXPECT_EQ(other.logits[3], exact(reproducible::log(head.pattern.row(6)[3])));
}

/// The double next to T ln p is not T ln p.
TEST(HeadLogits, EncloseTheLogarithmsOfWeights) {
  Head head = head_of_kind(kOtherKinds[2], 1);
  head.pattern_temperature = 1.7;
  const RowLogits logits = HeadLogits(head).row(9);
  for (Eigen::Index i = 0; i <= 9; ++i) {
    const Interval p = from<Interval>(exact(head.pattern.row(9)[i]));
    const Interval l = from<Interval>(exact(1.7)) * log_positive(p);
    const ErrorDouble found{logits.values(i), logits.errors(i)};
    EXPECT_LE(l.upper() - found.value(), found.error());
    EXPECT_LE(found.value() - l.lower(), found.error());
    EXPECT_TRUE(meet(found, from<Interval>(exact(head.logit_of(head.pattern.row(9)[i])))));
    EXPECT_TRUE(is_tight(found));
  }
  Rows pattern = rows_of(head.pattern);
  pattern(9, 4) = 0;
  head.pattern = pattern;
  const RowWeights weights(HeadLogits(head).row(9), 1.7, 2);
  EXPECT_EQ(weights.values()[4], 0);
  EXPECT_LT(weights.errors()[4], 1e-300);
  EXPECT_FALSE(head.has_logits(9));
  EXPECT_TRUE(head.has_logits(8));
  EXPECT_TRUE(head.has_weights(9));
}

TEST(ExactCase, HoldsTheTokensThatTheMaskShows) {
  const Head whole = head_of_kind(kKinds[0], 1);
  Head head = whole;
  head.mask.window = 3;
  const Row row{.row = 7, .temperature = 1};
  const Case window = exact_case(head, InputKind::top_n_embeddings, {.row = row, .n = 1});
  const Case causal = exact_case(whole, InputKind::top_n_embeddings, {.row = row, .n = 1});
  EXPECT_EQ(window.logits, (std::vector(causal.logits.end() - 3, causal.logits.end())));
  EXPECT_EQ(window.embeddings, (std::vector(causal.embeddings.end() - 3, causal.embeddings.end())));
  head.mask = {.full = true};
  const Case full = exact_case(head, InputKind::query_keys, {.row = row});
  EXPECT_EQ(full.keys.size(), static_cast<std::size_t>(kTokens));
  EXPECT_EQ(full.keys.back()[2], exact(head.k(kTokens - 1, 2)));
  EXPECT_EQ(full.query[1], exact(head.q(7, 1)));
}

/// Claims, among those that read a whole row, that no order of the weights matters to.
constexpr std::string_view kWithoutOrder[] = {"lemma1.uniform.repaired", "lemma1.entropy",
                                              "cage.norm", "entropy.lower"};

/// How many cases of a kind each kernel that needs an order answers, by the name of its claim's
/// kind.
std::map<std::string_view, Tried> answers(const HeadKind& heads) {
  std::map<std::string_view, Tried> found;
  for_each_case_of(
      heads, [&](const Head&, const InputKind& kind, const RowTerms& terms, const RowCase& at) {
        if (at.n > 1) return;
        for (const RowKernel& kernel : kernels_with_sides()) {
          if (find_claim(kernel.claim).kind != kind) continue;
          if (std::ranges::find(kWithoutOrder, kernel.claim) != std::end(kWithoutOrder)) continue;
          ++found[name_of(kind)].cases;
          found[name_of(kind)].answered += kernel.sides(terms) ? 1 : 0;
        }
      });
  return found;
}

const HeadKind& kind_called(std::string_view name) {
  return *std::ranges::find_if(kKinds, [&](const HeadKind& kind) { return kind.name == name; });
}

/// The largest weight is one of two that double arithmetic cannot tell apart.
TEST(Kernels, SayNothingOfAnOrderThatTheyDoNotKnow) {
  for (const char* const name : {"almost tied", "uniform"}) {
    std::map<std::string_view, Tried> found = answers(kind_called(name));
    for (const InputKind kind : {InputKind::normalized_row, InputKind::softmax_row,
                                 InputKind::weighted_embeddings, InputKind::top_n_embeddings}) {
      EXPECT_GT(found[name_of(kind)].cases, 0) << name;
      EXPECT_EQ(found[name_of(kind)].answered, 0) << name;
    }
    for (const InputKind kind :
         {InputKind::bounded_row, InputKind::query_keys, InputKind::set_embeddings}) {
      EXPECT_GT(found[name_of(kind)].cases, 0) << name;
      EXPECT_EQ(found[name_of(kind)].answered, found[name_of(kind)].cases) << name;
    }
  }
}

TEST(Kernels, KnowTheOrderOfWeightsThatDiffer) {
  for (const char* const name : {"moderate", "near-uniform", "peaked", "duplicates"}) {
    for (const auto& [kind, tried] : answers(kind_called(name))) {
      EXPECT_EQ(tried.answered, tried.cases) << name << ", " << kind;
    }
  }
}

/// The largest weight is certain, but not the second, which the secular equation needs as well.
TEST(RowWeights, DoNotPretendToKnowTheSecondOfEqualLogits) {
  Head head = head_of_kind(kind_called("moderate"), 1);
  head.q.setOnes();
  head.k.setOnes();
  head.k.row(0) *= 5;
  const RowWeights weights(HeadLogits(head).row(2), 1.0, 2);
  EXPECT_TRUE(weights.certainly_top(1));
  EXPECT_FALSE(weights.sorted().has_value());
  EXPECT_TRUE(RowWeights(HeadLogits(head).row(1), 1.0, 2).sorted().has_value());
}

/// A head with logits 2, 1, ... in its last row at T = 1 and one coordinate an embedding.
Head short_head(const std::vector<double>& embeddings) {
  const auto tokens = static_cast<Eigen::Index>(embeddings.size());
  Head head{.layer = 0,
            .head = 0,
            .temperature = 1,
            .q = Rows::Ones(tokens, 1),
            .k = Rows::Zero(tokens, 1),
            .x = Rows::Zero(tokens, 1)};
  for (Eigen::Index i = 0; i < tokens; ++i) {
    head.k(i, 0) = static_cast<double>(2 - i);
    head.x(i, 0) = embeddings[static_cast<std::size_t>(i)];
  }
  return head;
}

/// How many of the two largest weights of three tokens are in the ball.
CountBounds ball_of(const Head& head) {
  const SelectionSettings settings{.rows = {2}, .counts = {2}, .draws = 1, .for_claims = true};
  std::mt19937_64 stream(5);
  CountBounds ball{};
  for_each_row(head, 1.0, settings, stream,
               [&](const RowSelections& row) { ball = row.top.front().as_top.value().ball; });
  return ball;
}

/// y = 1, 1/2 and, outside, once more 1: the first is as far from s as the token outside, up to
/// rounding, and the second is farther.
TEST(SetTerms, CountNoTokenThatDoubleArithmeticCannotTell) {
  const RowWeights weights(HeadLogits(short_head({1, 1, 1})).row(2), 1.0, 2);
  const std::span<const double> a = weights.values();
  using Ends = std::pair<std::size_t, std::size_t>;
  const auto counted = [&](double outside) {
    const CountBounds ball = ball_of(short_head({1 / a[0], 0.5 / a[1], outside / a[2]}));
    return Ends{ball.least, ball.most};
  };
  EXPECT_EQ(counted(1), (Ends{0, 1}));
  EXPECT_EQ(counted(1 + 1e-12), (Ends{0, 0}));
  EXPECT_EQ(counted(1 - 1e-12), (Ends{1, 1}));
  EXPECT_EQ(counted(-1), (Ends{2, 2}));
  EXPECT_EQ(counted(1e200), (Ends{0, 2}));  // its square overflows
  EXPECT_EQ(counted(std::numeric_limits<double>::quiet_NaN()), (Ends{0, 2}));
}

/// What a set of three of eight tokens is made of, each part with the error that is given.
struct SetErrors {
  double output{}, rest{};  ///< the errors of o and of its part outside
  double s{}, mass{};       ///< the errors of s and A of the selected tokens
  double logits{};          ///< the error of each logit
};

/// The terms of that set, and what their errors hang on.
struct TermsOfSet {
  SetTerms terms;
  double centre, mass, weight;  ///< ||c||, A, 1 - A
  double centre_error;          ///< the error of c, by those of s and A
};

TermsOfSet terms_with(const SetErrors& errors) {
  constexpr Eigen::Index kAll = 8;
  constexpr std::size_t kSelected = 3;
  const Head head = random_head(kAll, 4, 3, 1, 5);
  RowLogits logits = HeadLogits(head).row(kAll - 1);
  logits.errors += errors.logits;
  const RowWeights weights(logits, head.temperature, kSelected);
  const Geometry geometry(head);
  SetKernel kernel(geometry);
  Rows sums(1, head.x.cols());
  const std::vector<std::size_t> counts{kSelected};
  SelectedSum set = kernel.select(weights, weights.order(), counts, sums).front();
  set.error += errors.s;
  set.mass = {set.mass.value(), set.mass.error() + errors.mass};
  const Eigen::RowVectorXd s = sums.row(0);
  const Eigen::Map<const Eigen::RowVectorXd> a(weights.values().data(), kAll);
  const Eigen::RowVectorXd output = a * head.x, rest = output - s;
  const Eigen::VectorXd along = head.x * s.transpose();
  const double mass = set.mass.value();
  return {.terms = kernel.terms(weights, std::span(weights.order()).first(kSelected), set, s,
                                {along.data(), kAll}, 4, {output, errors.output},
                                {rest, errors.rest}, false),
          .centre = s.norm() / mass,
          .mass = mass,
          .weight = 1 - mass,
          .centre_error = (set.error + s.norm() * set.mass.error() / mass) / set.mass.lower()};
}

/// Every error widens every term that hangs on it, by as much as the term can move.
TEST(SetTerms, ErrByAllThatTheirPartsErrBy) {
  constexpr double kError = 0x1p-10;
  constexpr double kOutside = 5;  // tokens
  const TermsOfSet exact = terms_with({});
  struct Widened {
    const char* what;
    SetErrors errors;
    ErrorDouble (*term)(const SetTerms&);
    double least;  ///< by how many times kError
  };
  const auto net = [](const SetTerms& t) { return t.outside.net; };
  const auto lost = [](const SetTerms& t) { return t.outside.lost; };
  const auto renormalised = [](const SetTerms& t) { return t.outside.renormalised; };
  const auto distance = [](const SetTerms& t) { return t.theorem1.distance; };
  const auto mismatch = [](const SetTerms& t) { return t.theorem1.mismatch; };
  const auto centre = [](const SetTerms& t) { return t.centre; };
  const auto around = [](const SetTerms& t) { return t.centred.around; };
  const auto off_line = [](const SetTerms& t) { return t.outside.off_line; };
  const auto contributions = [](const SetTerms& t) { return t.outside.contributions; };
  const double c = exact.centre, mass = exact.mass, weight = exact.weight;
  const Widened all[] = {{"net by o", {.output = kError}, net, 1},
                         {"net by s", {.s = kError}, net, kOutside + 1},
                         {"lost by e", {.rest = kError}, lost, 1},
                         {"renormalised by e", {.rest = kError}, renormalised, 1},
                         {"renormalised by s", {.s = kError}, renormalised, weight / mass},
                         {"renormalised by A", {.mass = kError}, renormalised, weight * c / mass},
                         {"distance by s", {.s = kError}, distance, kOutside},
                         {"mismatch by A", {.mass = kError}, mismatch, kOutside},
                         {"centre by s", {.s = kError}, centre, 1 / mass},
                         {"centre by A", {.mass = kError}, centre, c / mass},
                         {"around by s", {.s = kError}, around, weight / mass},
                         {"off the line by s", {.s = kError}, off_line, 1}};
  for (const Widened& row : all) {
    SCOPED_TRACE(row.what);
    const ErrorDouble before = row.term(exact.terms),
                      after = row.term(terms_with(row.errors).terms);
    EXPECT_EQ(after.value(), before.value());
    EXPECT_LT(before.error(), 1e-12);
    EXPECT_GE(after.error(), row.least * kError);
    EXPECT_LE(after.error(), 20 * (1 + c) / mass * kError) << "and not by anything";
  }
  // A logit's error is that of its weight, relative; the weights of both parts move.
  const TermsOfSet rough = terms_with({.logits = 2 * kError});
  const ErrorDouble outside = rough.terms.theorem1.outside;
  EXPECT_GE(outside.error(), 0.5 * kError * weight);
  EXPECT_GE(rough.terms.outside.renormalised.error(),
            outside.error() * c + outside.value() * rough.centre_error);
  EXPECT_GE(contributions(rough.terms).error(), 0.5 * kError * contributions(rough.terms).value());
}

using Numbers = std::vector<Interval>;

Interval length_of_numbers(const Numbers& u) {
  Interval sum(0.0);
  for (const Interval& entry : u) sum += square(entry);
  return sqrt_nonnegative(sum);
}

/// u + f v
Numbers moved_by(const Numbers& u, const Interval& f, const Numbers& v) {
  Numbers sum = u;
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += f * v[k];
  return sum;
}

/// What the terms of a set enclose, by their definitions.
struct SetTruth {
  Interval distance{0.0}, mass{0.0}, outside{0.0}, mismatch{0.0}, centre{0.0}, around{0.0};
  Interval off_line{0.0}, contributions{0.0}, net{0.0}, lost{0.0}, renormalised{0.0};
  Interval longest{0.0}, off_sphere{0.0}, largest{0.0}, gap_squares{0.0};
};

/// What is true of the first `selected` tokens of `order`, by the logits at T = 1 and the
/// embeddings.
SetTruth truth_of(const std::vector<double>& logits, const Rows& x,
                  const std::vector<std::size_t>& order, std::size_t selected) {
  Numbers a;
  std::vector<Numbers> embeddings;
  Interval total(0.0);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    a.push_back(exp(Interval(logits[i]) - Interval(logits[order.front()])));
    total += a.back();
    const auto row = x.row(static_cast<Eigen::Index>(i));
    embeddings.emplace_back(row.begin(), row.end());
  }
  for (Interval& weight : a) weight /= total;
  SetTruth truth;
  Numbers s(embeddings.front().size(), Interval(0.0)), rest = s;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    Numbers& sum = k < selected ? s : rest;
    sum = moved_by(sum, a[i], embeddings[i]);
    (k < selected ? truth.mass : truth.outside) += a[i];
  }
  const Numbers none(s.size(), Interval(0.0));
  const Interval s_length = length_of_numbers(s), inverse = Interval(1.0) / truth.mass;
  truth.centre = s_length / truth.mass;
  truth.lost = length_of_numbers(rest);
  truth.renormalised = length_of_numbers(moved_by(rest, -(truth.outside * inverse), s));
  const auto others = static_cast<double>(order.size() - selected);
  truth.net = length_of_numbers(moved_by(rest, Interval(-others), s));
  for (std::size_t k = selected; k < order.size(); ++k) {
    const std::size_t i = order[k];
    const Numbers contribution = moved_by(none, a[i], embeddings[i]);
    const Interval length = length_of_numbers(contribution);
    const Interval gap = length_of_numbers(moved_by(contribution, Interval(-1.0), s));
    truth.distance += gap;
    truth.mismatch += abs(truth.mass - a[i]);
    truth.around += a[i] * length_of_numbers(moved_by(embeddings[i], -inverse, s));
    truth.off_line += gap - s_length;
    truth.contributions += length;
    truth.longest = max(truth.longest, length_of_numbers(embeddings[i]));
    truth.off_sphere = max(truth.off_sphere, abs(gap - s_length));
    truth.largest = max(truth.largest, length);
    truth.gap_squares += square(gap);
  }
  return truth;
}

void expect_inside(const char* what, const ErrorDouble& found, const Interval& truth) {
  if (!std::isfinite(found.error())) return;
  EXPECT_LE(abs(truth - Interval(found.value())).lower(), found.error())
      << what << " " << found.value() << " " << truth.middle();
}

void expect_inside(const SetTerms& found, const SetTruth& truth) {
  expect_inside("distance", found.theorem1.distance, truth.distance);
  expect_inside("mass", found.theorem1.mass, truth.mass);
  expect_inside("outside", found.theorem1.outside, truth.outside);
  expect_inside("mismatch", found.theorem1.mismatch, truth.mismatch);
  expect_inside("centre", found.centre, truth.centre);
  expect_inside("around", found.centred.around, truth.around);
  expect_inside("off_line", found.outside.off_line, truth.off_line);
  expect_inside("contributions", found.outside.contributions, truth.contributions);
  expect_inside("detour", found.outside.detour, truth.contributions - truth.off_line);
  expect_inside("net", found.outside.net, truth.net);
  expect_inside("lost", found.outside.lost, truth.lost);
  expect_inside("renormalised", found.outside.renormalised, truth.renormalised);
  expect_inside("longest", found.outside.longest, truth.longest);
  expect_inside("off_sphere", found.outside.off_sphere, truth.off_sphere);
  expect_inside("largest", found.outside.largest, truth.largest);
  expect_inside("margin", found.outside.margin, truth.largest - truth.off_sphere);
  expect_inside("gap_squares", found.outside.gap_squares, truth.gap_squares);
}

/// Holds the terms of the `selected` largest weights against their definitions, where each logit
/// may err by `error`: by those of the logits themselves and of up to 32 that lie as far off.
void expect_terms_inside(const Head& head, std::size_t selected, double error) {
  const Eigen::Index tokens = head.keys();
  RowLogits logits = HeadLogits(head).row(tokens - 1);
  logits.errors = Eigen::ArrayXd::Constant(tokens, error);
  const RowWeights weights(logits, 1.0, selected);
  const Geometry geometry(head);
  SetKernel kernel(geometry);
  Rows sums(1, head.x.cols()), rest(1, head.x.cols());
  const std::vector<std::size_t> counts{selected}, &order = weights.order();
  const SelectedSum set = kernel.select(weights, order, counts, sums).front();
  const Eigen::Map<const Eigen::RowVectorXd> a(weights.values().data(), tokens);
  const Eigen::RowVectorXd output = a * head.x, s = sums.row(0);
  Eigen::RowVectorXd outside = Eigen::RowVectorXd::Zero(head.x.cols());
  for (std::size_t k = selected; k < order.size(); ++k) {
    const auto token = static_cast<Eigen::Index>(order[k]);
    outside += a(token) * head.x.row(token);
  }
  const double rest_error = kernel.leave_out(weights, order, counts, outside, rest).front();
  const Eigen::VectorXd along = head.x * s.transpose();
  const SetTerms terms = kernel.terms(weights, std::span(order).first(selected), set, s,
                                      {along.data(), static_cast<std::size_t>(tokens)}, 4,
                                      {output, output_error(weights, geometry.lengths.data())},
                                      {rest.row(0), rest_error}, false);
  for (unsigned signs = 0; signs < (error > 0 ? 32U : 1U); ++signs) {
    std::vector<double> moved;
    for (Eigen::Index i = 0; i < tokens; ++i) {
      moved.push_back(logits.values(i) + ((signs >> i % 5) % 2 == 0 ? 0.999 : -0.999) * error);
    }
    expect_inside(terms, truth_of(moved, head.x, order, selected));
  }
}

/// Rounding alone: of short and long sums, wide and narrow embeddings, and squares that underflow.
TEST(SetTerms, EncloseTheirDefinitions) {
  const WorkingDigits working(50);
  const WidestExponents widest;
  for (const Eigen::Index tokens : {2, 9, 60}) {
    for (const Eigen::Index width : {1, 4, 70}) {
      for (const double sharpness : {0.01, 1.0, 20.0}) {
        for (const double size : {1.0, 1e-140, 1e-158, 1e-170, 1e140}) {
          Head head = random_head(tokens, 4, width, sharpness, 7);
          head.x *= size;
          SCOPED_TRACE(testing::Message() << tokens << " tokens, width " << width << ", sharpness "
                                          << sharpness << ", size " << size);
          for (const std::size_t n : {1, 5, 30}) {
            if (n < static_cast<std::size_t>(tokens)) expect_terms_inside(head, n, 0);
          }
        }
      }
    }
  }
}

/// The largest distance is one whose square underflows.
TEST(Geometry, EnclosesASpreadWhoseSquareUnderflows) {
  Head head = random_head(2, 4, 1, 1, 7);
  head.x << 0x1p-536, 0;
  EXPECT_GE(Geometry(head).spread(0x1p-536 * 0x1p-536).upper(), 0x1p-536);
}

/// All that the weights may be, each on its own side of what it was computed to be.
TEST(SetTerms, EncloseWhatOtherWeightsWouldMake) {
  const WorkingDigits working(50);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto tokens = static_cast<Eigen::Index>(2 + seed % 4);
    const auto width = static_cast<Eigen::Index>(1 + seed % 3);
    const Head head = random_head(tokens, 4, width, 0.5, seed);
    for (std::size_t n = 1; n < static_cast<std::size_t>(tokens); ++n) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", N " << n);
      expect_terms_inside(head, n, 0x1p-12);
    }
  }
}

/// The terms of o cancel to less than their rounding.
TEST(OutputTerms, EncloseALengthThatCancels) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Head head = head_of_kind(kind_called("uniform"), seed);
    head.x.row(2) = -(head.x.row(0) + head.x.row(1));
    const SelectionSettings settings{.rows = {2}, .counts = {1}, .draws = 1, .for_claims = true};
    std::mt19937_64 stream(5);
    for_each_row(head, 1.0, settings, stream, [&](const RowSelections& row) {
      const OutputTerms& terms = row.output;
      const Case input =
          exact_case(head, InputKind::weighted_embeddings, {.row = {.row = 2, .temperature = 1}});
      EXPECT_TRUE(meet(terms.length, output_length<Interval>(CaseContext(input))));
      EXPECT_GT(terms.length.error(), terms.length.value());
      EXPECT_LT(terms.length.error(), 1e-13);
    });
  }
}

/// Contributions 1 and 1, by a token of the largest weight and by another.
TEST(Kernels, SayEqualOnlyWhereTheLargestWeightCertainlyContributesMost) {
  const RowWeights weights(HeadLogits(short_head({1, 1, 1})).row(2), 1.0, 2);
  const std::span<const double> a = weights.values();
  const auto verdict = [&](double other) {
    const Head head = short_head({1 / a[0], other / a[1], 0});
    const HeadTerms terms(head, {});
    const SelectionSettings settings{.rows = {2}, .counts = {}, .draws = 1, .for_claims = true};
    std::mt19937_64 stream(5);
    Verdict found{};
    for_each_row(head, 1.0, settings, stream, [&](const RowSelections& row) {
      terms.for_each_case(row, 1.0, [&](const InputKind&, const RowTerms& of_row, const RowCase&) {
        const RowKernel& kernel = *kernel_of(find_claim("norm_based.largest"));
        found = filter(kernel.decided(of_row)).verdict;
      });
    });
    return found;
  };
  EXPECT_EQ(verdict(1), Verdict::undecided);
  EXPECT_EQ(verdict(1 + 1e-12), Verdict::violated);
  EXPECT_EQ(verdict(1 - 1e-12), Verdict::equal);
}

/// 17/20 and 7/10 of 20 selected tokens are 17 and 14.
TEST(Kernels, CompareCountsOfTokensExactly) {
  const RowWeights weights(HeadLogits(short_head({1, 1, 1})).row(2), 1.0, 2);
  SetTerms set{};
  set.as_top.emplace();
  RowTerms row(weights, 1.0, ErrorDouble(1.0), {});
  row.set = &set;
  row.selected = 20;
  const auto verdict = [&](const char* id, std::size_t least, std::size_t most) {
    set.as_top->ball = {.least = least, .most = most};
    return filter(kernel_of(find_claim(id))->decided(row)).verdict;
  };
  EXPECT_EQ(verdict("separability.share.upper", 16, 16), Verdict::holds);
  EXPECT_EQ(verdict("separability.share.upper", 17, 17), Verdict::equal);
  EXPECT_EQ(verdict("separability.share.upper", 18, 18), Verdict::violated);
  EXPECT_EQ(verdict("separability.share.upper", 15, 16), Verdict::holds);
  EXPECT_EQ(verdict("separability.share.upper", 16, 17), Verdict::undecided);
  EXPECT_EQ(verdict("separability.share.upper", 17, 18), Verdict::undecided);
  EXPECT_EQ(verdict("separability.share.lower", 15, 15), Verdict::holds);
  EXPECT_EQ(verdict("separability.share.lower", 14, 14), Verdict::equal);
  EXPECT_EQ(verdict("separability.share.lower", 13, 13), Verdict::violated);
  EXPECT_EQ(verdict("separability.share.lower", 12, 13), Verdict::violated);
  EXPECT_EQ(verdict("separability.share.lower", 14, 15), Verdict::undecided);
  EXPECT_EQ(verdict("separability.share.lower", 13, 14), Verdict::undecided);
}

/// A set weighs 2e-20, or the others do: in double its share and what it leaves out are near 0 and
/// 1, and only the one near 0 tells.
TEST(Kernels, DecideTheGapByThePartThatWeighsLess) {
  const RowWeights weights(HeadLogits(short_head({1, 1, 1})).row(2), 1.0, 2);
  SetTerms set{};
  RowTerms row(weights, 1.0, ErrorDouble(1.0), {});
  row.set = &set;
  row.selected = 1;
  const auto verdict = [&](double inside, double outside, double mass, double left_out) {
    const auto near = [](double x) { return ErrorDouble(x, x * 0x1p-50); };
    set.outside.least_inside = near(inside);
    set.outside.most_outside = near(outside);
    set.theorem1.mass = near(mass);
    set.theorem1.outside = near(left_out);
    return filter(kernel_of(find_claim("mass.gap"))->decided(row)).verdict;
  };
  EXPECT_EQ(verdict(1e-20, 0.5, 2e-20, 1), Verdict::holds);
  EXPECT_EQ(verdict(2e-20, 0.5, 1e-20, 1), Verdict::violated);
  EXPECT_EQ(verdict(1, 1e-20, 1, 1e-20), Verdict::holds);
  EXPECT_EQ(verdict(1, 1e-20, 1, 3e-20), Verdict::violated);
}

/// A head some of whose rows were checked against `claims`, expectations on rows of `lengths`.
std::vector<report::ClaimRecord> checked(const Head& head, std::span<const Claim* const> claims,
                                         const SelectionSettings& settings,
                                         const std::vector<std::int64_t>& lengths) {
  HeadCheck check(head, report::Stage::gpt2, claims, lengths);
  std::mt19937_64 stream(5);
  for_each_row(head, 1.0, settings, stream,
               [&](const RowSelections& row) { check.check(row, 1.0); });
  std::vector<report::ClaimRecord> records;
  const std::vector<report::Tally> tallies = check.tallies();
  for (std::size_t c = 0; c < tallies.size(); ++c) {
    records.push_back(tallies[c].record(certify(*claims[c], tallies[c].kept())));
  }
  return records;
}

/// A head all of whose rows were checked against `claims`, expectations on rows of a few lengths.
std::vector<report::ClaimRecord> checked(const Head& head, std::span<const Claim* const> claims) {
  const SelectionSettings settings{
      .rows = rows_from_second(kTokens), .counts = {1, 2, 5, 20}, .draws = 1, .for_claims = true};
  return checked(head, claims, settings, {2, 5, 20, 24});
}

Claim renamed(std::string_view id, std::string_view name) {
  Claim claim = find_claim(id);
  claim.id = name;
  return claim;
}

/// Rows of 2, 4, 8 and 16 tokens; those of more than N tokens for each N. Any set: a random one,
/// and the N largest contributions.
TEST(HeadCheck, DecidesAClaimWithoutAKernelOnRowsOfTwoToThePower) {
  const Claim gradient = renamed("corollary3", "mine.gradient");
  const Claim distance = renamed("theorem1.fixed", "mine.distance");
  const Claim any_set = renamed("theorem1.fixed.any_set", "mine.any_set");
  const Claim* const claims[] = {&gradient, &distance, &any_set};
  const Head head = head_of_kind(kind_called("moderate"), 1);
  const std::vector<report::ClaimRecord> records = checked(head, claims);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].cases, 4U);
  EXPECT_EQ(records[1].cases, 2U + 3U + 4U);
  EXPECT_EQ(records[2].cases, 2 * (2U + 3U + 4U));
  std::uint64_t violated = 0;
  for (const std::int64_t row : {1, 3, 7, 15}) {
    const Case input =
        exact_case(head, InputKind::softmax_row, {.row = {.row = row, .temperature = 1.0}});
    violated += decide(gradient, input).verdict == Verdict::violated ? 1 : 0;
  }
  EXPECT_GT(violated, 0U);
  EXPECT_EQ(records[0].violated, violated);
  EXPECT_EQ(records[1].holds, records[1].cases);
}

/// On how many rows of a head, all but the first, a claim on logits says nothing.
std::uint64_t unmet_rows(const Claim& claim, const Head& head) {
  const auto rows = rows_from_second(kTokens);
  return static_cast<std::uint64_t>(std::ranges::count_if(rows, [&](std::int64_t row) {
    const Case input = exact_case(head, claim.kind, {.row = {.row = row, .temperature = 1}});
    return !claim.unmet(CaseContext(input)).empty();
  }));
}

/// A kernel's claim is decided on every row, or on every row of the lengths for expectations, and
/// on the same rows alike; twice on each of three tokens or more, of a row that grows. On rows of
/// 2, 4, 8 and 16 tokens Lemma 2 has four more normalisers, and any set the largest contributions.
TEST(HeadCheck, DecidesEveryRowByAKernel) {
  constexpr std::uint64_t kRows = kTokens - 1;
  constexpr std::uint64_t kOfOtherNormalizers = 4UL * 4;
  constexpr std::uint64_t kExpectations = 1 + 2 + 3 + 4;
  constexpr std::uint64_t kFewSelected = kRows + (kTokens - 2) + (kTokens - 5);
  constexpr std::uint64_t kSets = kFewSelected + (kTokens - 20);
  constexpr std::uint64_t kContributions = 2 + 3 + 4;
  constexpr std::uint64_t kLonger = 2 * (kRows - 1);
  std::vector<const Claim*> claims;
  for (const RowKernel& kernel : kernels_with_sides()) claims.push_back(&find_claim(kernel.claim));
  for (const HeadKind& kind : kKinds) {
    const Head head = head_of_kind(kind, 1);
    for (const report::ClaimRecord& record : checked(head, claims)) {
      const InputKind& of_claim = find_claim(record.id).kind;
      // The N largest as well as a random set.
      const bool has_either = std::ranges::count(kinds_with_any_set(), of_claim) > 0;
      std::uint64_t cases = kRows;
      if (of_claim == InputKind::top_n_embeddings) cases = kSets;
      if (of_claim == InputKind::set_embeddings) cases = kSets + kContributions;
      if (has_either) cases = 2 * kSets;
      if (of_claim == InputKind::normalized_row) cases = kRows + kOfOtherNormalizers;
      if (of_claim == InputKind::random_set_embeddings) cases = kExpectations;
      if (of_claim == InputKind::longer_row) cases = kLonger;
      EXPECT_EQ(record.cases, cases) << record.id << ", " << kind.name;
      std::uint64_t unmet = record.id.starts_with("separability") ? kFewSelected : 0;
      if (record.id == "lemma2.vanishing") unmet = unmet_rows(find_claim(record.id), head);
      EXPECT_EQ(record.assumption_not_met, unmet) << record.id << ", " << kind.name;
      EXPECT_EQ(record.undecided, record.sampled_open) << record.id << ", " << kind.name;
      EXPECT_TRUE(record.status != Status::proved || record.violated == 0) << record.id;
    }
  }
}

/// The claims' own formulas, which draw as the kernels do, give each row of a head the verdicts of
/// the kernels.
TEST(HeadCheck, DecidesExpectationsAsTheClaimsDo) {
  constexpr const char* kIds[] = {"theorem1.random.lower",     "theorem1.random.upper",
                                  "theorem1.random.sharp",     "corollary2.full_set",
                                  "corollary2.full_set.sharp", "corollary2.long_context.repaired"};
  std::vector<const Claim*> claims;
  for (const char* const id : kIds) claims.push_back(&find_claim(id));
  const Head head = head_of_kind(kind_called("moderate"), 1);
  const SelectionSettings settings{
      .rows = {kTokens - 1}, .counts = {1, 12, 23}, .draws = 1, .for_claims = true};
  for (const report::ClaimRecord& counts : checked(head, claims, settings, {24})) {
    SCOPED_TRACE(counts.id);
    std::map<Verdict, std::uint64_t> found;
    for (const std::size_t n : settings.counts) {
      const RowCase at{.row = {.row = kTokens - 1, .temperature = 1}, .n = n};
      ++found[decide(find_claim(counts.id), exact_case(head, InputKind::random_set_embeddings, at))
                  .verdict];
    }
    EXPECT_EQ(counts.cases, 3U);
    EXPECT_EQ(counts.sampled, 1U);
    EXPECT_EQ(counts.holds, found[Verdict::holds]);
    EXPECT_EQ(counts.equal, found[Verdict::equal]);
    EXPECT_EQ(counts.undecided, found[Verdict::undecided]);
  }
}

/// What a row does not have itself.
TEST(ExactCase, TakesTheStepToTheNextQuery) {
  const Head head = head_of_kind(kind_called("moderate"), 1);
  const RowCase at{.row = {.row = 3, .temperature = 2}};
  const auto input = exact_case(head, InputKind(InputKind::step_of, Normalizer::sparsemax), at);
  const std::vector<Rational> here =
      exact_case(head, InputKind::softmax_row, {.row = at.row}).logits;
  const std::vector<Rational> next =
      exact_case(head, InputKind::softmax_row, {.row = {.row = 4, .temperature = 2}}).logits;
  ASSERT_EQ(input.step.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(input.logits[i] + input.step[i], next[i]);
  EXPECT_EQ(input.logits, here);
  EXPECT_EQ(input.temperature, 2);
  EXPECT_EQ(input.normalizer, Normalizer::sparsemax);
  const RowCase last{.row = {.row = kTokens - 1, .temperature = 2}};
  EXPECT_FALSE(ExactRow(head, last.row).case_of(InputKind::step_of, last));
}

/// Logits 2, 1, 0 at T = 1 and x = 4, 0, 1: of the two largest weights s = 4 a_0, and the third
/// token is at a_2.
TEST(ExactCase, TakesTheSphereOfAssumption1) {
  const Head head = short_head({4, 0, 1});
  const RowCase at{.row = {.row = 2, .temperature = 1}, .n = 2};
  const auto input = exact_case(head, InputKind::sphere_embeddings, at);
  const double sum = 1 + std::exp(-1.0) + std::exp(-2.0);
  EXPECT_EQ(input.weights[0] + input.weights[1] + input.weights[2], 1);
  EXPECT_NEAR(input.weights[1].nearest(), std::exp(-1.0) / sum, 1e-15);
  EXPECT_NEAR(input.sphere_radius->nearest(), std::sqrt(17.0 / 3), 1e-15);
  EXPECT_NEAR(input.r->nearest(), (4 - std::exp(-2.0)) / sum, 1e-15);
  EXPECT_EQ(input.delta, 0);
  EXPECT_EQ(input.dimension, 1U);
  EXPECT_EQ(input.top_n, 2U);
  const Head flat = short_head({0, 0, 0});
  EXPECT_FALSE(ExactRow(flat, at.row).case_of(InputKind::sphere_embeddings, at));
}

/// The cases that rows give are valid ones, of every kind.
TEST(ExactCase, IsValidForEveryClaimOnRows) {
  for (const HeadKind& kind : kKinds) {
    const Head head = head_of_kind(kind, 2);
    for (const Claim* const claim : row_claims()) {
      for (const std::int64_t row : {1, 2, 7}) {
        const RowCase at{.row = {.row = row, .temperature = 2}, .n = 1, .set = {0}};
        const auto input = ExactRow(head, at.row).case_of(claim->kind, at);
        if (!input) continue;
        EXPECT_NO_THROW(read_case(*claim, to_json(*input))) << claim->id << ", " << kind.name;
      }
    }
  }
}

/// The filter decides also where a bound is attained, as by every row on which the largest weight
/// contributes most.
TEST(HeadCheck, LeavesNoMoreThanNearTiesToTheLadder) {
  const Claim* const claims[] = {&find_claim("distance.linear"),
                                 &find_claim("separability.share.upper"),
                                 &find_claim("separability.share.lower"), &find_claim("cage.norm"),
                                 &find_claim("norm_based.largest")};
  const std::vector<report::ClaimRecord> records =
      checked(head_of_kind(kind_called("moderate"), 1), claims);
  for (const report::ClaimRecord& record : records) {
    EXPECT_EQ(record.digits.at("filter") + record.assumption_not_met, record.cases) << record.id;
  }
  EXPECT_GT(records.back().equal, 0U);
}

/// 2 sum_i ||z_i||^2 and (sum_i ||z_i||)^2 + ||sum_i z_i||^2 over the tokens outside, z_i = a_i x_i
/// - s.
Sides<Interval> spread_of_pairs(const CaseContext& context) {
  const auto& x = context.embeddings();
  const std::vector<Interval> a = attention_weights<Interval>(context);
  const std::size_t width = x.front().size();
  std::vector<Interval> s(width, Interval(0.0)), sum = s;
  for (const std::size_t j : context.selected()) {
    for (std::size_t k = 0; k < width; ++k) s[k] += a[j] * from<Interval>(x[j][k]);
  }
  Interval squares(0.0), distance(0.0);
  for (const std::size_t i : context.others()) {
    std::vector<Interval> z;
    for (std::size_t k = 0; k < width; ++k) {
      z.push_back(a[i] * from<Interval>(x[i][k]) - s[k]);
      sum[k] += z.back();
    }
    squares += square(length_of(z));
    distance += length_of(z);
  }
  return {Interval(2.0) * squares, square(distance) + square(length_of(sum))};
}

TEST(Kernels, DecideTheSpreadByAnInequalityOfWhichItFollows) {
  const RowKernel& kernel = *kernel_of(find_claim("distance.spread"));
  const Claim& claim = find_claim(kernel.claim);
  Tried tried;
  for (const std::span<const HeadKind> kinds :
       {std::span<const HeadKind>(kKinds), std::span<const HeadKind>(kOtherKinds),
        std::span<const HeadKind>(kExtremeKinds)}) {
    for (const HeadKind& heads : kinds) {
      for_each_case_of(heads, [&](const Head& head, const InputKind& kind, const RowTerms& terms,
                                  const RowCase& at) {
        if (claim.kind != kind || !kernel.is_certain(terms)) return;
        SCOPED_TRACE(std::string(heads.name) + ", " + at.place(head, "random set"));
        const Case input = exact_case(head, kind, at);
        const CaseContext context(input);
        ASSERT_EQ(kernel.unmet(terms), claim.unmet(context));
        ++(kernel.unmet(terms).empty() ? tried.cases : tried.unmet);
        if (!kernel.unmet(terms).empty()) return;
        const WidestExponents widest;
        const Sides<ErrorDouble> found = kernel.sufficient(terms);
        const Sides<Interval> expected = spread_of_pairs(context);
        EXPECT_TRUE(meet(found.lhs, expected.lhs));
        EXPECT_TRUE(meet(found.rhs, expected.rhs));
        tried.tight += is_tight(found.lhs) && is_tight(found.rhs) ? 1 : 0;
        if (filter(found).verdict != Verdict::holds) return;
        ++tried.answered;
        const Sides<Interval> sides = claim.evaluators->enclose(context);
        EXPECT_TRUE(certainly_less(sides.lhs, sides.rhs));
      });
    }
  }
  EXPECT_GT(tried.unmet, 100);
  EXPECT_GE(tried.answered * 10, tried.cases * 7);
  EXPECT_GE(tried.tight * 10, tried.cases * 7);
}

/// The first token has most of the weight and is longer than the others by so much that rounding
/// hides what these turn a_i x_i - s by.
void lengthen_the_first(Head& head) {
  head.q.setOnes();
  head.k.row(0).setConstant(2);
  head.x.row(0) *= 1e9;
}

/// All embeddings lie on a line, exactly, the first further out than the others.
void put_on_a_line(Head& head) {
  lengthen_the_first(head);
  for (Eigen::Index i = 0; i < kTokens; ++i) {
    head.x.row(i).setConstant(i == 0 ? 0x1p30 : static_cast<double>(i % 3 + 1));
  }
}

/// How often the kernel of distance.net shows that it is strict where rounding hides the difference
/// of its sides, each time where they do differ.
int shown_strict_by_turns(const HeadKind& heads) {
  const RowKernel& kernel = *kernel_of(find_claim("distance.net"));
  int shown = 0;
  for_each_case_of(heads, [&](const Head& head, const InputKind& kind, const RowTerms& terms,
                              const RowCase& at) {
    if (find_claim(kernel.claim).kind != kind || !kernel.is_certain(terms)) return;
    if (filter(kernel.formula(terms)).verdict != Verdict::undecided) return;
    if (filter(kernel.sufficient(terms)).verdict != Verdict::holds) return;
    const Case input = exact_case(head, kind, at);
    const CaseContext context(input);
    const Sides<Interval> sides = find_claim(kernel.claim).evaluators->enclose(context);
    EXPECT_TRUE(certainly_less(sides.lhs, sides.rhs)) << at.place(head, "random set");
    ++shown;
  });
  return shown;
}

TEST(Kernels, DecideTheNetDistanceByWhatTheTokensTurn) {
  EXPECT_GT(shown_strict_by_turns({"the first is long", 1, &lengthen_the_first}), 50);
  EXPECT_EQ(shown_strict_by_turns({"one line", 1, &put_on_a_line}), 0);
}

/// A claim is open where its sides are too near, unless what it follows from is not.
TEST(HeadCheck, TakesWhatAClaimFollowsFromWhereItsSidesDoNotDecide) {
  const Claim* const claims[] = {&find_claim("distance.net")};
  const Head head = head_of_kind({"the first is long", 1, &lengthen_the_first}, 1);
  const report::ClaimRecord record = checked(head, claims).front();
  EXPECT_GT(record.cases, 50);
  EXPECT_EQ(record.holds + record.equal, record.cases);
  EXPECT_GE(record.digits.at("filter"), 60U);
}

/// Sets of 1, 2, 5 and 20 tokens, largest and random, of rows with more. Of one token outside the
/// claim says nothing.
TEST(HeadCheck, DecidesTheSpreadOnEveryRowWithoutItsSides) {
  constexpr std::uint64_t kSets = 23 + 22 + 19 + 4;
  constexpr std::uint64_t kOfOneOutside = 4;
  constexpr std::uint64_t kMeasured = 2 + 3 + 3;  // of 4, 8 and 16 tokens
  const Claim* const claims[] = {&find_claim("distance.spread")};
  const auto of_kind = [&](const char* name) {
    return checked(head_of_kind(kind_called(name), 1), claims).front();
  };
  const auto measured = [](const report::ClaimRecord& record) {
    const auto& bins = record.ratio_histogram;
    return std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
  };
  const report::ClaimRecord certain = of_kind("moderate");
  EXPECT_EQ(certain.cases, 2 * kSets);
  EXPECT_EQ(certain.assumption_not_met, 2 * kOfOneOutside);
  EXPECT_EQ(certain.holds, certain.cases - certain.assumption_not_met);
  EXPECT_EQ(measured(certain), 2 * kMeasured);
  // Which weights are the largest is certain nowhere.
  const report::ClaimRecord tied = of_kind("uniform");
  EXPECT_EQ(tied.cases, kSets + 1 + kMeasured);
  EXPECT_EQ(tied.assumption_not_met, kOfOneOutside + 1);
  EXPECT_EQ(tied.holds, tied.cases - tied.assumption_not_met);
}

/// The radius is decided in doubles also of a set of next to no weight, about whose sum the longest
/// a_i x_i outside is nearly on the sphere.
TEST(HeadCheck, DecidesTheRadiusAboutAShortSumInDoubles) {
  const Claim* const claims[] = {&find_claim("distance.radius")};
  for (const double scale : {1, 8, 20}) {
    const HeadKind kind{.name = "", .scale = scale, .change = &keep};
    const report::ClaimRecord record = checked(head_of_kind(kind, 1), claims).front();
    EXPECT_EQ(record.digits.at("filter"), record.cases) << scale;
    EXPECT_EQ(record.equal, 0U) << scale;
  }
}

/// A token beyond the depth may be as large as its error lets it be.
TEST(RowWeights, DoNotOrderByMiddles) {
  RowLogits logits{.first = 0, .values = Eigen::ArrayXd(4), .errors = Eigen::ArrayXd(4)};
  logits.values << 3, 2, 1.9, 1;
  logits.errors << 0, 0, 0.2, 0;
  const RowWeights weights(logits, 1, 2);
  EXPECT_TRUE(weights.certainly_top(1));
  EXPECT_FALSE(weights.certainly_top(2));
}

/// Sums of many products, each of which a sum may round away.
TEST(HeadLogits, EncloseLongProducts) {
  constexpr Eigen::Index kWidth = 1024;
  Head head{.layer = 0, .head = 0, .temperature = 1, .q = Rows::Ones(1, kWidth)};
  head.k = Rows::Constant(1, kWidth, 0x1p-54);
  head.k(0, 0) = 1;
  head.x = Rows::Ones(1, 1);
  const RowLogits logits = HeadLogits(head).row(0);
  const double lost = logits.values(0) - 1 - (kWidth - 1) * 0x1p-54;
  EXPECT_LE(std::abs(lost), logits.errors(0));
}

/// The bounds hold what another s within its error makes of the numbers.
TEST(SetPass, BoundsHoldWhatSMayBe) {
  constexpr std::size_t kCount = 4;
  constexpr double kError = 0.01;
  const std::array<double, kCount> x{1, -2, 3, -0.5}, a{0.4, 0.3, 0.2, 0.1}, none{},
      out{0, 1, 1, 1};
  std::array<double, kCount> square, length, along, above, least, most, gap, gap_error;
  const auto totals = [&](double s) {
    for (std::size_t i = 0; i < kCount; ++i) {
      square[i] = x[i] * x[i];
      length[i] = std::abs(x[i]);
      along[i] = x[i] * s;
    }
    const SetPass pass{.tokens = kCount,
                       .width = 1,
                       .weight = a.data(),
                       .weight_error = none.data(),
                       .square = square.data(),
                       .length = length.data(),
                       .along = along.data(),
                       .outside = out.data(),
                       .above = above.data(),
                       .s_square = s * s,
                       .s_length = std::abs(s),
                       .s_error = kError,
                       .mass = 0.4,
                       .c_error = 2.5 * kError};
    return pass_with_bounds(pass, {.least_above = least.data(),
                                   .most_above = most.data(),
                                   .gap = gap.data(),
                                   .gap_error = gap_error.data()});
  };
  for (const double move : {-0.99 * kError, 0.99 * kError}) {
    const SetTotals<ErrorDouble> moved = totals(0.4 + move);
    const auto above_moved = above;
    const SetTotals<ErrorDouble> found = totals(0.4);
    for (std::size_t i = 0; i < kCount; ++i) {
      EXPECT_LE(least[i], above_moved[i]) << i;
      EXPECT_GE(most[i], above_moved[i]) << i;
    }
    EXPECT_LE(std::abs(moved.around.value() - found.around.value()), found.around.error());
  }
}

}  // namespace
}  // namespace attn::gpt2
