#pragma once

#include <compare>
#include <cstddef>
#include <ranges>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer {

/// The name of a new item: 1 to 255 bytes of UTF-8, without `/`, `\` and control characters, and
/// neither `.` nor `..`. Only `parse` makes one.
class Name {
 public:
  /// `invalid`, with the rule that was broken, also for an empty text.
  static Result<Name> parse(std::string_view text);
  const std::string& str() const { return text_; }
  bool operator==(const Name&) const = default;

 private:
  explicit Name(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// A place relative to some root, as checked components; the empty path is the root itself. Only
/// `parse` makes one, so a Path never holds `..`, an empty or `.` component, a control character or
/// text that is not UTF-8. Components may be longer than a file system allows and may hold a
/// backslash, since they name existing items. A value; safe to share between threads.
class Path {
 public:
  /// The root.
  Path() = default;

  /// Slashes separate; leading, trailing and repeated ones and `.` components are dropped.
  /// `forbidden` for a `..` component, also one cut off by a backslash; `invalid` for text that is
  /// not UTF-8 or holds a control character.
  static Result<Path> parse(std::string_view text);

  bool is_root() const { return text_.empty(); }
  /// Components joined by `/`, without one in front or behind; empty for the root.
  const std::string& str() const { return text_; }
  /// The last component; empty for the root.
  std::string_view name() const;
  /// The path without its last component; the root's is the root.
  Path parent() const;
  /// The first component; empty for the root.
  std::string_view front() const;
  /// The path without its first component; the root's is the root.
  Path without_front() const;
  std::size_t depth() const;

  Path operator/(const Name& name) const { return join(name.str()); }
  Path operator/(const Path& tail) const { return join(tail.text_); }

  /// True if this is `other` or lies below it, component by component: `docs2` is not in `docs`.
  bool is_within(const Path& other) const;
  /// What remains of this path below `ancestor`; it must be within it.
  Path relative_to(const Path& ancestor) const;

  /// The components as string views into this path, which must outlive them.
  auto components() const {
    return std::string_view(text_) | std::views::split('/') |
           std::views::filter([](auto part) { return !part.empty(); }) |
           std::views::transform(
               [](auto part) { return std::string_view(part.begin(), part.end()); });
  }

  auto operator<=>(const Path&) const = default;

 private:
  explicit Path(std::string text) : text_(std::move(text)) {}
  Path join(std::string_view tail) const;
  std::string text_;
};

/// The part from the last dot on, with the dot; empty without a dot, and if the only dot leads the
/// name (`.profile`).
std::string_view extension_of(std::string_view name);

}  // namespace coffer
