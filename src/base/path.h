#pragma once

#include <compare>
#include <cstddef>
#include <ranges>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer {

/// The name of a new item: 1 to 255 bytes of UTF-8. It contains no `/`, no `\` and no control
/// character. It is not `.` and not `..`. Only `parse` makes a Name.
class Name {
 public:
  /// Parses a name. `invalid` if the text breaks one of the rules; the message names the rule.
  static Result<Name> parse(std::string_view text);
  const std::string& str() const { return text_; }
  bool operator==(const Name&) const = default;

 private:
  explicit Name(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// A path relative to some root, as a list of checked components. The empty path is the root
/// itself. Since `parse` checks the text, a Path is valid UTF-8 without control characters, and no
/// component is empty, `.` or `..`. Unlike a Name, a component can be longer than a file system
/// allows and can contain a backslash, because it may name an existing item on a server. Several
/// threads may read a Path at the same time.
class Path {
 public:
  Path() = default;

  /// Parses a path whose components are separated by slashes. Drops leading, trailing and repeated
  /// slashes and `.` components. `forbidden` if a component is `..`, even if only
  /// backslashes separate it. `invalid` if the text is not UTF-8 or contains a control character.
  static Result<Path> parse(std::string_view text);

  bool is_root() const { return text_.empty(); }
  /// Returns the components joined by `/`, without a leading or trailing slash; empty for the root.
  const std::string& str() const { return text_; }
  /// Returns the last component; empty for the root.
  std::string_view name() const;
  /// Returns the path without its last component; the root for the root.
  Path parent() const;
  /// Returns the first component; empty for the root.
  std::string_view front() const;
  /// Returns the path without its first component; the root for the root.
  Path without_front() const;
  std::size_t depth() const;

  Path operator/(const Name& name) const { return join(name.str()); }
  Path operator/(const Path& tail) const { return join(tail.text_); }

  /// Returns true if this path is `other` or lies below it. Compares whole components: `docs2` is
  /// not in `docs`.
  bool is_within(const Path& other) const;
  /// Returns the rest of this path below `ancestor`. This path must be within `ancestor`.
  Path relative_to(const Path& ancestor) const;

  /// Returns the components as string views. This path must outlive the views.
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

/// Returns the extension of a name: the part from the last dot on, with the dot. Empty if there is
/// no dot, or if the only dot is the first character (`.profile`).
std::string_view extension_of(std::string_view name);

}  // namespace coffer
