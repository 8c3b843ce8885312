#include "api/dav/lock_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/dav/call.h"
#include "base/clock.h"
#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

constexpr std::chrono::seconds kUsual{600};

std::chrono::seconds left_of(const catalog::FileLock& lock) {
  const auto left = std::chrono::ceil<std::chrono::seconds>(lock.expires_at - now());
  return std::max(left, std::chrono::seconds(1));
}

void append_lock(std::string& out, const ShownLock& shown) {
  const catalog::FileLock& lock = shown.lock;
  out += "<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope>";
  out += lock.is_shared ? "<D:shared/>" : "<D:exclusive/>";
  out += fmt::format("</D:lockscope><D:depth>{}</D:depth>", lock.is_deep ? "infinity" : "0");
  out += lock.owner;
  out +=
      fmt::format("<D:timeout>Second-{}</D:timeout><D:locktoken><D:href>", left_of(lock).count());
  append_escaped(out, lock.token);
  out += "</D:href></D:locktoken><D:lockroot><D:href>";
  append_escaped(out, shown.root_href);
  out += "</D:href></D:lockroot></D:activelock>";
}

/// One of the times that a client would like.
std::optional<std::chrono::seconds> time_in(std::string_view text) {
  constexpr std::string_view kSeconds = "Second-";
  if (equal_ignoring_case(text, "Infinite")) return core::ItemLocks::kLongest;
  if (text.size() <= kSeconds.size()) return std::nullopt;
  if (!equal_ignoring_case(text.substr(0, kSeconds.size()), kSeconds)) return std::nullopt;
  const auto count = http::parse_decimal(text.substr(kSeconds.size()));
  if (!count) return std::nullopt;
  const auto most = static_cast<std::uint64_t>(core::ItemLocks::kLongest.count());
  return std::chrono::seconds(std::min(*count, most));
}

}  // namespace

const std::string_view kSupportedLocks =
    "<D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>"
    "</D:lockentry><D:lockentry><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/>"
    "</D:locktype></D:lockentry>";

void append_locks(std::string& out, const std::vector<ShownLock>& locks) {
  for (const ShownLock& one : locks) append_lock(out, one);
}

Result<core::ItemLocks::Wanted> read_lock_info(const XmlElement& body) {
  const XmlElement* scope = body.child("lockscope");
  const XmlElement* type = body.child("locktype");
  const bool is_lock = body.name.is_dav("lockinfo") && scope != nullptr && type != nullptr;
  if (!is_lock || type->child("write") == nullptr) {
    return fail(ErrorCode::invalid, "The body asks for no write lock.");
  }
  core::ItemLocks::Wanted wanted;
  wanted.is_shared = scope->child("shared") != nullptr;
  if (!wanted.is_shared && scope->child("exclusive") == nullptr) {
    return fail(ErrorCode::invalid, "The lock is neither exclusive nor shared.");
  }
  if (const XmlElement* owner = body.child("owner")) wanted.owner = text_of(*owner);
  return wanted;
}

std::chrono::seconds timeout_of(const http::Request& request) {
  std::string_view rest = request.header("Timeout").value_or("");
  while (!rest.empty()) {
    if (const auto time = time_in(http::trim(http::cut_front(rest, ',')))) return *time;
  }
  return kUsual;
}

Result<std::string> lock_token_of(const http::Request& request) {
  const std::string_view text = request.header("Lock-Token").value_or("");
  if (text.size() > 2 && text.front() == '<' && text.back() == '>') {
    return std::string(text.substr(1, text.size() - 2));
  }
  return fail(ErrorCode::invalid, "The header Lock-Token is missing or malformed.");
}

std::string root_href_of(std::string_view base_path, std::string_view shown, bool is_folder,
                         std::size_t levels) {
  for (std::size_t i = 0; i < levels; ++i) {
    const auto slash = shown.rfind('/');
    shown = shown.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
  return href_of(base_path, shown, is_folder || levels > 0);
}

}  // namespace coffer::api::dav
