#pragma once

#include <string>
#include <string_view>

/// Checks credentials in JSON. The checks are strict for two reasons. First, rclone ignores the
/// case of keys, so it might use a member that a lax check overlooks. Second, if rclone considers
/// a Google Cloud token malformed, it logs in with the identity of this machine.
namespace coffer::rclone {

/// Returns an empty text if the OAuth token is valid. Otherwise returns the end of a sentence that
/// begins with "Give the option X " and says how the token must look.
std::string fault_of_token(std::string_view text);

/// Returns an empty text if the key of a Google service account is valid. Otherwise returns the end
/// of a sentence that begins with "Give the option X " and says how the key must look.
std::string fault_of_service_account(std::string_view text);

/// Returns the email address in a service account's key; empty if the key is not valid.
std::string email_of_service_account(std::string_view text);

}  // namespace coffer::rclone
