#pragma once

#include "api/v2/route.h"
#include "core/identity/proxy_sign_in.h"

namespace coffer::api::v2 {

/// Returns what the proxy that sent the request says of its person; nullopt if no trusted proxy
/// sent it, or the proxy names nobody. `invalid` if one of the headers is repeated. Needs
/// Services::proxy_sign_in.
Result<std::optional<core::ProxyWords>> proxy_words_in(const Call& call);

}  // namespace coffer::api::v2
