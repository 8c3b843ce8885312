#include "core/archive/packed_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/text.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

constexpr std::size_t kMostQuotedBytes = 200;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::unexpected<Error> bad(std::string reason) {
  return fail(ErrorCode::invalid, std::move(reason));
}

Result<void> check_whole(std::string_view name) {
  if (name.size() > kMostPackedNameBytes) {
    return fail(ErrorCode::refused, "A name in it is too long.");
  }
  if (name.empty()) return bad("It has no name that could be read.");
  if (!is_utf8(name)) return bad("Its name is not UTF-8.");
  if (has_control_character(name)) return bad("Its name has a control character.");
  if (name.contains('\\')) return bad("Its name has a backslash.");
  const bool has_drive = name.size() > 1 && is_letter(name[0]) && name[1] == ':';
  if (name.starts_with('/') || has_drive) return bad("Its name begins at the root of a disk.");
  return {};
}

/// Empty ones and `.` are left out before.
Result<Path> append(const Path& path, std::string_view component) {
  if (component == "..") return bad("Its name may lead out of the folder.");
  TRY(const auto name, Name::parse(component));
  if (storage::is_hidden_name(component)) {
    return bad("Its name is reserved for hidden items of the server.");
  }
  return path / name;
}

/// The characters of the bytes from 0x80 on; those below are ASCII's.
constexpr std::array<std::uint16_t, 128> kUpper = {
    0x00C7, 0x00FC, 0x00E9, 0x00E2, 0x00E4, 0x00E0, 0x00E5, 0x00E7, 0x00EA, 0x00EB, 0x00E8, 0x00EF,
    0x00EE, 0x00EC, 0x00C4, 0x00C5, 0x00C9, 0x00E6, 0x00C6, 0x00F4, 0x00F6, 0x00F2, 0x00FB, 0x00F9,
    0x00FF, 0x00D6, 0x00DC, 0x00A2, 0x00A3, 0x00A5, 0x20A7, 0x0192, 0x00E1, 0x00ED, 0x00F3, 0x00FA,
    0x00F1, 0x00D1, 0x00AA, 0x00BA, 0x00BF, 0x2310, 0x00AC, 0x00BD, 0x00BC, 0x00A1, 0x00AB, 0x00BB,
    0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
    0x255D, 0x255C, 0x255B, 0x2510, 0x2514, 0x2534, 0x252C, 0x251C, 0x2500, 0x253C, 0x255E, 0x255F,
    0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256C, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518, 0x250C, 0x2588, 0x2584, 0x258C, 0x2590, 0x2580,
    0x03B1, 0x00DF, 0x0393, 0x03C0, 0x03A3, 0x03C3, 0x00B5, 0x03C4, 0x03A6, 0x0398, 0x03A9, 0x03B4,
    0x221E, 0x03C6, 0x03B5, 0x2229, 0x2261, 0x00B1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00F7, 0x2248,
    0x00B0, 0x2219, 0x00B7, 0x221A, 0x207F, 0x00B2, 0x25A0, 0x00A0,
};

void append_utf8(std::string& out, std::uint16_t character) {
  const auto continuation = [](unsigned bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
  if (character < 0x800) {
    out += static_cast<char>(0xC0 | (character >> 6));
  } else {
    out += static_cast<char>(0xE0 | (character >> 12));
    out += continuation(character >> 6U);
  }
  out += continuation(character);
}

}  // namespace

Result<Path> place_of(std::string_view name) {
  if (auto fit = check_whole(name); !fit) return failure_of(std::move(fit));
  Path path;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t slash = std::min(name.find('/', from), name.size());
    const std::string_view component = name.substr(from, slash - from);
    from = slash + 1;
    if (component.empty() || component == ".") continue;
    TRY(auto longer, append(path, component));
    path = std::move(longer);
    if (path.depth() > kMostPackedFolders) {
      return fail(ErrorCode::refused, "Its folders are nested too deeply.");
    }
  }
  return path;
}

std::string quoted_name(std::string_view name) {
  const bool is_text = is_utf8(name) && !has_control_character(name);
  const std::string_view shown =
      is_text ? cut_utf8(name, kMostQuotedBytes) : name.substr(0, kMostQuotedBytes);
  std::string text;
  for (const char c : shown) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_plain = is_text || (code >= 0x20 && code < 0x7F);
    text += is_plain ? std::string(1, c) : fmt::format("\\x{:02x}", code);
  }
  return fmt::format("\"{}{}\"", text, shown.size() < name.size() ? "…" : "");
}

std::string utf8_of_cp437(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x80) {
      out += byte;
    } else {
      append_utf8(out, kUpper[code - std::size_t{0x80}]);
    }
  }
  return out;
}

}  // namespace coffer::core
