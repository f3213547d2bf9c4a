#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/case_input.hpp"
#include "reports/record/fields.hpp"
#include "reports/record/words.hpp"

/// What the cases of one claim in one stage came to, with the cases that are kept.
namespace attn::report {

/// Equal bins of lhs/rhs over [0, 1] in a ratio histogram; one more bin counts what exceeds 1.
inline constexpr std::size_t kRatioBins = 20;

/// How many cases were of each name. One is looked up for each case, without a string of its own.
using Counts = std::map<std::string, std::uint64_t, std::less<>>;

/// The confidence of each interval of a share of cases.
inline constexpr double kClassConfidence = 0.999999;

inline constexpr double kApproached = 0.99;

inline constexpr std::string_view kDecimalPattern =
    "^(-?[0-9]+([.][0-9]+)?(e[+-][0-9]+)?|-?inf|nan)$";
inline constexpr std::string_view kSha256Pattern = "^([0-9a-f]{64})?$";

inline constexpr Traits kDecimal{.pattern = kDecimalPattern};

struct CaseRecord {
  ATTN_RECORD(
      CaseRecord, "decided",
      "A case with both sides of its claim, exact enough to decide it again. The sides have 50 "
      "significant digits; where their enclosures are left out, they are the sides themselves.",
      (required, CaseInput, input,
       "The exact input; its long lists are vectors of the report. Null where it has more than "
       "100,000 numbers, but for a violation, which is always written out: `where` says which row "
       "it is, and the claim's replay command "
       "decides it again.",
       {.name = "case"}),
      (required, std::string, lhs, "The left side.", kDecimal),
      (required, std::string, rhs, "The right side.", kDecimal),
      (defaulted, std::string, lhs_lower, "The left side is at least this: rounded outwards.",
       kDecimal),
      (defaulted, std::string, lhs_upper, "The left side is at most this: rounded outwards.",
       kDecimal),
      (defaulted, std::string, rhs_lower, "The right side is at least this: rounded outwards.",
       kDecimal),
      (defaulted, std::string, rhs_upper, "The right side is at most this: rounded outwards.",
       kDecimal),
      (defaulted, std::optional<Verdict>, verdict,
       "What the enclosures say of lhs <= rhs. Empty where unknown."),
      (defaulted, std::string, by,
       "What decided: intervals of \"50\", \"100\" or \"200\" digits, \"exact\" arithmetic, or "
       "that the bound is known to be \"attained\". Empty where nothing did, or unknown."),
      (defaulted, unsigned, digits,
       "Decimal digits of the intervals between whose ends the sides lie: 50, 100 or 200. 0 where "
       "unknown."),
      (defaulted, std::string, where,
       "Where the case comes from: on real input \"layer 3, head 2, row 17, N 5\", else the family "
       "of inputs."));
};

struct ClassRecord {
  ATTN_RECORD(
      ClassRecord, "class",
      "How often the cases of a search fell into one class of inputs, and how often they must.",
      (required, std::string, name, "\"exact ties\", \"L = 64\", ... Once for each claim."),
      (required, double, least_share, "The share of the cases that must belong to the class.",
       {.limits = {.words = "a share above 0 and at most 1", .above = 0, .most = 1}}),
      (required, std::uint64_t, cases, "Cases that belong to it."),
      (required, double, share_lower,
       "Lower end of the Clopper-Pearson interval of the share, at confidence 0.999999.",
       {.limits = kShare}),
      (required, double, share_upper, "Its upper end.", {.limits = kShare}),
      (required, bool, covered, "Whether it has a case, and share_lower >= least_share."));
};

struct MutantRecord {
  ATTN_RECORD(MutantRecord, "mutant",
              "A wrong version of a proved claim, and whether the claim's search noticed.",
              (required, std::string, id, "The claim's id, a slash and a word on the change.",
               {.pattern = "^[^/]+/.+$"}),
              (required, std::string, change, "What was done to the formula."),
              (required, bool, caught, "Whether some case violates the wrong version."),
              (required, std::uint64_t, cases, "Cases decided until it was caught, or in all."),
              (defaulted, std::optional<CaseRecord>, witness,
               "The case that caught it; null where none did."),
              (defaulted, std::string, replay, "The command that searches it again."));
};

struct TightnessRecord {
  TightnessKind kind{TightnessKind::loose};
  ATTN_RECORD(TightnessRecord, "tightness",
              "How close a proved bound comes to its other side, as far as a directed search could "
              "push it.",
              (required, , kind,
               "attained: some case has equal sides. approached: lhs/rhs >= 0.99. loose: neither."),
              (required, double, ratio,
               "The largest lhs/rhs found; 1 where the bound is attained. Without unit.",
               {.limits = {.words = "at most 1", .most = 1}}),
              (required, std::uint64_t, climbed,
               "Cases of the directed search, on top of the random one."),
              (required, CaseRecord, at, "The case that has it."));
};

struct SetCounts {
  ATTN_RECORD(SetCounts, "set_counts",
              "The cases of a claim in which N tokens were selected in one way.",
              (required, std::uint64_t, cases, "Cases looked at.", kSum),
              (required, std::uint64_t, violated, "Cases with certainly lhs > rhs.", kSum),
              (required, std::uint64_t, assumption_not_met,
               "Cases outside the hypotheses of the claim.", kSum));
};

// How the N tokens of a case on real input were selected.
inline constexpr std::string_view kLargestWeights = "N largest weights", kRandomSet = "random set";

struct ClaimRecord {
  Outcome outcome{Outcome::not_covered};
  ATTN_RECORD(
      ClaimRecord, "claim",
      "What one stage found about one claim lhs <= rhs. A claim stands once for each stage and "
      "input. cases = holds + equal + violated + undecided + assumption_not_met.",
      (required, std::string, id, "\"theorem1.fixed\", ...", {.pattern = "."}),
      (required, std::string, title, "The claim in a few words."),
      (required, Status, status,
       "What mathematics says of the claim: proved, or refuted by a counterexample.",
       {.measure = "status"}),
      (required, attn::FormulaOrigin, provenance,
       "Where the formula is from: quoted from the paper, reconstructed from its prose, or derived "
       "here."),
      (defaulted, std::string, statement, "The claim as a formula."),
      (defaulted, std::string, paper, "The statement of the paper that it is about."),
      (defaulted, std::string, argument, "The proof, or the counterexample by hand, in short."),
      (sparse, std::string, sentence,
       "What the paper says in words, where the claim is one of its sentences."),
      (sparse, std::string, instead, "Beside a sentence: what is true."),
      (required, Stage, stage,
       "Where the cases are from: a search, the attention of a GPT-2 checkpoint, or recorded "
       "activations."),
      (sparse, std::string, input,
       "Of real input: which one, as its measurements name it. Absent of a search."),
      (required, , outcome, "How the verdicts compare with the status.", {.measure = "outcome"}),
      (required, std::uint64_t, cases, "Cases looked at.", counted("cases")),
      (required, std::uint64_t, holds,
       "Cases with certainly lhs < rhs, or lhs <= rhs where an expectation is sampled.",
       counted("holds")),
      (required, std::uint64_t, equal,
       "Cases whose sides are exactly equal: the bound is attained.", counted("equal")),
      (required, std::uint64_t, violated, "Cases with certainly lhs > rhs.", counted("violated")),
      (required, std::uint64_t, undecided,
       "Cases that neither exact arithmetic nor 200 digits decide, or that a confidence interval "
       "leaves open.",
       counted("undecided")),
      (required, std::uint64_t, assumption_not_met,
       "Cases outside the hypotheses of the claim. A share of cases is one of the others.",
       counted("assumption not met")),
      (defaulted, std::uint64_t, sampled,
       "Of the decided and undecided cases, those judged against a confidence interval in place of "
       "an exact expectation.",
       kSum),
      (defaulted, std::uint64_t, sampled_open,
       "Of these, the ones that the interval leaves open; they do not make the outcome undecided.",
       counted("left open by a confidence interval")),
      (defaulted, Counts, unmet,
       "Hypothesis -> cases that do not meet it; their sum is at most assumption_not_met.", kSum),
      (sparse, ByName<SetCounts>, sets,
       "Of a claim about any selected tokens on real input: \"N largest weights\" and \"random "
       "set\" -> the cases in which these were selected."),
      (defaulted, std::optional<double>, max_ratio,
       "The largest lhs/rhs seen where rhs > 0; 1: attained, or nearer than doubles tell; above 1: "
       "violated; inf: violated with lhs > 0 and rhs <= 0. Of a case whose sides are not known to "
       "nine digits (a sampled expectation), the least that it can be. Null where there is none. "
       "Without unit.",
       {.measure = "max lhs/rhs"}),
      (defaulted, Counts, digits,
       "What decided -> cases: \"filter\" (double with an error bound), \"attained\" (what is "
       "known of the claim's own equality), \"50\", \"100\" or \"200\" digits, \"exact\" "
       "arithmetic.",
       kSum),
      (defaulted, Counts, families, "Family of generated inputs -> cases; empty on real input.",
       kSum),
      (defaulted, std::vector<std::uint64_t>, ratio_histogram,
       "Cases by lhs/rhs, as max_ratio has it: 20 equal bins over [0, 1], then one for what "
       "exceeds 1. Empty where there is no ratio.",
       {.elements = kRatioBins + 1, .joined = Joined::sum}),
      (defaulted, std::optional<CaseRecord>, worst, "The case of max_ratio, or null."),
      (defaulted, std::optional<CaseRecord>, smallest_witness,
       "The violation made as small as possible; on real input the worst, where that is not long; "
       "else the first one found; else null."),
      (defaulted, std::optional<CaseRecord>, first_undecided,
       "The first case that stayed open, or null."),
      (defaulted, std::vector<ClassRecord>, classes,
       "Classes of inputs that the search must meet; empty on real input."),
      (defaulted, std::vector<MutantRecord>, mutants,
       "Wrong versions of a proved claim, which the cases of the stage must tell from it; empty "
       "for refuted claims."),
      (defaulted, std::optional<TightnessRecord>, tightness,
       "Of a proved claim in the synthetic stage; else null."),
      (defaulted, std::uint64_t, regressions, "Kept cases that were decided before the search."),
      (defaulted, std::string, shrinking,
       "How smallest_witness was made small: \"3 steps, 17 attempts\". Empty where it was not."),
      (defaulted, std::string, seed,
       "The seed of the cases of this claim's search, an integer below 2^64; empty on real input.",
       {.pattern = "^[0-9]{0,20}$"}),
      (defaulted, std::string, replay, "The command that runs it again."));
};

}  // namespace attn::report
