#pragma once

#include <spdlog/formatter.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/log.h"

namespace coffer {

/// What is logged by the logger of this name is `members_of` fields.
inline constexpr const char* kFieldsLogger = "fields";

/// Makes an event a line.
std::unique_ptr<spdlog::formatter> log_line_formatter(LogFormat format);

/// The members of a JSON object, without its braces.
std::string members_of(std::span<const LogField> fields);

}  // namespace coffer
