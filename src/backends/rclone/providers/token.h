#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace coffer::rclone {

/// The OAuth token of a drive, in the form of rclone's configuration (JSON with `access_token`,
/// `refresh_token` and `expiry`); empty for a drive without a token. Safe from any thread.
///
/// rclone renews the token shortly before it expires, or when the drive refuses it. rclone keeps
/// the new token only in its memory, so Coffer has to ask rclone for it.
class Token {
 public:
  explicit Token(std::string text);

  std::string text() const;

  /// Returns true if the caller should ask rclone whether it has renewed the token. Returns false
  /// if there is no token. Otherwise returns true if one of these is true:
  /// - the token is about to expire,
  /// - `failed` is true: a request to the drive has failed,
  /// - this function last returned true more than a few seconds ago.
  bool may_be_renewed(bool failed, Timestamp at = now());

  /// `text` is the token that rclone has now. If rclone has renewed the token, stores `text` and
  /// returns true. If rclone has only marked a refused token as expired, returns false.
  bool renew(std::string_view text);

  /// Replaces the token by `text`, the token from DriveOptions::stored_token, and returns true.
  /// Returns false and keeps the current token if:
  /// - there is no current or no stored token,
  /// - both are equal,
  /// - the stored token expires earlier.
  bool take_stored(std::string text);

 private:
  void take(std::string text);

  mutable std::mutex mutex_;
  std::string text_;
  std::optional<Timestamp> expires_at_ = {};  ///< Unset if the token does not expire.
  Timestamp looked_at_{};
};

}  // namespace coffer::rclone
