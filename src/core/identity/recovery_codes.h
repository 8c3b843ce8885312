#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "catalog/credential.h"
#include "core/connectors/sealer.h"

/// Recovery codes: each opens an account once in the place of what shows codes or of a passkey.
namespace coffer::core {

inline constexpr std::size_t kRecoveryCodes = 10;

/// Returns kRecoveryCodes new codes of 50 bits.
std::vector<std::string> new_recovery_codes();
/// Returns the codes as people read them: in two groups.
std::vector<std::string> shown_recovery_codes(std::vector<std::string> codes);
/// Returns the code as it was made, of one that was typed; empty if it can be none.
std::string typed_recovery_code(std::string_view typed);

/// Returns what the catalog stores of the account's codes, and nobody can try out without the key.
catalog::SecretHash hash_of_recovery_code(const Sealer& sealer, AccountId account,
                                          std::string_view code);
std::vector<catalog::SecretHash> hashes_of_recovery_codes(const Sealer& sealer, AccountId account,
                                                          const std::vector<std::string>& codes);

}  // namespace coffer::core
