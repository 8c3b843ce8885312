#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/enum_words.h"
#include "base/error.h"

namespace coffer::mounts {

/// What a step does, with the words for a sentence about it; those that may take long come first.
enum class WriteStep : std::uint8_t { copy, removal, publication, rename, folder, versions };
constexpr auto words_of(WriteStep) {
  return enum_words<WriteStep>({{WriteStep::copy, "a copy"},
                                {WriteStep::removal, "a deletion"},
                                {WriteStep::publication, "an upload"},
                                {WriteStep::rename, "a renaming"},
                                {WriteStep::folder, "a new folder"},
                                {WriteStep::versions, "a change of versions"}});
}

/// Keeps writes away from an account's own files while these are being moved. Writers ask at two
/// points: when an operation begins, which may have several steps, and before each step. Safe from
/// any thread.
class WriteGate : public std::enable_shared_from_this<WriteGate> {
 public:
  enum class State : std::uint8_t {
    open,
    closing,  ///< No operation may begin; those under way may go on.
    closed,   ///< No step may begin either.
  };
  /// What is under way; ended by its destructor. Keeps the gate alive.
  using Pass = std::shared_ptr<void>;

  WriteGate() = default;
  WriteGate(const WriteGate&) = delete;
  WriteGate& operator=(const WriteGate&) = delete;

  /// `unready` unless the gate is open, with a sentence for the one who writes.
  Result<Pass> begin_operation();
  /// `unready` if the gate is closed. Whoever sees the gate closed and no steps knows that none is
  /// under way.
  Result<Pass> begin_step(WriteStep step);

  void set(State state) { state_ = state; }
  std::size_t operations() const { return operations_; }
  /// Returns the first of the steps that are under way, in the order of WriteStep.
  std::optional<WriteStep> step_under_way() const;

 private:
  Result<Pass> enter(std::atomic<std::size_t>& count, State last_open);

  std::atomic<State> state_ = State::open;
  std::atomic<std::size_t> operations_ = 0;
  std::array<std::atomic<std::size_t>, words_of(WriteStep()).size()> steps_{};
};

/// Returns the error of a write to files that are being moved.
std::unexpected<Error> files_are_moving();

}  // namespace coffer::mounts
