#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// The layers of a source for who asks for one after the other: a thread of its own visits them,
/// and is one layer ahead.
class LayerStream {
 public:
  LayerStream(std::unique_ptr<ActivationSource> source, Embedding embedding);
  /// Leaves the layers that nobody asked for.
  ~LayerStream();
  LayerStream(const LayerStream&) = delete;
  LayerStream& operator=(const LayerStream&) = delete;

  /// The next layer. Throws what the source throws, and std::logic_error after the last one.
  LayerRows next();

  /// Its shape and names, which no visit changes.
  [[nodiscard]] const ActivationSource& source() const { return *source_; }

 private:
  void visit(Embedding embedding);
  void hand_over(const LayerRows& rows);

  std::unique_ptr<ActivationSource> source_;
  std::mutex guard_;
  std::condition_variable changed_;
  bool is_wanted_{false}, has_ended_{false}, is_stopped_{false};
  std::optional<LayerRows> layer_;
  std::exception_ptr failure_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace attn::gpt2
