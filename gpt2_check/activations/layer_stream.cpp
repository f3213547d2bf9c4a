#include "gpt2_check/activations/layer_stream.hpp"

#include <stdexcept>
#include <utility>

#include "gpt2_check/parallel/parallel.hpp"

namespace attn::gpt2 {
namespace {

/// Thrown through a visit that nobody waits for any more.
struct Stopped {};

}  // namespace

LayerStream::LayerStream(std::unique_ptr<ActivationSource> source, Embedding embedding)
    : source_(std::move(source)), thread_([this, embedding] { visit(embedding); }) {}

LayerStream::~LayerStream() {
  const std::lock_guard lock(guard_);
  is_stopped_ = true;
  changed_.notify_all();
}

LayerRows LayerStream::next() {
  std::unique_lock lock(guard_);
  is_wanted_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return layer_ || has_ended_; });
  if (!layer_ && failure_) std::rethrow_exception(failure_);
  if (!layer_) throw std::logic_error("asked for a layer after the last one");
  LayerRows rows = *std::move(layer_);
  layer_.reset();
  return rows;
}

void LayerStream::visit(Embedding embedding) {
  one_thread();
  std::exception_ptr failure;
  try {
    source_->for_each_layer(embedding, [this](const LayerRows& rows) { hand_over(rows); });
  } catch (const Stopped&) {
    return;
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(guard_);
  failure_ = failure;
  has_ended_ = true;
  changed_.notify_all();
}

void LayerStream::hand_over(const LayerRows& rows) {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return is_wanted_ || is_stopped_; });
  if (is_stopped_) throw Stopped();
  is_wanted_ = false;
  layer_ = rows;
  changed_.notify_all();
}

}  // namespace attn::gpt2
