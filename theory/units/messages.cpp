#include "theory/units/messages.hpp"

#include <chrono>
#include <thread>

namespace attn::units {

namespace {

constexpr std::chrono::milliseconds kPause{1};

}  // namespace

std::optional<Message> Messages::receive() {
  std::optional<Message> message = next();
  if (message && message->kind == MessageKind::stop) is_stopped_ = true;
  return message;
}

Message Messages::wait() {
  while (true) {
    if (auto message = receive()) return *std::move(message);
    std::this_thread::sleep_for(kPause);
  }
}

void part(Messages& messages) {
  if (messages.rank() > 0) {
    while (!messages.is_stopped()) messages.wait();
    messages.send(0, MessageKind::bye);
    return;
  }
  for (unsigned rank = 1; rank < messages.count(); ++rank) messages.send(rank, MessageKind::stop);
  for (unsigned there = messages.count() - 1; there > 0;) {
    if (messages.wait().kind == MessageKind::bye) --there;
  }
}

}  // namespace attn::units
