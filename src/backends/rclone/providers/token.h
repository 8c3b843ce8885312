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
/// the new token only in its memory.
class Token {
 public:
  explicit Token(std::string text);

  std::string text() const;

  /// Returns true if the caller should ask rclone whether it has renewed the token. Since that
  /// takes a call, it is worthwhile only if:
  /// - the token is about to expire,
  /// - a request to the drive `failed`,
  /// - this function last returned true some seconds ago.
  bool may_be_renewed(bool failed, Timestamp at = now());

  /// Takes the token that rclone has now. Returns true if rclone has renewed the token, not if it
  /// only marked a refused token as expired.
  bool renew(std::string_view text);

  /// Takes the stored token. Returns false and keeps the current token if either is empty, both are
  /// equal, or the stored one expires earlier.
  bool take_stored(std::string text);

 private:
  void take(std::string text);

  mutable std::mutex mutex_;
  std::string text_;
  std::optional<Timestamp> expires_at_ = {};  ///< Unset if it does not expire.
  Timestamp looked_at_{};
};

}  // namespace coffer::rclone
