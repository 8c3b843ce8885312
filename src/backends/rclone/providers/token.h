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

  /// Whether rclone may have got another by now: asking for it is a call of its own, so that it is
  /// done when the token is about to run out, when what was asked of the drive `failed`, or when
  /// this last said yes a while ago.
  bool may_be_renewed(bool failed, Timestamp at = now());

  /// What rclone has now; true if that is another login. rclone also notes a token that was
  /// refused, as one that has run out.
  bool renew(std::string_view text);

  /// What is stored now; true if it is another that may be tried: not one that was stored before
  /// rclone got its own.
  bool take_stored(std::string text);

 private:
  void take(std::string text);

  mutable std::mutex mutex_;
  std::string text_;
  std::optional<Timestamp> expires_at_ = {};  ///< Nothing if it does not run out.
  Timestamp looked_at_{};
};

}  // namespace coffer::rclone
