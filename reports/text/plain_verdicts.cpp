#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/judge/judge.hpp"
#include "reports/text/summary.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/listing.hpp"

namespace attn::report {
namespace {

struct StatementText {
  std::string_view statement, gist, text;
};

// Each sentence is what claims of the catalogue say together, proved or refuted by hand.
constexpr StatementText kTexts[] = {
    {"Lemma 1", "both bounds hold, but weights need not become uniform",
     "For logits within fixed limits every weight lies between fixed multiples of $1/L$. Both "
     "bounds hold; the slightly sharper $m/(m+(L-1) M)$ and $M/(M+(L-1) m)$ are attained at every "
     "$L$. But the weights need not become uniform, however long the context: how far they are "
     "from uniform depends on the range of the logits alone."},
    {"Corollary 1", "true with the longest key, false with each token's own",
     "The same bounds for queries and keys. With the longest key both hold; with each token's own "
     "key both are false. The range of the logits gives bounds that are attained."},
    {"Theorem 1", "true for the N largest weights, false for any N tokens",
     "The bound on the distance between the selected tokens and the rest holds for the $N$ largest "
     "weights. For an arbitrary set of $N$ tokens it is false: its right side can be negative. A "
     "bound for any set, and a sharper one about the set's centre, stand beside it. For tokens "
     "selected at random the mean distance lies between two proved bounds. It does not grow "
     "linearly with the context, and what its main sum lacks is not small, though no weight is "
     "large."},
    {"Corollary 2", "the distance does not collapse in long contexts",
     "With every token selected the distance is 0, as stated. In long contexts it does not "
     "approach the sum of the contributions $||a_i x_i||$: with one token of all the weight it "
     "tends to $N + 1$ times that sum. With a fixed share of the tokens selected it does not go "
     "to 0: with equal tokens it grows with $L$."},
    {"Theorem 2", "the lower bound holds for one count, the upper bound is false",
     "The lower bound on the share of distinguishable tokens holds where only the selected tokens "
     "are counted. It is false for the paper's own count, which also asks that no other token is "
     "near. The upper bound is false: its proof uses the largest offset where Hoeffding's "
     "inequality needs the mean. A repaired upper bound holds, and falls as the dimension grows."},
    {"Section 3.2", "the share that stays distinguishable can be all or none",
     "The 70 to 85 % of the experiment are no law: with more than 16 tokens selected the share of "
     "distinguishable ones can be all, and can be none."},
    {"Lemma 2", "the bound holds, what Section 4 reads into it is false",
     "The bound on the gradient of a normaliser holds, but is loose. Half the largest $|F'/F|$ is "
     "a bound too, and is attained; the weights at hand give a sharper one. A least value of $F$ "
     "near 0 makes no gradient large."},
    {"Corollary 3", "the gradient reaches 1/(2T), twice the printed bound",
     "The gradient of softmax is not bounded by $1/(4T)$. That bounds single entries of the "
     "Jacobian; its norm reaches $1/(2T)$, with two equal logits, and never more. A smaller "
     "temperature need not raise the gradient, nor a smaller step: where one logit leads, the "
     "gradient vanishes as $T$ falls. A finite step has a bound that is attained at every length."},
    {"Section 4", "a proved constant for each normaliser; peaks need not fall or stay",
     "The largest weight of softmax may rise as the context grows, though that of each token that "
     "was there falls; that of Scalable-Softmax goes to 0 where the lead is below $T$. Sparsemax "
     "and 1.5-entmax have less entropy than softmax at the same temperature, as is said. Each of "
     "the other normalisers has a proved constant, most of them attained. Two constants that "
     "suggest themselves are false: that of two tokens for 1.5-entmax of any length, and any "
     "constant at all for Self-Adjusted Softmax."},
    {"Beyond the paper", "what other works say: most of it holds",
     "What other works say, with bounds of this project beside it. A smaller temperature never "
     "raises the entropy of softmax. Weights that form a probability never lengthen what they mix; "
     "attention pooling may. The token of the largest weight need not contribute most. "
     "Self-attention draws its embeddings together, and a head that is to output nothing must put "
     "its weight on a sink."},
    {"Tokens needed", "what is lost with the others is bounded by their weight",
     "What is lost when a head keeps $N$ tokens alone is at most their lack of weight times the "
     "longest embedding that is left out. Dividing the kept weights by their sum leaves an error "
     "that only the differences of embeddings bound, but need not bring the output nearer. Nor "
     "need one token more, and other tokens than those of the largest weights may serve better."}};

StatementText text_of(std::string_view statement) {
  const auto* const found = std::ranges::find(kTexts, statement, &StatementText::statement);
  return found == std::end(kTexts) ? StatementText{} : *found;
}

/// The claims of a statement by what keeps a verdict from it, in words; empty where nothing does.
std::string open_claims(const StatementView& statement) {
  std::string open;
  const auto add = [&](std::string_view words, auto is) {
    std::vector<std::string> ids;
    for (const ClaimView& view : statement.claims) {
      const auto outcome = [](const ClaimRecord* record) { return record->outcome; };
      if (std::ranges::any_of(view.records, is, outcome)) ids.push_back(view.any().id);
    }
    if (ids.empty()) return;
    open += fmt::format("{}{}: {}.", open.empty() ? "" : " ", words, fmt::join(ids, ", "));
  };
  add("Not as expected", [](Outcome outcome) {
    return outcome != Outcome::as_expected && outcome != Outcome::missing;
  });
  add("Not checked", [](Outcome outcome) { return outcome == Outcome::missing; });
  return open;
}

/// Where the claims of the paper, not of this project, stand. All of them: the text speaks also of
/// those that real input has no cases of.
std::string_view verdict_on(const Report& report, std::string_view statement) {
  bool any_holds = false, any_false = false;
  const auto see = [&](const auto& claim) {
    if (claim.provenance == FormulaOrigin::derived) return;
    if (statement_of(claim.paper) != statement) return;
    (claim.status == Status::proved ? any_holds : any_false) = true;
  };
  if (report.catalogue) {
    std::ranges::for_each(report.claims, see);
  } else {
    std::ranges::for_each(catalogue(), see);
  }
  if (any_holds && any_false) return kHoldsInPart;
  if (any_holds) return kHolds;
  return any_false ? kFalse : kCompared;
}

}  // namespace

std::vector<PlainVerdict> plain_verdicts(const Report& report) {
  std::vector<PlainVerdict> verdicts;
  for (const StatementView& statement : by_statement(report)) {
    const std::string open = open_claims(statement);
    // The texts are of the paper's claims, not of another catalogue's.
    const auto [name, gist, text] = report.catalogue ? StatementText{} : text_of(statement.name);
    verdicts.push_back(
        {.statement = statement.name,
         .verdict = std::string(open.empty() ? verdict_on(report, statement.name) : kNotSettled),
         .gist = open.empty() ? std::string(gist) : open,
         .text = open.empty() ? std::string(text) : open,
         .is_rebuilt = std::ranges::any_of(statement.claims, &ClaimView::is_rebuilt)});
  }
  return verdicts;
}

}  // namespace attn::report
