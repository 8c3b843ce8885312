#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_words.h"

namespace coffer {

/// The character sets that names on other systems are written in: in archives, and on servers that
/// do not use UTF-8. The sets of East Asia are those that Windows means by the same names, which
/// have more characters than the standards.
enum class CharacterSet : std::uint8_t {
  utf_8,
  ibm_437,  ///< DOS, and Windows's zips: United States.
  ibm_720,  ///< The same for Arabic,
  ibm_737,  ///< Greek,
  ibm_775,  ///< the Baltic languages,
  ibm_850,  ///< Western Europe,
  ibm_852,  ///< Central Europe,
  ibm_857,  ///< Turkish,
  ibm_862,  ///< Hebrew,
  ibm_866,  ///< Cyrillic.
  windows_1250,
  windows_1251,
  windows_1252,
  windows_1253,
  windows_1254,
  windows_1255,
  windows_1256,
  windows_1257,
  windows_1258,
  iso_8859_1,
  iso_8859_2,
  iso_8859_15,
  koi8_r,
  shift_jis,  ///< Code page 932.
  euc_jp,
  gb18030,  ///< Holds GBK, code page 936.
  big5,     ///< Code page 950.
  euc_kr,   ///< Code page 949.
  tis_620,  ///< Code page 874.
};

/// The words are the names that IANA has registered, in lower case.
constexpr auto words_of(CharacterSet) {
  using enum CharacterSet;
  return enum_words<CharacterSet>({
      {utf_8, "utf-8"},
      {ibm_437, "ibm437"},
      {ibm_720, "ibm720"},
      {ibm_737, "ibm737"},
      {ibm_775, "ibm775"},
      {ibm_850, "ibm850"},
      {ibm_852, "ibm852"},
      {ibm_857, "ibm857"},
      {ibm_862, "ibm862"},
      {ibm_866, "ibm866"},
      {windows_1250, "windows-1250"},
      {windows_1251, "windows-1251"},
      {windows_1252, "windows-1252"},
      {windows_1253, "windows-1253"},
      {windows_1254, "windows-1254"},
      {windows_1255, "windows-1255"},
      {windows_1256, "windows-1256"},
      {windows_1257, "windows-1257"},
      {windows_1258, "windows-1258"},
      {iso_8859_1, "iso-8859-1"},
      {iso_8859_2, "iso-8859-2"},
      {iso_8859_15, "iso-8859-15"},
      {koi8_r, "koi8-r"},
      {shift_jis, "shift_jis"},
      {euc_jp, "euc-jp"},
      {gb18030, "gb18030"},
      {big5, "big5"},
      {euc_kr, "euc-kr"},
      {tis_620, "tis-620"},
  });
}

// Both functions convert a whole text, such as a name, of at most 256 MiB. They return nullopt if
// any part of it has no meaning in the set; they never replace or leave out a character. ASCII is
// the same in all sets, but for control characters. Safe from any thread.

/// Converts bytes of the set to UTF-8. A few sets have several forms of one character, so that
/// `from_utf8` does not always return the same bytes.
std::optional<std::string> to_utf8(CharacterSet set, std::string_view bytes);
/// Converts UTF-8 to the set. Also returns nullopt if `text` is not UTF-8.
std::optional<std::string> from_utf8(CharacterSet set, std::string_view text);

}  // namespace coffer
