#pragma once

#include <string>
#include <string_view>

/// Credentials that are JSON. Checked so strictly that rclone's own reader, which takes keys in any
/// case, cannot find anything else in them: where it finds a Google Cloud token broken, it logs in
/// as this machine.
namespace coffer::rclone {

/// Returns the fault of an OAuth token, as the end of a sentence; empty if there is none.
std::string fault_of_token(std::string_view text);

/// The same for the key of a Google service account.
std::string fault_of_service_account(std::string_view text);

/// Returns the account that a key names; empty if it names none.
std::string email_of_service_account(std::string_view text);

}  // namespace coffer::rclone
