#include "core/archive/item_name.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "core/archive/zip_fields.h"

namespace coffer::core {
namespace {

/// The name in the field, where it still belongs to the other one: programs that do not know the
/// field may have changed that alone.
std::optional<std::string_view> name_in_field(std::string_view field, std::string_view bytes) {
  constexpr std::size_t kHead = 5;  // A version and the checksum of the other name.
  if (field.size() <= kHead || field.front() != 1) return std::nullopt;
  zip::FieldReader fields(field.substr(1));
  const auto told = fields.take<std::uint32_t>();
  const auto real = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  const std::string_view name = field.substr(kHead);
  if (told != real || !is_utf8(name)) return std::nullopt;
  return name;
}

}  // namespace

std::string name_of_bytes(std::string_view bytes, CharacterSet set) {
  if (is_utf8(bytes)) return std::string(bytes);
  return to_utf8(set, bytes).value_or(std::string(bytes));
}

std::string name_of_zip(std::string_view bytes, std::string_view unicode_field, CharacterSet set) {
  const auto in_field = name_in_field(unicode_field, bytes);
  std::string name = in_field ? std::string(*in_field) : name_of_bytes(bytes, set);
  // Bytes that are no text may have it within a character.
  if (is_utf8(name)) std::ranges::replace(name, '\\', '/');
  return name;
}

}  // namespace coffer::core
