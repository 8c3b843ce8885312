#pragma once

#include <optional>
#include <string_view>

namespace coffer::api::v2 {

/// Returns a stable word for why an item or a task was refused, by the sentence that says so:
/// `into_itself`, `archive_damaged` and others. nullopt where the problem's code
/// says it already, or where the sentence is of no known kind.
std::optional<std::string_view> refusal_word(std::string_view sentence);

}  // namespace coffer::api::v2
