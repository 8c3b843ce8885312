#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"

namespace coffer::app {

using Texts = std::vector<std::string>;

/// A setting's value, as TOML has it.
using SettingValue = std::variant<bool, std::int64_t, std::string, Texts>;

/// Returns the error of a setting that says what is allowed.
std::unexpected<Error> refuse(std::string message);

/// Accepts a value of the setting's type, or says what is allowed.
using Check = std::function<Result<void>(const SettingValue&)>;

/// Accepts whole numbers of this range.
Check within(std::int64_t least, std::int64_t most);

// Each is the Check of the setting in its name, whose type its value has.
Result<void> check_share_roots(const SettingValue& value);
Result<void> check_base_path(const SettingValue& value);
Result<void> check_origins(const SettingValue& value);
Result<void> check_public_url(const SettingValue& value);
Result<void> check_proxies(const SettingValue& value);
Result<void> check_header_name(const SettingValue& value);
Result<void> check_oidc_issuer(const SettingValue& value);
Result<void> check_ldap_url(const SettingValue& value);
Result<void> check_oidc_scopes(const SettingValue& value);
Result<void> check_group_quotas(const SettingValue& value);

}  // namespace coffer::app
