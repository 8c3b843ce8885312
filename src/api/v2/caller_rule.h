#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "core/namespace/principal.h"

namespace coffer::api::v2 {

/// Who may use a route.
enum class CallerRule : std::uint8_t {
  anyone,         ///< Also those who are not known.
  session,        ///< A person who signed in, since it is about the session.
  account,        ///< A session, or a key that is not limited to a folder.
  files,          ///< Any key too: within its folder, where it is limited to one.
  administrator,  ///< As `account`, of an administrator.
};

/// `forbidden` where the rule does not let the principal in.
Result<void> check_caller(CallerRule rule, const core::Principal& principal);

/// The rule for people, as the description ends with it.
std::string_view text_of(CallerRule rule);

}  // namespace coffer::api::v2
