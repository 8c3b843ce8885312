#pragma once

#include <string>
#include <string_view>

namespace coffer {

/// The normal forms of Unicode (UAX #15) that file systems write a letter with an accent in: as one
/// character (C), as most do, or as two (D), as macOS does.
enum class NormalForm { composed, decomposed };

/// Returns the text in a normal form; as it is if it is not UTF-8.
std::string normalized(std::string_view text, NormalForm form);

}  // namespace coffer
