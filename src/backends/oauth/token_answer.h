#pragma once

#include <string>
#include <string_view>

#include "backends/oauth/form_post.h"
#include "base/clock.h"

namespace coffer::oauth {

/// The token in a provider's answer (RFC 6749, section 5.1) that came `at` a time, or what its
/// refusal (section 5.2) means: as `exchange_code` says. Many a provider refuses with 200.
Result<std::string> token_in(const FormAnswer& answer, std::string_view token_type, Timestamp at);

}  // namespace coffer::oauth
