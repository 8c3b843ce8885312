#include "backends/rclone/providers/token.h"

#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "backends/rclone/engine/json_members.h"
#include "backends/rclone/engine/rfc3339.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

constexpr auto kIsRenewedBefore = std::chrono::minutes(2);
constexpr auto kIsLookedAtEvery = std::chrono::seconds(5);

json::object members_of(std::string_view text) {
  boost::system::error_code error;
  json::value parsed = json::parse(text, error);
  return parsed.is_object() ? std::move(parsed.get_object()) : json::object();
}

/// Go writes the year 1 where there is none, which a Timestamp does not hold.
std::optional<Timestamp> expiry_of(std::string_view text) {
  return parse_rfc3339(text_in(members_of(text), "expiry"));
}

bool is_same_login(std::string_view one, std::string_view other) {
  return text_in(members_of(one), "access_token") == text_in(members_of(other), "access_token");
}

}  // namespace

Token::Token(std::string text) {
  take(std::move(text));
}

void Token::take(std::string text) {
  expires_at_ = expiry_of(text);
  text_ = std::move(text);
}

std::string Token::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

bool Token::may_be_renewed(bool failed, Timestamp at) {
  const std::lock_guard lock(mutex_);
  if (text_.empty()) return false;
  const bool runs_out = expires_at_ && at + kIsRenewedBefore >= *expires_at_;
  // The clock may have been set back.
  const bool was_looked_at = looked_at_ <= at && at - looked_at_ < kIsLookedAtEvery;
  if (!failed && !runs_out && was_looked_at) return false;
  looked_at_ = at;
  return true;
}

bool Token::renew(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (text.empty() || is_same_login(text, text_)) return false;
  take(std::string(text));
  return true;
}

bool Token::take_stored(std::string text) {
  const std::lock_guard lock(mutex_);
  if (text_.empty() || text.empty() || text == text_) return false;
  const auto expires_at = expiry_of(text);
  if (expires_at && expires_at_ && *expires_at < *expires_at_) return false;
  take(std::move(text));
  return true;
}

}  // namespace coffer::rclone
