#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backends/remote/adapter.h"
#include "base/character_set.h"
#include "base/error.h"

namespace coffer::remote {

/// Converts what a server sends, such as a name, to UTF-8. Returns nullopt if the bytes have no
/// meaning in the set, or if `on_server` would not make the same bytes of the result. For UTF-8 the
/// bytes stay as they are, whatever they are.
std::optional<std::string> from_server(CharacterSet set, std::string_view bytes);

/// Converts a path to the bytes that the server knows it by. `invalid` if the set lacks one of its
/// characters, with that character. For UTF-8 the path stays as it is.
Result<std::string> on_server(CharacterSet set, const ServerPath& path);

}  // namespace coffer::remote
