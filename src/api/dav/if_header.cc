#include "api/dav/if_header.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

std::unexpected<Error> malformed() {
  return fail(ErrorCode::invalid, "The header If is malformed.");
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Result<IfHeader> run();

 private:
  /// The next character that is no white space; 0 at the end.
  char peek() {
    rest_ = http::trim(rest_);
    return rest_.empty() ? '\0' : rest_.front();
  }
  Result<std::string> until(char end);
  Result<std::string> etag();
  Result<IfCondition> condition();
  Result<IfList> list(const std::string& resource);

  std::string_view rest_;
  std::size_t count_ = 0;
};

/// What stands between the next character and `end`.
Result<std::string> Parser::until(char end) {
  rest_.remove_prefix(1);
  const auto at = rest_.find(end);
  if (at == std::string_view::npos || at == 0) return malformed();
  std::string text(rest_.substr(0, at));
  rest_.remove_prefix(at + 1);
  return text;
}

Result<std::string> Parser::etag() {
  TRY(std::string text, until(']'));
  const std::string_view tag = text.starts_with("W/") ? std::string_view(text).substr(2) : text;
  if (tag.size() < 2 || tag.front() != '"' || tag.back() != '"') return malformed();
  return text;
}

Result<IfCondition> Parser::condition() {
  IfCondition made;
  peek();
  if (rest_.size() > 3 && equal_ignoring_case(rest_.substr(0, 3), "Not")) {
    made.is_negated = true;
    rest_.remove_prefix(3);
  }
  const char first = peek();
  if (first == '[') {
    made.is_etag = true;
    TRY(made.text, etag());
    return made;
  }
  if (first != '<') return malformed();
  TRY(made.text, until('>'));
  return made;
}

Result<IfList> Parser::list(const std::string& resource) {
  IfList made{resource, {}};
  rest_.remove_prefix(1);
  while (peek() != ')') {
    if (++count_ > kMostConditions) {
      return fail(ErrorCode::invalid, "The header If has too many conditions.");
    }
    TRY(auto one, condition());
    made.conditions.push_back(std::move(one));
  }
  rest_.remove_prefix(1);
  if (made.conditions.empty()) return malformed();
  return made;
}

Result<IfHeader> Parser::run() {
  IfHeader header;
  const bool is_tagged = peek() == '<';
  std::string resource;
  bool has_list = true;
  while (const char next = peek()) {
    if (next == '<' && is_tagged && has_list) {
      TRY(resource, until('>'));
      has_list = false;
    } else if (next == '(') {
      TRY(auto one, list(resource));
      header.lists.push_back(std::move(one));
      has_list = true;
    } else {
      return malformed();
    }
  }
  if (header.lists.empty() || !has_list) return malformed();
  return header;
}

}  // namespace

std::vector<std::string> IfHeader::tokens() const {
  std::vector<std::string> all;
  for (const IfList& list : lists) {
    for (const IfCondition& one : list.conditions) {
      if (!one.is_etag) all.push_back(one.text);
    }
  }
  return all;
}

Result<IfHeader> parse_if(std::string_view text) {
  return Parser(text).run();
}

}  // namespace coffer::api::dav
