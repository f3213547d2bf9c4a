#include <algorithm>
#include <string_view>
#include <vector>

#include "reports/pages/pages.hpp"

namespace attn::report {
namespace {

/// What an input shows of a sentence, in words.
using Number = std::string (*)(const Measurements&);

/// A sentence of the paper, and what is true.
struct Sentence {
  std::string_view says;     ///< in its words where they are quoted
  std::string_view verdict;  ///< one word
  std::string_view instead;
  std::vector<std::string> claims{};  ///< that decide it; empty where the table itself does
  std::string_view measured_at{};     ///< the section of an input's page; empty where none
  Number number{};                    ///< what an input shows; null where no more is said
};

constexpr std::string_view kTrue = "true", kWrong = "false", kPartly = "partly";

const std::vector<Sentence>& all_sentences() {
  static const std::vector<Sentence> all = {
      {"Weights \"become uniformly small (on the order of $1/L$)\" (after Lemma 1)",
       kTrue,
       "for logits within fixed limits; the gradient is at most $a_(1)/T$",
       {"lemma1.upper", "corollary3.local.upper"}},
      {"They \"collapse toward $1/L$\" (introduction), to \"a uniform selection pattern\" "
       "(abstract)",
       kWrong,
       "their ratios stay",
       {"lemma1.uniform", "lemma1.uniform.repaired"}},
      {"Weights lie between $exp(-2 Delta/T)/L$ and $exp(2 Delta/T)/L$, $Delta$ of one key "
       "(Corollary 1)",
       kPartly,
       "false with each token's own key, true with the longest",
       {"corollary1.own_key.lower", "corollary1.own_key.upper", "corollary1.lower",
        "corollary1.upper"}},
      {"The distance is bounded \"if $I_N$ is fixed\" (Theorem 1)",
       kPartly,
       "true for the $N$ largest weights, false for any set",
       {"theorem1.fixed", "theorem1.fixed.any_set", "theorem1.fixed.any_set.repaired"}},
      {"The residual \"is small whenever the individual weights are not too concentrated\" (after "
       "Theorem 1)",
       kWrong,
       "of weights $1/L$ it is half of the sum at $N = 2$, and has no bound in $N$",
       {"theorem1.random.gap", "theorem1.random.upper"}},
      {"Distance \"and its expectation grow roughly linearly in $L$\" (Figure 2a)",
       kPartly,
       "the distance is measured to, at the slope $||s||$; the expectation does not",
       {"distance.linear", "theorem1.random.linear"},
       "distance"},
      {"\"Dominated by the individual contributions\" (Corollary 2i), it \"scales linearly\" (3.1)",
       kWrong,
       "nor does that limit grow: it is at most the longest embedding",
       {"corollary2.long_context", "corollary2.long_context.repaired"}},
      {"As $N$ goes to $L$ the distance vanishes (Corollary 2ii)",
       kTrue,
       "",
       {"corollary2.full_set"}},
      {"At $N$ proportional to $L$ it \"must collapse\" (introduction), \"necessarily collapses to "
       "zero\" (4)",
       kWrong,
       "it grows with $L$",
       {"collapse.proportional"}},
      {"\"The distance plateaus while the bound tightens\" (Figure 2b)",
       "measured",
       "a plateau is no collapse: $D$ is near $(L-N) ||s||$, and $s$ nears the output",
       {"distance.linear"},
       "distance",
       plateau_numbers},
      {"The critical $N$ \"grows sub-linearly ($0.06 L$)\", at the level 0.01 (3.1)",
       "contradictory",
       "$0.06 L$ is linear, and the level is 0.05 in Algorithm 3: measured at both",
       {},
       "critical-n",
       critical_numbers},
      {"Distinguishable: inside the closed ball, every other token outside (2.2, 3.2)", "empty",
       "the nearest token outside is in the ball, so that $N_s = 0$ always; counted are the "
       "selected alone"},
      {"$E[N_s]/N$ is at least 1 less a penalty in $sum xi_i$ (Theorem 2)",
       kPartly,
       "true of the selected alone, false of the definition",
       {"theorem2.lower", "theorem2.lower.exclusive"}},
      {"$E[N_s]/N$ is at most the mean of exponentials, \"tight on the high side\" (3.2)",
       kWrong,
       "one selected token: $1 > 0.6065$",
       {"theorem2.upper", "theorem2.upper.repaired"}},
      {"\"No more than 80 %\" (introduction), \"saturates between 0.7 and 0.85\" (3.2)",
       kWrong,
       "no law: it can be all and none; on attention it is measured",
       {"separability.share.upper", "separability.share.lower"},
       "separability"},
      {"\"Monitor attention entropy or the $N_s/N$ ratio\": either shows saturation (4, 5)",
       kWrong,
       "the one says nothing of the other: with 17 weights $1/17$ and a 0, orthonormal $x$ give 1, "
       "and seven pairs $1, -1$ with $2, -1, -1$ give 0",
       {"separability.share.upper", "separability.share.lower"}},
      {"Independent heads cover $1 - (1-p)^H$: $p = 0.8$ needs 3 for 99 % (4)", kTrue,
       "if they are independent: $124/125$. At the paper's 0.7 it takes 4; three heads alike "
       "cover $4/5$"},
      {"Lemma 2 and Corollary 3 \"recover the classic $1/(4T)$\" (introduction, 4, 5)",
       kWrong,
       "the norm reaches $1/(2T)$, and Lemma 2 gives $1/T$ there",
       {"corollary3", "corollary3.sharp"}},
      {"A smaller $T$ \"inflates the Jacobian norm\" (2.3), below 0.1 it \"increases\" (4)",
       kWrong,
       "unless the largest logits tie",
       {"corollary3.cold", "corollary3.cold.repaired", "corollary3.sharp"}},
      {"For $T < 0.1$ curves \"follow the $1/T$ trend of Corollary 3\" (3.3)",
       kWrong,
       "the printed bound is $sqrt 2$ there, and is exceeded",
       {"corollary3.step.printed", "corollary3.step"},
       "gradient"},
      {"\"Smaller eps values yield larger gradients\"; at $T >= 1$ curves drop a hundredfold (3.3)",
       kWrong,
       "no law; the second is measured: at $epsilon = 10$ the bound hardly moves, from 0.1414 at "
       "$T = 0$ to 0.1412 at $T = 1$",
       {"corollary3.step.order", "corollary3.step"},
       "gradient",
       drop_numbers},
      {"Logits $sqrt 5 eps$ apart give outputs $O(eps/T)$ apart (2.3)",
       kTrue,
       "at most $sqrt 5 eps/(2T)$",
       {"corollary3.step"}},
      {"\"Any normaliser with a vanishing minimum value will inherit the same instability\" (4)",
       kWrong,
       "what counts is the largest $|F'/F|$",
       {"lemma2.vanishing", "lemma2.sharp"}},
      {"Softmax's \"peak value drops as the context grows\" (4)",
       kWrong,
       "the weight of each token that was there falls",
       {"dilution.peak", "dilution.peak.repaired"}},
      {"Sparsemax and Entmax \"lower entropy\" (4)",
       kTrue,
       "",
       {"entropy.sparsemax", "entropy.entmax", "entropy.sparsemax.sharp"}},
      {"Scalable-Softmax keeps the peak \"roughly constant\", SA-Softmax the spectrum \"in a "
       "healthy band\" (4)",
       kWrong,
       "the peak falls where the lead is below $T$, and no constant bounds the other",
       {"scalable_softmax.peak", "lipschitz.self_adjusted", "lipschitz.self_adjusted.repaired"}},
  };
  return all;
}

Text verdict_text(const Sentence& sentence) {
  if (sentence.verdict == kTrue) return good(sentence.verdict);
  return sentence.verdict == kWrong ? bad(sentence.verdict) : strong(sentence.verdict);
}

/// The sentences that a report speaks to: it has a claim that decides them, or all claims.
std::vector<const Sentence*> sentences_of(const Report& report) {
  std::vector<const Sentence*> found;
  if (report.catalogue) return found;
  const std::vector<ClaimView> views = by_claim(report);
  const auto is_there = [&](const std::string& id) {
    return std::ranges::any_of(views, [&](const ClaimView& view) { return view.any().id == id; });
  };
  for (const Sentence& sentence : all_sentences()) {
    const bool is_decided = sentence.claims.empty()
                                ? is_there("corollary3") && is_there("theorem2.lower")
                                : std::ranges::any_of(sentence.claims, is_there);
    if (is_decided) found.push_back(&sentence);
  }
  return found;
}

}  // namespace

Blocks sentences(const Report& report, const Names& names) {
  Table table{.caption =
                  "What the paper says in words, and what is true in its place. An id without "
                  "a link is of a claim that was not checked on the input of this report, "
                  "often since it speaks of growing lengths and not of a row: claims show ID "
                  "prints its proof or counterexample.",
              .columns = {"The paper says", "Verdict", "What is true", "Decided by"},
              .text_columns = 4,
              .is_stacked = true};
  const std::optional<std::size_t> measured = longest_input(report);
  for (const Sentence* const sentence : sentences_of(report)) {
    Text decided = names.claim_links(sentence->claims);
    if (!sentence->measured_at.empty() && measured) {
      if (!decided.empty()) decided += "; ";
      decided +=
          link("measured", names.input_page(*measured) + "#" + std::string(sentence->measured_at));
    }
    Text instead = sentence->instead;
    if (sentence->number != nullptr && measured) {
      const std::string number = sentence->number(report.inputs[*measured]);
      if (!number.empty()) instead += ". On " + names.input_link(*measured) + ": " + number;
    }
    table.rows.push_back({sentence->says, verdict_text(*sentence), instead, decided});
  }
  if (table.rows.empty()) return {};
  return {Heading{.text = "Sentence by sentence", .anchor = "sentences"}, table};
}

Blocks false_sentences(const Report& report, const Names& names) {
  List list;
  for (const Sentence* const sentence : sentences_of(report)) {
    if (sentence->verdict != kWrong) continue;
    list.items.push_back(Text(sentence->says) + ": " + bad("false") + ": " +
                         std::string(sentence->instead) + " (" +
                         names.claim_links(sentence->claims) + ").");
  }
  if (list.items.empty()) return {};
  return {Heading{.text = "Sentences of the paper that are false"}, list};
}

}  // namespace attn::report
