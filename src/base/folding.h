#pragma once

#include <string>
#include <string_view>

namespace coffer {

/// Replaces `out` with the text as a search compares it: by Unicode's full case folding, without
/// accents and other marks that people leave out when they type (of Latin, Greek, Cyrillic, Hebrew,
/// Arabic and Japanese), and with `o` for a letter such as `ø`. Vowel signs, as in Hindi, stay.
/// Bytes that are not UTF-8 stay as they are, but for ASCII letters. The web interface does the
/// same (`model/folding.ts`); `web/src/model/folding-pairs.json` holds both together.
void fold(std::string_view text, std::string& out);

}  // namespace coffer
