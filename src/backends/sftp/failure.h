#pragma once

#include <cstdint>
#include <expected>

#include "base/error.h"

namespace coffer::sftp {

/// The status codes of SSH_FXP_STATUS (draft-ietf-secsh-filexfer-02, section 7). The codes
/// above 8 are from later drafts, but some servers of version 3 send them.
enum class Status : std::uint32_t {
  ok = 0,
  end_of_file = 1,
  no_such_file = 2,
  permission_denied = 3,
  failure = 4,
  bad_message = 5,
  no_connection = 6,
  connection_lost = 7,
  unsupported = 8,
  no_such_path = 10,
  already_exists = 11,
  write_protected = 12,
  no_space = 14,
  quota_exceeded = 15,
  not_a_folder = 19,
};

/// Returns the error for a status other than `ok`; `refused` if no other code fits.
std::unexpected<Error> fail_with(Status status);
/// Returns `refused`, for an open file of unknown size, which could be taken for an empty one.
std::unexpected<Error> fail_without_size();
/// Returns `unavailable`, the error for a connection that broke or could not be made.
std::unexpected<Error> fail_lost();
/// Returns `timed_out`, the error for a server that missed a deadline.
std::unexpected<Error> fail_late();
/// Returns `unavailable`, the error for a reply that the protocol does not allow.
std::unexpected<Error> fail_garbled();

}  // namespace coffer::sftp
