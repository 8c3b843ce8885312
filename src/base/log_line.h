#pragma once

#include <spdlog/formatter.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace coffer {

/// How an event stands in its line: as text, or as a JSON object with the members `time`, `level`
/// and `message`.
enum class LogFormat { text, json };

/// A part of an event that programs read; a fraction is shown to a thousandth.
struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::uint64_t, double> value;
};

/// What is logged by the logger of this name is `members_of` fields.
inline constexpr const char* kFieldsLogger = "fields";

/// Makes an event a line.
std::unique_ptr<spdlog::formatter> log_line_formatter(LogFormat format);

/// The members of a JSON object, without its braces.
std::string members_of(std::span<const LogField> fields);

}  // namespace coffer
