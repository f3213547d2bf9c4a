#include "theory/units/team.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "theory/base/bad_input.hpp"
#include "theory/base/processor.hpp"

namespace attn::units {

Workers::Workers(unsigned threads, const Compute& compute) : compute_(compute) {
  for (unsigned t = 0; t < threads; ++t) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

Workers::~Workers() {
  const std::lock_guard lock(guard_);
  waiting_.clear();
}

void Workers::begin(std::uint64_t id, std::string input) {
  const std::lock_guard lock(guard_);
  waiting_.push_back({id, std::move(input)});
  has_work_.notify_one();
}

std::optional<Finished> Workers::finished(std::chrono::milliseconds patience) {
  std::unique_lock lock(guard_);
  if (!has_result_.wait_for(lock, patience, [&] { return !finished_.empty(); })) return {};
  Finished first = std::move(finished_.front());
  finished_.pop_front();
  return first;
}

void Workers::work(const std::stop_token& stop) {
  std::unique_lock lock(guard_);
  while (has_work_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    const Waiting unit = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    Finished result = computed(unit);
    lock.lock();
    finished_.push_back(std::move(result));
    has_result_.notify_one();
  }
}

Finished Workers::computed(const Waiting& unit) const {
  try {
    return {unit.id, compute_(unit.input), nullptr};
  } catch (...) {
    return {unit.id, {}, std::current_exception()};
  }
}

namespace {

using namespace std::chrono_literals;

/// Throws what ended another rank.
[[noreturn]] void rethrow(const Message& message) {
  const std::string what = fmt::format("rank {}: {}", message.rank, message.text);
  if (message.kind == MessageKind::refused) {
    throw BadInput({.kind = BadInputKind::inconsistent, .where = what});
  }
  throw std::runtime_error(what);
}

/// Tells rank 0 what ended a unit here.
void send_failure(Messages& messages, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const BadInput& error) {
    messages.send(0, MessageKind::refused, error.what());
  } catch (const std::exception& error) {
    messages.send(0, MessageKind::failed, error.what());
  }
}

/// Rank 0 at work on one plan.
class Leader {
 public:
  Leader(Messages& messages, const Plan& plan, ResultJournal& parts, const Compute& compute,
         std::vector<unsigned> idle)
      : messages_(messages),
        plan_(plan),
        parts_(parts),
        idle_(std::move(idle)),
        workers_(idle_.front(), compute) {}

  void work() {
    while (true) {
      hand_out();
      if (begun_.empty()) return;
      // Who is alone has no messages to look for meanwhile.
      const auto patience = messages_.count() == 1 ? 1000ms : 1ms;
      if (auto finished = workers_.finished(patience)) {
        if (finished->failure) std::rethrow_exception(finished->failure);
        take(0, finished->id, finished->result);
      }
      while (auto message = messages_.receive()) take(*std::move(message));
    }
  }

 private:
  /// Gives every idle rank a unit, as far as there are some.
  void hand_out() {
    for (unsigned rank = next_idle(); rank < idle_.size();) {
      auto unit = plan_.next();
      if (!unit) return;
      if (parts_.has(unit->name)) {
        plan_.take(*unit, parts_.result(unit->name));
        continue;
      }
      begin(rank, *std::move(unit));
      rank = next_idle();
    }
  }

  /// The rank with the most idle places; the number of ranks where none has any.
  [[nodiscard]] unsigned next_idle() const {
    const auto most = std::ranges::max_element(idle_);
    return static_cast<unsigned>((*most == 0 ? idle_.end() : most) - idle_.begin());
  }

  void begin(unsigned rank, Unit unit) {
    --idle_[rank];
    if (rank == 0) {
      workers_.begin(next_id_, unit.input);
    } else {
      messages_.send(rank, MessageKind::task, next_id_, unit.input);
    }
    begun_.emplace(next_id_++, std::move(unit));
  }

  void take(unsigned rank, std::uint64_t id, const Result& result) {
    ++idle_[rank];
    const auto unit = begun_.extract(id);
    if (result.is_kept) parts_.keep(unit.mapped().name, result.text);
    plan_.take(unit.mapped(), result.text);
  }

  void take(Message message) {
    switch (message.kind) {
      case MessageKind::result:
      case MessageKind::result_once:
        take(message.rank, message.unit,
             {std::move(message.text), message.kind == MessageKind::result});
        return;
      case MessageKind::refused:
      case MessageKind::failed:
        rethrow(message);
      case MessageKind::hello:
      case MessageKind::task:
      case MessageKind::stop:
      case MessageKind::bye:
        break;
    }
    throw std::logic_error("a message that rank 0 does not take while it leads");
  }

  Messages& messages_;
  const Plan& plan_;
  ResultJournal& parts_;
  std::vector<unsigned> idle_;  ///< places, by rank
  std::map<std::uint64_t, Unit> begun_{};
  std::uint64_t next_id_{0};
  Workers workers_;
};

}  // namespace

Team::Team(Messages& messages, unsigned at_a_time, const Identity& identity,
           unsigned threads_of_unit)
    : messages_(messages),
      at_a_time_(messages.count()),
      threads_(messages.count()),
      processors_(messages.count()) {
  const unsigned threads = at_a_time * threads_of_unit;
  at_a_time_[messages.rank()] = at_a_time;
  threads_[messages.rank()] = threads;
  processors_[messages.rank()] = processor();
  if (!leads()) {
    const nlohmann::json hello = {{"at_a_time", at_a_time},
                                  {"threads", threads},
                                  {"processor", processor()},
                                  {"identity", to_text(identity)}};
    messages_.send(0, MessageKind::hello, hello.dump());
    return;
  }
  for (unsigned missing = messages.count() - 1; missing > 0; --missing) {
    meet(messages_.wait(), identity);
  }
}

void Team::meet(const Message& hello, const Identity& ours) {
  if (hello.kind != MessageKind::hello) rethrow(hello);
  const auto said = nlohmann::json::parse(hello.text);
  const auto theirs = identity_from(said.at("identity"));
  if (const auto other = difference(ours, theirs.value())) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = fmt::format("rank {}: {}", hello.rank, other->name),
                    .expected = fmt::format("that of rank 0, {}", in_quotes(other->ours)),
                    .found = in_quotes(other->theirs),
                    .advice = "start every rank with the same program, arguments and input"});
  }
  at_a_time_[hello.rank] = said.at("at_a_time");
  threads_[hello.rank] = said.at("threads");
  processors_[hello.rank] = said.at("processor");
}

unsigned Team::threads() const {
  return std::accumulate(threads_.begin(), threads_.end(), 0U);
}

std::string Team::processors() const {
  std::vector<std::string> each;
  for (const std::string& name : processors_) {
    if (std::ranges::find(each, name) == each.end()) each.push_back(name);
  }
  return fmt::format("{}", fmt::join(each, "; "));
}

void Team::lead(const Plan& plan, ResultJournal& parts, const Compute& compute) {
  Leader(messages_, plan, parts, compute, at_a_time_).work();
}

void Team::follow(const Compute& compute) {
  Workers workers(at_a_time_[messages_.rank()], compute);
  while (!messages_.is_stopped()) {
    while (auto message = messages_.receive()) {
      if (message->kind == MessageKind::task) workers.begin(message->unit, message->text);
    }
    auto finished = workers.finished(1ms);
    if (!finished) continue;
    if (finished->failure) {
      send_failure(messages_, finished->failure);
    } else {
      const auto kind = finished->result.is_kept ? MessageKind::result : MessageKind::result_once;
      messages_.send(0, kind, finished->id, std::move(finished->result.text));
    }
  }
}

InOrder::InOrder(std::vector<Unit> units, const ResultJournal& parts, Take take)
    : units_(std::move(units)), parts_(parts), take_(std::move(take)) {}

Plan InOrder::plan() {
  return {.next = [this]() -> std::optional<Unit> {
            if (begun_ == units_.size()) return std::nullopt;
            return units_[begun_++];
          },
          .take =
              [this](const Unit& unit, std::string text) {
                if (parts_.has(unit.name)) text.clear();
                early_.emplace(unit.name, std::move(text));
                take_all_ready();
              }};
}

void InOrder::take_all_ready() {
  while (taken_ < units_.size()) {
    const std::string& name = units_[taken_].name;
    auto ready = early_.extract(name);
    if (ready.empty()) return;
    take_(taken_++, parts_.has(name) ? parts_.result(name) : std::move(ready.mapped()));
  }
}

}  // namespace attn::units
