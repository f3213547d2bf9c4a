#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/claim_record.hpp"
#include "reports/record/fields.hpp"
#include "reports/record/measurements.hpp"
#include "reports/record/words.hpp"
#include "theory/base/build_info.hpp"

namespace attn::report {

// report.json, schema 1, as records. What a field means stands in the table of its record.

struct Shard {
  ATTN_RECORD(Shard, "shard", "One part of a search, or of a run over windows.",
              (required, unsigned, index, "Which one, counted from 1.", {.limits = kFromOne}),
              (required, unsigned, count, "Of how many.", {.limits = kFromOne}));
};

struct ModelRecord {
  ATTN_RECORD(ModelRecord, "model", "A model, or the recording of one.",
              (required, std::string, name, "Its name."),
              (required, std::string, sha256,
               "SHA-256 of its weights or of the recording, in hexadecimal.",
               {.pattern = kSha256Pattern}));
};

struct StageTime {
  ATTN_RECORD(StageTime, "stage_time", "How long one stage of a run took, on one input.",
              (required, Stage, stage, "Which stage."),
              (sparse, std::string, input, "Of real input: which one. Absent of a search."),
              (required, double, seconds, "How long it took, in seconds; of shards the sum."));
};

struct RunInfo : BuildInfo {
  ATTN_RECORD(RunInfo, "provenance", "What was run, on what, with what.",
              (required, , version, "Version of the project."),
              (required, , commit,
               "The commit that was built, in hexadecimal; \"unknown\" outside a checkout.",
               {.pattern = "^([0-9a-f]{40}|unknown)$"}),
              (required, , dirty,
               "Whether the tree had changes when it was built, or its commit is unknown."),
              (required, , compiler, "Compiler and its version."),
              (required, , flags, "What it was given."),
              (sparse, std::string, processor,
               "The processor that it ran on: its family, the vectors used, its name. Here and "
               "below, of reports joined from several machines a list."),
              (required, , libraries,
               "Library -> version; LibTorch's with the vectors that its kernels use."),
              (required, std::string, blas,
               "The BLAS of the forward pass; empty where the stage uses none."),
              (required, unsigned, threads, "Threads at most, of all ranks together."),
              (sparse, std::optional<std::uint64_t>, ranks,
               "Processes that shared the run (MPI ranks), where there were several."),
              (required, std::uint64_t, seed, "The seed of the run, below 2^64."),
              (required, Effort, effort,
               "How much was searched; empty on real input, where nothing is drawn."),
              (sparse, std::optional<std::uint64_t>, cases,
               "Cases of each claim, where so many were asked for."),
              (required, std::string, started, "When the run started: UTC, ISO 8601.",
               {.pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}),
              (required, double, seconds,
               "How long it took, in seconds; of merged reports the sum."),
              (sparse, std::vector<StageTime>, times,
               "Of merged reports of several stages or inputs: how long each took."),
              (required, ModelRecord, model,
               "The model that was run; both fields are empty where the stage has none."),
              (required, std::string, text_sha256,
               "SHA-256 of the text that the model read; empty where there is none.",
               {.pattern = kSha256Pattern}),
              (sparse, std::optional<Shard>, shard,
               "Which part of the run this report is of; absent where it is of the whole."));
};

struct ComparisonRecord {
  ATTN_RECORD(ComparisonRecord, "comparison",
              "A sharp or repaired bound beside the printed one, over the same cases. tighter + "
              "as_tight + looser <= cases.",
              (required, std::string, sharp, "Id of the sharp claim."),
              (required, std::string, printed, "Id of the printed one."),
              (sparse, std::string, input,
               "Of real input: which one. Absent of the cases of a search."),
              (required, std::uint64_t, cases, "Cases with a ratio for each.", counted("cases")),
              (required, std::uint64_t, tighter,
               "Cases where the sharp bound is certainly tighter.", counted("tighter")),
              (required, std::uint64_t, as_tight, "Cases where the bounds are equal.",
               counted("as tight")),
              (required, std::uint64_t, looser, "Cases where the sharp bound is certainly looser.",
               counted("looser")),
              (required, double, median_sharp,
               "Median of lhs/rhs for the sharp bound; of real input within 1/256 of itself.",
               {.measure = "median lhs/rhs"}),
              (required, double, median_printed, "The same for the printed one.",
               {.measure = "median of the printed"}));
};

struct Bucket {
  ATTN_RECORD(Bucket, "bucket", "How many values lie about one.",
              (required, double, at, "The middle of the bucket."),
              (required, std::uint64_t, count, "Values in it."));
};

struct WindowComparison : ComparisonRecord {
  std::vector<Bucket> sharp_ratios{}, printed_ratios{};

  using Self = WindowComparison;
  static constexpr std::string_view kName = "window_comparison";
  static constexpr std::string_view kMeaning = "A comparison in one window.";
  static constexpr auto fields() {
    return joined(ComparisonRecord::fields(),
                  field_table(required("sharp_ratios", &Self::sharp_ratios,
                                       "lhs/rhs of the sharp bound over its cases."),
                              required("printed_ratios", &Self::printed_ratios,
                                       "The same of the printed one.")));
  }
};

/// What one window of a text showed: all that a report over several takes of it.
struct WindowResult {
  std::uint64_t window{1};
  ATTN_RECORD(WindowResult, "window_result", "What one window of a text showed.",
              (required, , window, "Which one, counted from 1.", {.limits = kFromOne}),
              (required, std::vector<ClaimRecord>, claims, "One record for each claim."),
              (required, std::vector<WindowComparison>, comparisons, "As in a report."),
              (required, Measurements, measured, "As in a report of this window alone."),
              (required, std::vector<std::vector<double>>, by_head,
               "The numbers of each head behind the spreads of the figures, in their order, then "
               "behind each statement of the abstract and its points. Empty where there is none."),
              (sparse, std::vector<std::string>, vectors, "As in a report."));
};

/// The windows of a shard, which stay in its report.json: a book has more than fit in memory.
struct KeptWindows {
  std::filesystem::path file{};
  std::vector<std::uint64_t> offsets{};  ///< in the file: where the object of each begins

  [[nodiscard]] bool empty() const { return offsets.empty(); }
};

struct NormalizerRecord {
  ATTN_RECORD(NormalizerRecord, "normalizer", "One normaliser.",
              (required, std::string, name, "Its name."),
              (required, std::string, definition, "Its formula."),
              (required, std::string, constant, "Its sharp Lipschitz constant."),
              (required, std::string, breaks,
               "What of the paper's assumptions it breaks; empty where nothing."),
              (required, std::string, claim,
               "Id of the claim about its constant; empty where there is none."));
};

struct CatalogueClaim {
  ATTN_RECORD(CatalogueClaim, "catalogue_claim", "A claim that a report must have.",
              (required, std::string, id, "Its id.", {.pattern = "."}),
              (required, std::string, title, "The claim in a few words."),
              (required, Status, status, "What mathematics says of the claim."),
              (required, bool, on_rows,
               "Whether it speaks of rows of attention alone: then a stage of real input must have "
               "it too."));
};

struct CatalogueRecord {
  ATTN_RECORD(
      CatalogueRecord, "catalogue",
      "The claims that a report is about, in their order, where they are not those of the paper.",
      (required, std::string, name, "What the claims are called."),
      (required, std::string, eval,
       "The command that decides cases of these claims, before the name of a file of them.",
       {.pattern = "."}),
      (required, std::vector<CatalogueClaim>, claims, "Each claim."));
};

struct PartRecord {
  ATTN_RECORD(PartRecord, "part", "A unit of work of a shard.",
              (required, std::string, unit, "Which one. Once in all shards.", {.pattern = "."}),
              (required, std::string, result, "What it came to: JSON, which the joining reads."));
};

struct Report {
  RunInfo provenance{};
  std::optional<CatalogueRecord> catalogue{};
  std::vector<ClaimRecord> claims{};
  std::vector<ComparisonRecord> comparisons{};
  std::vector<NormalizerRecord> normalizers{};
  std::vector<Measurements> inputs{};  ///< real ones
  std::vector<PartRecord> parts{};
  KeptWindows windows{};
};

/// A report as report.json has it: the first input stands apart, and windows are written out.
struct ReportFile : Report {
  ATTN_RECORD(
      ReportFile, "report",
      "What the programs properties and gpt2_check write and the program report reads. Further "
      "fields are welcome. Counts are integers below 2^64; numbers that must not lose digits are "
      "strings.",
      (required, , provenance, "What was run, on what, with what."),
      (sparse, , catalogue, "The catalogue of the claims; absent where it is the paper's own."),
      (required, , claims,
       "One record for each claim, stage and input: claims in the order of the catalogue, then "
       "stages, then inputs."),
      (defaulted, , comparisons,
       "Sharp or repaired bounds beside the printed ones, decided on the same cases: of the search "
       "and of each real input."),
      (defaulted, , normalizers, "How logits may become weights."),
      (sparse, std::optional<Measurements>, gpt2,
       "What was measured on real attention: plain double arithmetic, not certified. Absent or "
       "null without such a stage."),
      (sparse, std::vector<Measurements>, further_inputs,
       "The same of each further input, where the report has several."),
      (sparse, , parts,
       "Of a shard: the units of work that fell to it, which `report merge` makes records of."),
      (sparse, std::vector<std::string>, vectors,
       "Vectors of the cases, each once and in one text: exact numbers with spaces between them, "
       "integers (\"-3\"), integers times a power of two (\"-3p-24\" is -3 times 2 to the power of "
       "-24), decimals and quotients. `report case` prints cases whole.",
       {.pattern = "^-?[0-9]"}),
      (sparse, std::vector<WindowResult>, window_results,
       "Of a shard of a run over windows: what each of its windows showed, in place of claims and "
       "of what was measured.",
       {.name = "windows"}));
};

/// Where cases are from: a stage and, of real input, which one.
struct Source {
  Stage stage{};
  std::string input{};
  // NOLINTNEXTLINE(modernize-use-nullptr): a defaulted comparison compares with 0, not this code
  auto operator<=>(const Source&) const = default;
};

Source source_of(const ClaimRecord& record);

/// The sources that left a record: stages in their order, the inputs of each as the report has
/// them.
std::vector<Source> sources_of(const Report& report);

/// "synthetic", "gpt2, tiny".
std::string source_words(const Source& source);

/// The processes of one run.
struct Processes {
  unsigned ranks{1};
  unsigned threads{1};       ///< at most, of all ranks together
  std::string processors{};  ///< the processors that the processes run on
};

/// What is known when a run starts: what build_info() tells, by whom, and the time. `blas` names
/// the BLAS in use, empty where the stage uses none; a stage adds libraries of its own, its model,
/// its text and the seconds it took.
RunInfo collect_provenance(std::uint64_t seed, Effort effort, const Processes& processes,
                           std::string blas = {});

/// More shards than this are a slip of the hand.
inline constexpr unsigned kMostShards = 1000;

/// The shard of "K/N". Throws BadInput unless 1 <= K <= N <= kMostShards.
Shard shard_from(std::string_view text);

}  // namespace attn::report
