#include "api/answer_room.h"

#include <chrono>
#include <utility>
#include <variant>

namespace coffer::api {

AnswerRoom::AnswerRoom(std::uint64_t most_bytes, std::uint64_t most_bytes_of_holder)
    : state_(new State{most_bytes, most_bytes_of_holder, {}, 0, {}}) {}

AnswerRoom::Share::Share(std::shared_ptr<State> state, std::string holder)
    : state_(std::move(state)), holder_(std::move(holder)) {}

AnswerRoom::Share::~Share() {
  if (bytes_ == 0) return;
  const std::lock_guard lock(state_->mutex);
  state_->taken -= bytes_;
  const auto held = state_->taken_by.find(holder_);
  held->second -= bytes_;
  if (held->second == 0) state_->taken_by.erase(held);
}

bool AnswerRoom::Share::grow(std::uint64_t bytes) {
  if (bytes == 0) return true;
  const std::lock_guard lock(state_->mutex);
  std::uint64_t& held = state_->taken_by[holder_];
  const bool is_only_one = held == bytes_;
  const bool fits = held + bytes <= state_->most_of_holder && state_->taken + bytes <= state_->most;
  if (!is_only_one && !fits) return false;
  held += bytes;
  state_->taken += bytes;
  bytes_ += bytes;
  return true;
}

std::shared_ptr<AnswerRoom::Share> AnswerRoom::begin(std::string holder) const {
  return std::make_shared<Share>(state_, std::move(holder));
}

Result<void> AnswerRoom::hold(std::string holder, http::Response& response) const {
  const auto* const body = std::get_if<std::string>(&response.body);
  if (!body || body->size() <= kSmallBytes) return {};
  auto share = begin(std::move(holder));
  if (!share->grow(body->size())) return no_answer_room();
  response.held = std::move(share);
  return {};
}

std::unexpected<Error> no_answer_room() {
  constexpr std::chrono::seconds kRetryAfter{1};
  return std::unexpected(Error{ErrorCode::overloaded,
                               "Too many large answers are being sent to you at once. Receive them "
                               "first, or request smaller ones.",
                               kRetryAfter});
}

}  // namespace coffer::api
