#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::api::dav {

inline constexpr std::string_view kDavNamespace = "DAV:";

/// The name of an element: its namespace, which may be empty, and its local name.
struct XmlName {
  std::string space;
  std::string local;

  bool is_dav(std::string_view name) const { return space == kDavNamespace && local == name; }
  auto operator<=>(const XmlName&) const = default;
};

/// An element of a request's body, with all that is in it.
struct XmlElement {
  XmlName name;
  std::string language;  ///< The value of `xml:lang`, inherited from the elements above; or empty.
  /// Text before the first child, between the children, and after the last: one more than children.
  std::vector<std::string> texts = {""};
  std::vector<XmlElement> children = {};

  /// Returns the first child `DAV:` of this local name; null if there is none.
  const XmlElement* child(std::string_view local) const;
  /// Returns all text directly in the element.
  std::string text() const;
};

/// Appends text with the characters escaped that XML gives a meaning (XML 1.0, section 2.4).
void append_escaped(std::string& out, std::string_view text);

/// Returns an element as text that can stand in any element: each element names its own namespace,
/// and prefixes are gone. Of attributes, `xml:lang` stays.
std::string text_of(const XmlElement& element);

/// What a body may hold. Beyond it, parsing fails.
struct XmlLimits {
  std::size_t bytes = 0;
  std::size_t elements = 1'000;
  std::size_t depth = 32;
  /// Of the names, namespaces and languages of all elements together. A namespace stands in the
  /// body once, and counts for each element that has it, as it does in memory and in answers.
  std::size_t names_bytes = 64UL * 1024;
};

/// Parses the XML of a request while it arrives (RFC 4918, section 8.2), by libexpat. Does not
/// accept a document type declaration, so that there are no entities but XML's own, nor processing
/// instructions. Not safe for concurrent calls.
class XmlParser {
 public:
  explicit XmlParser(XmlLimits limits);
  ~XmlParser();

  /// Parses the next bytes. `invalid` if they are not well-formed (with namespaces), hold what is
  /// not accepted, or exceed a limit; then no other call is allowed.
  Result<void> add(std::string_view bytes);
  /// Returns the root element when all bytes were added; `invalid` if something is missing.
  Result<XmlElement> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace coffer::api::dav
