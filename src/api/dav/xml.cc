#include "api/dav/xml.h"

#include <expat.h>

#include <algorithm>
#include <climits>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

namespace coffer::api::dav {
namespace {

/// Stands between namespace and name in what expat tells; no XML text can hold it.
constexpr XML_Char kSeparator = '\x01';
constexpr std::string_view kXmlSpace = "http://www.w3.org/XML/1998/namespace";
constexpr std::string_view kLanguage =
    "http://www.w3.org/XML/1998/namespace\x01"
    "lang";

XmlName name_of(std::string_view text) {
  const auto end = text.find(kSeparator);
  if (end == std::string_view::npos) return {"", std::string(text)};
  return {std::string(text.substr(0, end)), std::string(text.substr(end + 1))};
}

std::unexpected<Error> refused(const char* why) {
  return fail(ErrorCode::invalid, why);
}

/// A parser would make blanks of line feeds and tabs in it (XML 1.0, section 3.3.3).
void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  out.append(" ").append(name).append("=\"");
  while (!value.empty()) {
    const std::size_t plain = std::min(value.find_first_of("\n\t"), value.size());
    append_escaped(out, value.substr(0, plain));
    if (plain < value.size()) out += value[plain] == '\n' ? "&#10;" : "&#9;";
    value.remove_prefix(std::min(plain + 1, value.size()));
  }
  out += '"';
}

void append_element(std::string& out, const XmlElement& element, std::string_view space_above,
                    std::string_view language_above) {
  out.append("<").append(element.name.local);
  if (element.name.space != space_above) {
    append_attribute(out, "xmlns", element.name.space);
  }
  if (element.language != language_above) {
    append_attribute(out, "xml:lang", element.language);
  }
  out += '>';
  append_escaped(out, element.texts.front());
  for (std::size_t i = 0; i < element.children.size(); ++i) {
    append_element(out, element.children[i], element.name.space, element.language);
    append_escaped(out, element.texts[i + 1]);
  }
  out.append("</").append(element.name.local).append(">");
}

/// What stands for a character; empty if it stands for itself.
constexpr std::string_view escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\r':
      return "&#13;";
    default:
      return {};
  }
}

/// True for U+FFFE and U+FFFF at the front, which names may have and XML may not (XML 1.0, 2.2).
bool begins_with_no_character(std::string_view text) {
  return text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD.

}  // namespace

const XmlElement* XmlElement::child(std::string_view local) const {
  for (const XmlElement& one : children) {
    if (one.name.is_dav(local)) return &one;
  }
  return nullptr;
}

std::string XmlElement::text() const {
  return std::accumulate(texts.begin(), texts.end(), std::string());
}

void append_escaped(std::string& out, std::string_view text) {
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view escaped = escape_of(text[i]);
    std::size_t length = 1;
    if (text[i] == kReplacement.front() && begins_with_no_character(text.substr(i))) {
      escaped = kReplacement;
      length = kReplacement.size();
    }
    if (escaped.empty()) continue;
    out.append(text, plain, i - plain).append(escaped);
    plain = i + length;
  }
  out.append(text, plain);
}

std::string text_of(const XmlElement& element) {
  std::string text;
  // What stands above it is not known, so that even no namespace is named.
  append_element(text, element, "\x01", "");
  return text;
}

struct XmlParser::State {
  explicit State(XmlLimits given)
      : limits(given), parser(XML_ParserCreateNS(nullptr, kSeparator), &XML_ParserFree) {
    if (!parser) throw std::bad_alloc();
  }

  void stop(const char* reason) {
    if (why == nullptr) why = reason;
    XML_StopParser(parser.get(), XML_FALSE);
  }
  void begin(const XML_Char* name, const XML_Char** attributes);
  void end();
  Result<void> parse(std::string_view bytes, bool is_last);

  const XmlLimits limits;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser;
  std::size_t bytes = 0;
  std::size_t elements = 0;
  std::size_t names_bytes = 0;
  std::vector<XmlElement> open;  ///< The elements that have begun, from the root.
  std::optional<XmlElement> root;
  const char* why = nullptr;  ///< Set if this class stopped the parser.
};

void XmlParser::State::begin(const XML_Char* name, const XML_Char** attributes) {
  if (++elements > limits.elements) return stop("The body has too many elements.");
  if (open.size() >= limits.depth) return stop("The body's elements are nested too deeply.");
  XmlElement element;
  element.name = name_of(name);
  // It cannot be the namespace that names without a prefix have, as they are written here.
  if (element.name.space == kXmlSpace) return stop("No element has a name that begins with xml:.");
  if (!open.empty()) element.language = open.back().language;
  for (; *attributes != nullptr; attributes += 2) {
    if (attributes[0] == kLanguage) element.language = attributes[1];
  }
  names_bytes += element.name.space.size() + element.name.local.size() + element.language.size();
  if (names_bytes > limits.names_bytes) return stop("The names of the elements are too long.");
  open.push_back(std::move(element));
}

void XmlParser::State::end() {
  XmlElement element = std::move(open.back());
  open.pop_back();
  if (open.empty()) {
    root = std::move(element);
    return;
  }
  open.back().children.push_back(std::move(element));
  open.back().texts.emplace_back();
}

namespace {

/// expat's user data; the State is private to the class.
template <class State>
State& state_in(void* data) {
  return *static_cast<State*>(data);
}

}  // namespace

XmlParser::XmlParser(XmlLimits limits) : state_(std::make_unique<State>(limits)) {
  XML_Parser parser = state_->parser.get();
  XML_SetUserData(parser, state_.get());
  XML_SetElementHandler(
      parser,
      [](void* data, const XML_Char* name, const XML_Char** attributes) {
        state_in<State>(data).begin(name, attributes);
      },
      [](void* data, const XML_Char*) { state_in<State>(data).end(); });
  XML_SetCharacterDataHandler(parser, [](void* data, const XML_Char* text, int size) {
    State& state = state_in<State>(data);
    state.open.back().texts.back().append(text, static_cast<std::size_t>(size));
  });
  XML_SetStartDoctypeDeclHandler(
      parser, [](void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
        state_in<State>(data).stop("A document type declaration is not accepted.");
      });
  XML_SetProcessingInstructionHandler(parser, [](void* data, const XML_Char*, const XML_Char*) {
    state_in<State>(data).stop("Processing instructions are not accepted.");
  });
}

XmlParser::~XmlParser() = default;

Result<void> XmlParser::State::parse(std::string_view piece, bool is_last) {
  bytes += piece.size();
  if (bytes > limits.bytes || piece.size() > INT_MAX) return refused("The body is too long.");
  const auto status =
      XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()), is_last ? 1 : 0);
  if (why != nullptr) return refused(why);
  if (status != XML_STATUS_OK) return refused("The body is not well-formed XML.");
  return {};
}

Result<void> XmlParser::add(std::string_view bytes) {
  return state_->parse(bytes, false);
}

Result<XmlElement> XmlParser::finish() {
  TRY_VOID(state_->parse({}, true));
  if (!state_->root) return refused("The body is not well-formed XML.");
  return *std::move(state_->root);
}

}  // namespace coffer::api::dav
