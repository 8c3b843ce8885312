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

/// Returns the text as no directory of LDAP tells two names apart (RFC 4518, section 2): folded,
/// without blanks and what does not show, and with plain letters for full-width ones and the like.
std::string fold_name(std::string_view name);

}  // namespace coffer
