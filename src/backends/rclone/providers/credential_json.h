#pragma once

#include <string>
#include <string_view>

/// Credentials that are JSON. Checked so strictly that rclone's own reader, which takes keys in any
/// case, cannot find anything else in them: where it finds a Google Cloud token broken, it logs in
/// as this machine.
namespace coffer::rclone {

/// What is wrong with an OAuth token, as `fault_of` says it; empty if nothing is.
std::string fault_of_token(std::string_view text);

/// What is wrong with the key of a Google service account, as `fault_of` says it.
std::string fault_of_service_account(std::string_view text);

/// Whose key it is, as it says; empty for what is none.
std::string email_of_service_account(std::string_view text);

}  // namespace coffer::rclone
