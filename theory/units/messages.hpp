#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace attn::units {

/// What one process of a run tells another.
enum class MessageKind {
  hello,        ///< to rank 0: who I am
  task,         ///< from rank 0: compute this unit
  result,       ///< to rank 0: what the unit came to, to be kept
  result_once,  ///< to rank 0: what the unit came to, not to be kept
  refused,      ///< to rank 0: bad input ended me, with the line that says so
  failed,       ///< to rank 0: an error of ours did
  stop,         ///< from rank 0: no more
  bye,          ///< to rank 0, in answer: I have ended my part
};

struct Message {
  unsigned rank;  ///< the rank of the sender
  MessageKind kind;
  std::uint64_t unit;  ///< the unit that a task or a result is of
  std::string text;
};

/// The processes of one run, and what they tell each other. Used by one thread.
class Messages {
 public:
  Messages() = default;
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  virtual ~Messages() = default;

  [[nodiscard]] virtual unsigned rank() const = 0;   ///< the rank of this process, from 0
  [[nodiscard]] virtual unsigned count() const = 0;  ///< how many processes there are; at least 1

  /// Does not wait for the other side. Messages to one rank arrive in their order.
  virtual void send(unsigned to, MessageKind kind, std::uint64_t unit, std::string text) = 0;

  void send(unsigned to, MessageKind kind, std::string text = {}) {
    send(to, kind, 0, std::move(text));
  }

  /// A message that has arrived; nothing where there is none.
  std::optional<Message> receive();
  /// Waits for a message.
  Message wait();

  /// Whether rank 0 has said stop.
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }

 private:
  virtual std::optional<Message> next() = 0;

  bool is_stopped_{false};
};

/// A run of one process.
class Alone : public Messages {
 public:
  [[nodiscard]] unsigned rank() const override { return 0; }
  [[nodiscard]] unsigned count() const override { return 1; }
  void send(unsigned, MessageKind, std::uint64_t, std::string) override {}

 private:
  std::optional<Message> next() override { return {}; }
};

/// Ends the part of this process in the run: rank 0 stops the others and waits until they have
/// ended; they wait for that. Nothing is said afterwards.
void part(Messages& messages);

}  // namespace attn::units
