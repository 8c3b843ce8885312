#include "base/path.h"

#include <algorithm>

#include "base/text.h"

namespace coffer {
namespace {

/// True if `..` is a component, where `\` separates too: some servers behind a mount read it so.
bool climbs(std::string_view component) {
  for (const auto part : component | std::views::split('\\')) {
    if (std::string_view(part.begin(), part.end()) == "..") return true;
  }
  return false;
}

}  // namespace

Result<Name> Name::parse(std::string_view text) {
  if (text.empty()) return fail(ErrorCode::invalid, "The name is empty.");
  if (text.size() > 255) return fail(ErrorCode::invalid, "The name is longer than 255 bytes.");
  if (!is_utf8(text)) return fail(ErrorCode::invalid, "The name is not valid UTF-8.");
  if (has_control_character(text)) {
    return fail(ErrorCode::invalid, "The name holds a control character.");
  }
  if (text.find_first_of("/\\") != std::string_view::npos) {
    return fail(ErrorCode::invalid, "The name holds a path separator.");
  }
  if (text == "." || text == "..") {
    return fail(ErrorCode::invalid, "The names \".\" and \"..\" are not allowed.");
  }
  return Name(std::string(text));
}

Result<Path> Path::parse(std::string_view text) {
  if (!is_utf8(text)) return fail(ErrorCode::invalid, "The path is not valid UTF-8.");
  if (has_control_character(text)) {
    return fail(ErrorCode::invalid, "The path holds a control character.");
  }
  std::string joined;
  joined.reserve(text.size());
  for (const auto range : text | std::views::split('/')) {
    const std::string_view component(range.begin(), range.end());
    if (component.empty() || component == ".") continue;
    if (climbs(component)) {
      return fail(ErrorCode::forbidden, "The path must not contain \"..\".");
    }
    if (!joined.empty()) joined += '/';
    joined += component;
  }
  return Path(std::move(joined));
}

std::string_view Path::name() const {
  return std::string_view(text_).substr(text_.rfind('/') + 1);
}

Path Path::parent() const {
  const auto slash = text_.rfind('/');
  return slash == std::string::npos ? Path() : Path(text_.substr(0, slash));
}

std::string_view Path::front() const {
  return std::string_view(text_).substr(0, text_.find('/'));
}

Path Path::without_front() const {
  const auto slash = text_.find('/');
  return slash == std::string::npos ? Path() : Path(text_.substr(slash + 1));
}

std::size_t Path::depth() const {
  return is_root() ? 0 : 1 + static_cast<std::size_t>(std::ranges::count(text_, '/'));
}

bool Path::is_within(const Path& other) const {
  if (other.is_root()) return true;
  return text_.starts_with(other.text_) &&
         (text_.size() == other.text_.size() || text_[other.text_.size()] == '/');
}

Path Path::relative_to(const Path& ancestor) const {
  if (!is_within(ancestor)) throw std::logic_error("the path is not below the other");
  if (ancestor.is_root()) return *this;
  return text_.size() == ancestor.text_.size() ? Path()
                                               : Path(text_.substr(ancestor.text_.size() + 1));
}

Path Path::join(std::string_view tail) const {
  if (text_.empty()) return Path(std::string(tail));
  if (tail.empty()) return *this;
  std::string joined;
  joined.reserve(text_.size() + 1 + tail.size());
  joined.append(text_).append(1, '/').append(tail);
  return Path(std::move(joined));
}

std::string_view extension_of(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  return name.substr(dot);
}

}  // namespace coffer
