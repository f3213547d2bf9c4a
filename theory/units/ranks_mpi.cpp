// The ranks of a program that was built with MPI.
#include <fmt/format.h>
#include <mpi.h>

#include <limits>
#include <list>
#include <stdexcept>

#include "theory/base/bad_input.hpp"
#include "theory/base/launched.hpp"
#include "theory/base/words.hpp"
#include "theory/units/ranks.hpp"

namespace attn::units {

namespace {

/// A message goes as bytes, "unit text", with its kind as the tag.
class MpiRanks : public Messages {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    int rank = 0;
    int count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    rank_ = static_cast<unsigned>(rank);
    count_ = static_cast<unsigned>(count);
    if (provided >= MPI_THREAD_FUNNELED) return;
    MPI_Finalize();
    throw std::runtime_error("an MPI that allows no threads");
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override {
    for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned count() const override { return count_; }

  void send(unsigned to, MessageKind kind, std::uint64_t unit, std::string text) override {
    forget_arrived();
    Sent& sent = sent_.emplace_back(Sent{fmt::format("{} {}", unit, text), MPI_REQUEST_NULL});
    if (sent.bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw std::length_error("a message of more than 2 GiB");
    }
    MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_CHAR,
              static_cast<int>(to), static_cast<int>(kind), MPI_COMM_WORLD, &sent.request);
  }

 private:
  struct Sent {
    std::string bytes;
    MPI_Request request;
  };

  std::optional<Message> next() override {
    forget_arrived();
    int is_there = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    MPI_Recv(bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    const std::size_t space = bytes.find(' ');
    const auto unit = number_from<std::uint64_t>(std::string_view(bytes).substr(0, space));
    return Message{static_cast<unsigned>(status.MPI_SOURCE),
                   static_cast<MessageKind>(status.MPI_TAG), unit.value(), bytes.substr(space + 1)};
  }

  /// Lets go of the messages that are on their way by themselves.
  void forget_arrived() {
    std::erase_if(sent_, [](Sent& sent) {
      int is_done = 0;
      MPI_Test(&sent.request, &is_done, MPI_STATUS_IGNORE);
      return is_done != 0;
    });
  }

  unsigned rank_, count_;
  std::list<Sent> sent_{};
};

}  // namespace

std::unique_ptr<Messages> ranks_of_this_run() {
  const Launched self = launched();
  if (!self.is_launched) return std::make_unique<Alone>();
  auto ranks = std::make_unique<MpiRanks>();
  if (ranks->count() != self.count) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = "MPI",
                    .expected = fmt::format("the {} processes started together", self.count),
                    .found = fmt::format("{}", ranks->count()),
                    .advice = "start them by the mpirun of the MPI that this was built with, or by "
                              "srun --mpi=pmix"});
  }
  return ranks;
}

}  // namespace attn::units
