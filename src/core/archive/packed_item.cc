#include "core/archive/packed_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

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
  if (!is_utf8(name)) return bad("Its name is not in the character set of the archive's names.");
  if (has_control_character(name)) return bad("Its name has a control character.");
  if (name.contains('\\')) return bad("Its name has a backslash.");
  return {};
}

/// Names of whole disks are unpacked below the folder, as other programs do it. `c:x` is a name.
std::string_view without_drive(std::string_view name) {
  const bool has_drive = name.size() > 2 && is_letter(name[0]) && name[1] == ':' && name[2] == '/';
  return has_drive ? name.substr(2) : name;
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

}  // namespace

Result<Path> place_of(std::string_view name) {
  if (auto fit = check_whole(name); !fit) return failure_of(std::move(fit));
  name = without_drive(name);
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

}  // namespace coffer::core
