#pragma once

#include <array>
#include <optional>
#include <string>

#include "api/schema.h"
#include "catalog/audit.h"

namespace coffer::api {

namespace v2 {

/// An event of the audit log, as administrators see it.
struct AuditDetails {
  std::string id;
  Timestamp at;
  catalog::AuditKind event = catalog::AuditKind::account_created;
  std::string actor;
  std::optional<std::string> keyId;
  std::optional<std::string> sessionId;
  std::string address;
  std::string subject;
  std::string details;
};
BOOST_DESCRIBE_STRUCT(AuditDetails, (),
                      (id, at, event, actor, keyId, sessionId, address, subject, details))

AuditDetails audit_details_of(const catalog::AuditEvent& event);

}  // namespace v2

template <>
struct Words<catalog::AuditKind> {
  using enum catalog::AuditKind;
  static constexpr std::array all{
      account_created,   account_changed,   account_removed,   key_created,
      key_revoked,       share_created,     share_changed,     share_removed,
      connector_created, connector_changed, connector_removed, session_created,
      session_refused,   session_ended,     link_created,      link_ended};
};

template <>
struct Docs<v2::AuditDetails> {
  static constexpr std::string_view name = "AuditEvent";
  static constexpr std::array<FieldDoc, 9> fields{{
      {"id", "Identifier.", R"("5f0c2a9d1b7e4c38")"},
      {"at", "When it happened, UTC.", R"("2026-11-21T06:14:09")"},
      {"event",
       "What happened. session.refused is a sign-in with a wrong name or password; a password that "
       "was typed is never noted.",
       R"("account.created")"},
      {"actor",
       "The account that did it, by the name that it had then; empty for the command line, and "
       "where it is not known.",
       R"("ann")"},
      {"keyId", "The key that it was done with; null where it was none.", "null"},
      {"sessionId", "The session that it was done with; null where it was none.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"address", "The client's address; empty for the command line.", R"("192.0.2.1")"},
      {"subject", "The account, share or connector that it was done to, by its name then.",
       R"("ben")"},
      {"details", "What of it, for people.", R"("role=user, quota=0")"},
  }};
};

}  // namespace coffer::api
