#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace coffer::rclone {

/// The OAuth token of a drive, as rclone's configuration has it (JSON: `access_token`,
/// `refresh_token`, `expiry`); empty for a drive that needs none. Safe from any thread.
///
/// rclone gets a new one shortly before the old one runs out, or when that is refused, and knows
/// it in its memory alone.
class Token {
 public:
  explicit Token(std::string text);

  std::string text() const;

  /// True if rclone may have renewed the token. Asking for it is a call of its own, so it is done
  /// when the token is about to expire, when a request to the drive `failed`, or a while after this
  /// last returned true.
  bool may_be_renewed(bool failed, Timestamp at = now());

  /// Takes the token that rclone has now; true if it is another one. rclone also marks a token that
  /// was refused as expired.
  bool renew(std::string_view text);

  /// Takes the stored token; true if it is another one that may be tried: not one that was stored
  /// before rclone renewed its own.
  bool take_stored(std::string text);

 private:
  void take(std::string text);

  mutable std::mutex mutex_;
  std::string text_;
  std::optional<Timestamp> expires_at_ = {};  ///< Unset if it does not expire.
  Timestamp looked_at_{};
};

}  // namespace coffer::rclone
