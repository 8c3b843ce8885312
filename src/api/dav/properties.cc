#include "api/dav/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "api/content.h"
#include "api/dav/answers.h"
#include "api/dav/checksums.h"
#include "base/clock.h"
#include "base/text.h"
#include "http/serve_content.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

constexpr std::string_view kMicrosoft = "urn:schemas-microsoft-com:";

/// Appends the value of a property. Returns false if the item does not have it.
using Append = bool (*)(std::string& out, const Described& described);

struct LiveProperty {
  std::string_view space;
  std::string_view local;
  bool is_in_all;  ///< True for what a client gets that asks for all.
  Append append;
};

bool append_created(std::string& out, const Described& described) {
  append_timestamp(out, described.item.entry.created_at);
  out += 'Z';
  return true;
}

bool append_name(std::string& out, const Described& described) {
  append_escaped(out, described.name);
  return true;
}

bool append_length(std::string& out, const Described& described) {
  if (described.item.entry.is_directory) return false;
  out += std::to_string(described.item.entry.size_bytes);
  return true;
}

bool append_type(std::string& out, const Described& described) {
  const storage::Entry& entry = described.item.entry;
  out += entry.is_directory ? "httpd/unix-directory" : http::media_type_of(entry.name);
  return true;
}

bool append_etag(std::string& out, const Described& described) {
  if (described.item.entry.is_directory) return false;
  append_escaped(out, etag_of(version_of(described.item.entry)));
  return true;
}

bool append_modified(std::string& out, const Described& described) {
  out += format_http_date(described.item.entry.modified_at);
  return true;
}

bool append_kind(std::string& out, const Described& described) {
  if (described.item.entry.is_directory) out += "<D:collection/>";
  return true;
}

bool append_found_locks(std::string& out, const Described& described) {
  append_locks(out, described.locks);
  return true;
}

bool append_supported_locks(std::string& out, const Described&) {
  out += kSupportedLocks;
  return true;
}

bool append_available(std::string& out, const Described& described) {
  if (!described.room || !described.room->available_bytes) return false;
  out += std::to_string(*described.room->available_bytes);
  return true;
}

bool append_used(std::string& out, const Described& described) {
  if (!described.room) return false;
  out += std::to_string(described.room->used_bytes);
  return true;
}

bool append_checksums(std::string& out, const Described& described) {
  const storage::Entry& entry = described.item.entry;
  if (entry.is_directory) return false;
  const auto known = known_checksum(described.dead, etag_of(version_of(entry)));
  if (!known) return false;
  out += "<checksum>";
  append_escaped(out, *known);
  out += "</checksum>";
  return true;
}

constexpr LiveProperty kLive[] = {
    {kDavNamespace, "creationdate", true, &append_created},
    {kDavNamespace, "displayname", true, &append_name},
    {kDavNamespace, "getcontentlength", true, &append_length},
    {kDavNamespace, "getcontenttype", true, &append_type},
    {kDavNamespace, "getetag", true, &append_etag},
    {kDavNamespace, "getlastmodified", true, &append_modified},
    {kDavNamespace, "resourcetype", true, &append_kind},
    {kDavNamespace, "lockdiscovery", true, &append_found_locks},
    {kDavNamespace, "supportedlock", false, &append_supported_locks},
    {kDavNamespace, "quota-available-bytes", false, &append_available},
    {kDavNamespace, "quota-used-bytes", false, &append_used},
    {kMicrosoft, "Win32LastModifiedTime", false, &append_modified},
    {kOwnCloudNamespace, kChecksums, false, &append_checksums},
};

const LiveProperty* find_live(const XmlName& name) {
  const auto* const found = std::ranges::find_if(kLive, [&](const LiveProperty& live) {
    return live.space == name.space && live.local == name.local;
  });
  return found == std::end(kLive) ? nullptr : found;
}

void append_empty(std::string& out, const XmlName& name) {
  if (name.space == kDavNamespace) {
    out.append("<D:").append(name.local).append("/>");
    return;
  }
  out.append("<").append(name.local).append(" xmlns=\"");
  append_escaped(out, name.space);
  out += "\"/>";
}

/// Appends the element of a live property. Returns false if the item does not have it.
bool append_live(std::string& out, const LiveProperty& live, const Described& described) {
  const std::size_t before = out.size();
  const bool is_dav = live.space == kDavNamespace;
  if (is_dav) {
    out.append("<D:").append(live.local).append(">");
  } else {
    out += fmt::format("<{} xmlns=\"{}\">", live.local, live.space);
  }
  if (!live.append(out, described)) {
    out.resize(before);
    return false;
  }
  out.append(is_dav ? "</D:" : "</").append(live.local).append(">");
  return true;
}

bool append_property(std::string& out, const XmlName& name, const Described& described) {
  if (const LiveProperty* live = find_live(name)) return append_live(out, *live, described);
  const DeadProperty* dead = find_property(described.dead, name);
  if (dead != nullptr) out += dead->xml;
  return dead != nullptr;
}

void append_propstat(std::string& out, std::string_view properties, unsigned status) {
  out.append("<D:propstat><D:prop>").append(properties).append("</D:prop><D:status>");
  out.append(status_line(status)).append("</D:status></D:propstat>");
}

void append_named(std::string& out, const Described& described, const PropertyQuery& query) {
  std::string found;
  std::string missing;
  for (const XmlName& name : query.names) {
    if (!append_property(found, name, described)) append_empty(missing, name);
  }
  const bool tells_missing = !missing.empty() && !query.is_minimal;
  if (!found.empty() || !tells_missing) append_propstat(out, found, 200);
  if (tells_missing) append_propstat(out, missing, 404);
}

bool is_among(const std::vector<XmlName>& names, const LiveProperty& live) {
  return std::ranges::any_of(names, [&](const XmlName& name) {
    return name.space == live.space && name.local == live.local;
  });
}

/// Windows reads no more than a megabyte of a folder's properties, so that what is the same for all
/// items, or empty for most, is left out.
bool is_told_unasked(const LiveProperty& live, const Described& described) {
  if (live.append == &append_found_locks) return !described.locks.empty();
  return live.is_in_all;
}

void append_all(std::string& out, const Described& described, const PropertyQuery& query) {
  std::string found;
  for (const LiveProperty& live : kLive) {
    if (is_told_unasked(live, described) || is_among(query.names, live)) {
      append_live(found, live, described);
    }
  }
  for (const DeadProperty& dead : described.dead) {
    if (!is_checksums(dead.name)) found += dead.xml;
  }
  append_propstat(out, found, 200);
}

void append_names(std::string& out, const Described& described) {
  std::string found;
  std::string value;
  for (const LiveProperty& live : kLive) {
    if (!live.append(value, described)) continue;
    append_empty(found, {std::string(live.space), std::string(live.local)});
  }
  for (const DeadProperty& dead : described.dead) {
    if (!is_checksums(dead.name)) append_empty(found, dead.name);
  }
  append_propstat(out, found, 200);
}

std::vector<XmlName> names_in(const XmlElement& list) {
  std::vector<XmlName> names;
  for (const XmlElement& one : list.children) {
    if (std::ranges::find(names, one.name) == names.end()) names.push_back(one.name);
  }
  return names;
}

}  // namespace

bool PropertyQuery::wants_dead() const {
  if (kind != Kind::named) return true;
  return std::ranges::any_of(
      names, [](const XmlName& name) { return find_live(name) == nullptr || is_checksums(name); });
}

bool PropertyQuery::wants_locks() const {
  if (kind != Kind::named) return kind == Kind::all;
  return std::ranges::any_of(names,
                             [](const XmlName& name) { return name.is_dav("lockdiscovery"); });
}

bool PropertyQuery::wants_room() const {
  return std::ranges::any_of(names, [](const XmlName& name) {
    return name.is_dav("quota-available-bytes") || name.is_dav("quota-used-bytes");
  });
}

std::size_t PropertyQuery::bytes_of_item() const {
  // Each character of a name may have to be escaped by six.
  constexpr std::size_t kEscaped = 6;
  constexpr std::size_t kMarkup = 64;
  std::size_t bytes = 1024;
  for (const XmlName& name : names) {
    bytes += kEscaped * name.space.size() + 2 * name.local.size() + kMarkup;
  }
  return bytes;
}

Result<PropertyQuery> read_query(const std::optional<XmlElement>& body) {
  PropertyQuery query;
  if (!body) return query;
  if (!body->name.is_dav("propfind")) {
    return fail(ErrorCode::invalid, "The body is no propfind element.");
  }
  if (const XmlElement* prop = body->child("prop")) {
    query.kind = PropertyQuery::Kind::named;
    query.names = names_in(*prop);
    return query;
  }
  if (body->child("propname") != nullptr) {
    query.kind = PropertyQuery::Kind::names_only;
    return query;
  }
  if (body->child("allprop") == nullptr) {
    return fail(ErrorCode::invalid, "The propfind element asks for nothing.");
  }
  if (const XmlElement* include = body->child("include")) query.names = names_in(*include);
  return query;
}

void append_response(std::string& out, const Described& described, const PropertyQuery& query) {
  out += "<D:response><D:href>";
  append_escaped(out, described.href);
  out += "</D:href>";
  switch (query.kind) {
    case PropertyQuery::Kind::named:
      append_named(out, described, query);
      break;
    case PropertyQuery::Kind::all:
      append_all(out, described, query);
      break;
    case PropertyQuery::Kind::names_only:
      append_names(out, described);
      break;
  }
  out += "</D:response>";
}

Settable settable(const XmlName& name) {
  if (name.is_dav("getlastmodified")) return Settable::modified;
  if (name.space == kMicrosoft) {
    return name.local == "Win32LastModifiedTime" ? Settable::modified : Settable::ignored;
  }
  // A name for people would not be seen elsewhere.
  if (find_live(name) != nullptr || name.space == kDavNamespace) return Settable::no;
  return Settable::dead;
}

std::optional<Timestamp> modified_in(const XmlElement& property) {
  const std::string text = property.text();
  return parse_http_date(http::trim(text));
}

}  // namespace coffer::api::dav
