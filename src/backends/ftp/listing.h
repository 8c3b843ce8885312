#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/remote/adapter.h"
#include "base/character_set.h"
#include "base/clock.h"
#include "storage/entry.h"

namespace coffer::ftp {

using remote::Kind;
/// One item of a listing.
using FtpItem = remote::Item;

/// What a line of a reply to MLSD or MLST tells: facts, a space, and a name (RFC 3659,
/// section 7.2). A reply to MLST has a whole path as the name.
struct FactLine {
  std::optional<FtpItem> item = {};
  bool is_self = false;      ///< It is the folder itself, or the one above it.
  bool lacks_facts = false;  ///< It names an item, but not its type, or not the size of a file.
};
FactLine parse_fact_line(std::string_view line);
/// Returns the item of a FactLine; nullopt for the folder itself and malformed lines.
std::optional<FtpItem> parse_facts(std::string_view line);

/// Parses a line of LIST, in the form of Unix servers (`ls -l`) or of Windows servers (`dir`).
/// Returns nullopt for `.`, `..`, `total` lines and malformed lines. Times are taken as UTC, and
/// are Timestamp() if the date is not understood: a date never decides whether an item is there.
std::optional<FtpItem> parse_list_line(std::string_view line, Timestamp now);

/// True if the name is valid as one component of a Path (UTF-8 without control characters) and has
/// at most 1024 bytes.
bool is_sane_name(std::string_view name);

/// Malformed lines and invalid names are left out.
struct Listing : remote::Listing {
  bool saw_self = false;         ///< The folder itself (`.`) was listed.
  bool lacks_facts = false;      ///< Some lines lack facts (see FactLine), so LIST may tell more.
  std::string unread = {};       ///< The first mebibyte of lines that could not be parsed, as sent.
  bool has_more_unread = false;  ///< There are more such lines.
  /// True if the text has lines, but none could be parsed. Such a text is a message or a listing in
  /// an unknown format, and must not be taken for the listing of an empty folder.
  bool is_nonsense = false;
};
/// These functions parse a server's whole answer to MLSD or to LIST, in its character set.
Listing parse_mlsd(std::string_view text, CharacterSet set = CharacterSet::utf_8);
Listing parse_list(std::string_view text, Timestamp now, CharacterSet set = CharacterSet::utf_8);

/// Parses `20261121153334` as a time in UTC, and ignores a fraction of a second after it (RFC 3659,
/// section 2.3). Returns nullopt if the text is malformed.
std::optional<Timestamp> parse_time_value(std::string_view text);
/// Formats a time in UTC as 14 digits: `20261121153334`.
std::string format_time_value(Timestamp time);

}  // namespace coffer::ftp
