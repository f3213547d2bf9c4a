#include "reports/text/plain_verdicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "reports/judge/judge.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {
namespace {

struct Text {
  std::string_view statement, text;
};

// Each sentence is what claims of the catalogue say together, proved or refuted by hand.
constexpr Text kTexts[] = {
    {"Lemma 1",
     "Where the logits stay within fixed limits, every weight lies between fixed multiples of "
     "$1/L$: a normaliser spreads out as $L$ grows. Both bounds hold, and the slightly sharper "
     "$m/(m+(L-1) M)$ and $M/(M+(L-1) m)$ are attained at every $L$. But the weights need not "
     "become uniform, however long the context: how far they stay from it is a matter of the range "
     "of the logits alone."},
    {"Corollary 1",
     "The same, said of queries and keys: both bounds hold with the longest key, and both are "
     "false with each token's own. The range of the logits gives bounds that are attained."},
    {"Theorem 1",
     "The bound on the distance between the selected tokens and the rest holds for the $N$ largest "
     "weights. For an arbitrary set of $N$ tokens it is false: the right-hand side can be "
     "negative. There is a bound that holds for any set, and a sharper one about the set's centre. "
     "The distance grows with $L$ at the slope $||s||$. For tokens selected at random the mean "
     "distance lies between two proved bounds."},
    {"Corollary 2",
     "With every token selected the distance is 0, as said. But in long contexts it does not "
     "approach the sum of the contributions $||a_i x_i||$: with one token of all the weight it "
     "tends to $N + 1$ times that sum. Nor does it collapse when a fixed share of the tokens is "
     "selected: with equal tokens it grows with $L$."},
    {"Theorem 2",
     "The lower bound on the share of selected tokens that stay distinguishable holds for the "
     "count that looks at the selected tokens alone, and a sharper one from mean and variance "
     "stands beside it; for the paper's own count, which lets no other token come near, it is "
     "false. The upper bound is false as written: its proof puts a number above a mean where "
     "Hoeffding's inequality needs the mean itself. A repaired upper bound holds, and falls as "
     "the dimension grows."},
    {"Section 3.2",
     "The experiment's 70 to 85 % is no law: with more than 16 tokens selected the share of "
     "distinguishable ones can be all, and can be none."},
    {"Lemma 2",
     "The bound on the gradient of a normaliser holds, but is loose. Half the largest $|F'/F|$ is "
     "a bound as well, and is attained; the weights at hand give a sharper one."},
    {"Corollary 3",
     "The gradient of softmax is not bounded by $1/(4T)$. That is a bound on single entries of the "
     "Jacobian; its norm reaches $1/(2T)$, twice as much, with two equal logits. $1/(2T)$ is the "
     "sharp bound, and what the weights at hand allow is known within a factor 2. A smaller "
     "temperature need not inflate the gradient, nor a smaller step: where one logit leads, cold "
     "makes it vanish. A finite step has a bound that is attained at every length."},
    {"Section 4",
     "For each of the other normalisers there is a proved constant, most of them attained. Two "
     "constants that suggest themselves are false: that of two tokens for 1.5-entmax of any "
     "length, and any constant at all for Self-Adjusted Softmax."},
    {"Beyond the paper",
     "What other works on the subject say or suggest, with bounds of this project beside it. A "
     "smaller temperature never raises the entropy of softmax, and weights of a probability never "
     "lengthen what they mix; attention pooling may. The token of the largest weight need not "
     "contribute most. Self-attention draws its embeddings together, and a head that is to output "
     "nothing must put its weight on a sink."},
    {"How many tokens a head needs",
     "What is lost when a head keeps $N$ tokens alone is at most their lack of weight times the "
     "longest embedding that is left out. Dividing the kept weights by their sum leaves an error "
     "that only the differences of embeddings bound, but need not bring the output nearer."}};

std::string_view text_of(std::string_view statement) {
  for (const Text& each : kTexts) {
    if (each.statement == statement) return each.text;
  }
  return {};
}

/// Whether a record of the claim has an outcome that `is` accepts.
template <class Is>
bool any_outcome(const ClaimView& view, Is is) {
  return std::ranges::any_of(view.records,
                             [&](const ClaimRecord* record) { return is(record->outcome); });
}

/// The claims of a statement by what keeps a verdict from it, in words; empty where nothing does.
std::string open_claims(const StatementView& statement) {
  std::string open;
  const auto add = [&](std::string_view words, auto is) {
    std::vector<std::string> ids;
    for (const ClaimView& view : statement.claims) {
      if (any_outcome(view, is)) ids.push_back(view.any().id);
    }
    if (!ids.empty()) {
      open += fmt::format("{}{}: {}.", open.empty() ? "" : " ", words, fmt::join(ids, ", "));
    }
  };
  add("Not as expected", [](Outcome outcome) {
    return outcome != Outcome::as_expected && outcome != Outcome::missing;
  });
  add("Not checked", [](Outcome outcome) { return outcome == Outcome::missing; });
  return open;
}

/// Where a claim of the paper, not of this project, stands.
std::string_view verdict_on(const StatementView& statement) {
  bool any_holds = false, any_false = false;
  for (const ClaimView& view : statement.claims) {
    if (view.any().provenance == attn::FormulaOrigin::derived) continue;
    (view.is_proved() ? any_holds : any_false) = true;
  }
  if (any_holds && any_false) return kHoldsInPart;
  if (any_holds) return kHolds;
  return any_false ? kFalse : kCompared;
}

bool is_rebuilt(const StatementView& statement) {
  return std::any_of(statement.claims.begin(), statement.claims.end(), [](const ClaimView& view) {
    return view.any().provenance == attn::FormulaOrigin::reconstructed;
  });
}

}  // namespace

std::vector<PlainVerdict> plain_verdicts(const Report& report) {
  std::vector<PlainVerdict> verdicts;
  for (const StatementView& statement : by_statement(report)) {
    const std::string open = open_claims(statement);
    if (open.empty()) {
      verdicts.push_back({statement.name, std::string(verdict_on(statement)),
                          std::string(text_of(statement.name)), is_rebuilt(statement)});
    } else {
      verdicts.push_back({statement.name, std::string(kNotSettled), open, is_rebuilt(statement)});
    }
  }
  return verdicts;
}

}  // namespace attn::report
