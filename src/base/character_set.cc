#include "base/character_set.h"

#include <unicode/ucnv.h>
#include <unicode/ustring.h>

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/text.h"

namespace coffer {
namespace {

constexpr std::size_t kSets = words_of(CharacterSet()).size();
/// ICU counts in 32 bits with a sign, and a text may grow while it is converted.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

struct CloseConverter {
  void operator()(UConverter* converter) const { ::ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

/// ICU knows IANA's names, and takes some for the narrower standard.
const char* icu_name_of(CharacterSet set) {
  switch (set) {
    case CharacterSet::shift_jis:
      return "windows-932";
    case CharacterSet::big5:
      return "windows-950";
    case CharacterSet::euc_kr:
      return "windows-949";
    case CharacterSet::tis_620:
      return "windows-874";
    default:
      return word_of(set).data();
  }
}

/// Leaves the error as it is, so that the conversion stops at any character that the set lacks.
/// UCNV_FROM_U_CALLBACK_STOP drops those that are mostly invisible, such as U+200B: a name would
/// become another one, and `.` and U+200B and `.` would become `..`.
void stop_at_lacking(const void*, UConverterFromUnicodeArgs*, const UChar*, int32_t, UChar32,
                     UConverterCallbackReason, UErrorCode*) {}

Converter make_converter(CharacterSet set) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(::ucnv_open(icu_name_of(set), &status));
  if (converter) {
    ::ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                          &status);
    ::ucnv_setFromUCallBack(converter.get(), &stop_at_lacking, nullptr, nullptr, nullptr, &status);
  }
  if (U_FAILURE(status)) throw std::runtime_error("ICU's tables of character sets cannot be read");
  return converter;
}

/// A converter has a state, so that each thread has its own.
UConverter* converter_of(CharacterSet set) {
  thread_local std::array<Converter, kSets> converters;
  Converter& converter = converters.at(std::to_underlying(set));
  if (!converter) converter = make_converter(set);
  return converter.get();
}

}  // namespace

std::optional<std::string> to_utf8(CharacterSet set, std::string_view bytes) {
  if (bytes.size() > kMostBytes) return std::nullopt;
  if (set == CharacterSet::utf_8) {
    return is_utf8(bytes) ? std::optional<std::string>(bytes) : std::nullopt;
  }
  // A byte alone is one unit of UTF-16 at most, several are two at most.
  std::vector<UChar> units(bytes.size() + 2);
  UErrorCode status = U_ZERO_ERROR;
  const int32_t count =
      ::ucnv_toUChars(converter_of(set), units.data(), static_cast<int32_t>(units.size()),
                      bytes.data(), static_cast<int32_t>(bytes.size()), &status);
  if (U_FAILURE(status)) return std::nullopt;
  std::string text(static_cast<std::size_t>(count) * 3, '\0');
  int32_t size = 0;
  ::u_strToUTF8(text.data(), static_cast<int32_t>(text.size()), &size, units.data(), count,
                &status);
  if (U_FAILURE(status)) return std::nullopt;
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::optional<std::string> from_utf8(CharacterSet set, std::string_view text) {
  if (text.size() > kMostBytes || !is_utf8(text)) return std::nullopt;
  if (set == CharacterSet::utf_8) return std::string(text);
  std::vector<UChar> units(text.size() + 1);
  int32_t count = 0;
  UErrorCode status = U_ZERO_ERROR;
  ::u_strFromUTF8(units.data(), static_cast<int32_t>(units.size()), &count, text.data(),
                  static_cast<int32_t>(text.size()), &status);
  UConverter* const converter = converter_of(set);
  const auto most = static_cast<std::size_t>(count + 1) *
                    static_cast<std::size_t>(::ucnv_getMaxCharSize(converter));
  std::string bytes(most, '\0');
  const int32_t size = ::ucnv_fromUChars(converter, bytes.data(), static_cast<int32_t>(most),
                                         units.data(), count, &status);
  if (U_FAILURE(status)) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size));
  // Whatever the tables hold: other text must not come to the same bytes.
  if (to_utf8(set, bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace coffer
