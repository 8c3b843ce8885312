#include <fmt/format.h>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "api/v2/values.h"
#include "catalog/audit.h"
#include "core/namespace/access_recheck.h"
#include "http/message.h"

namespace coffer::api::v2 {
namespace {

/// An event of the audit log, as administrators see it.
struct AuditDetails {
  static constexpr std::string_view kSchema = "AuditEvent";
  FIELD(std::string, id, "Identifier.", R"("5f0c2a9d1b7e4c38")");
  FIELD(Timestamp, at, "The time of the event, UTC.", R"("2026-11-21T06:14:09")");
  FIELD(catalog::AuditKind, event,
        "The kind of event. session.refused is a sign-in with a wrong name or password; the "
        "password is never recorded.",
        R"("account.created")");
  FIELD(std::string, actor,
        "The account that caused it, by its name at that time; empty for the command line, and if "
        "it is not known.",
        R"("ann")");
  FIELD(std::optional<std::string>, keyId, "The key that was used; null for none.", "null");
  FIELD(std::optional<std::string>, sessionId, "The session that was used; null for none.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, address, "The client's address; empty for the command line.",
        R"("192.0.2.1")");
  FIELD(std::string, subject,
        "The account, share or connector that it concerns, by its name at that time.", R"("ben")");
  FIELD(std::string, details, "Details, for people.", R"("role=user, quota=0")");
};

AuditDetails audit_details_of(const catalog::AuditEvent& event) {
  const auto given = [](const std::string& id) {
    return id.empty() ? std::nullopt : std::optional(id);
  };
  AuditDetails details;
  details.id = event.id;
  details.at = event.at;
  details.event = event.kind;
  details.actor = event.actor.name;
  details.keyId = given(event.actor.key_id);
  details.sessionId = given(event.actor.session_id);
  details.address = event.actor.address;
  details.subject = event.subject;
  details.details = event.details;
  return details;
}

enum class AuditFormat : std::uint8_t { csv, jsonl };

constexpr auto words_of(AuditFormat) {
  return enum_words<AuditFormat>({{AuditFormat::csv, "csv"}, {AuditFormat::jsonl, "jsonl"}});
}

/// The events of a filter, the newest first, as the body of a response; `audit` is the server's.
class AuditExport final : public http::Stream {
 public:
  AuditExport(const Call& call, catalog::AuditFilter filter, AuditFormat format);

  Task<Result<std::optional<std::string_view>>> next() override;

 private:
  void append(const catalog::AuditEvent& event);

  catalog::Audit& audit_;
  core::AccessRecheck& access_recheck_;
  const core::Principal reader_;
  core::RecheckTimer timer_;
  catalog::AuditFilter filter_;
  const AuditFormat format_;
  std::string text_;
  bool has_begun_ = false;
  bool has_ended_ = false;
};

constexpr std::size_t kEventsAtOnce = 500;
/// So many events, and their text.
constexpr std::uint64_t kExportBytes = 512 * 1024;
constexpr std::string_view kHead = "id,at,event,actor,keyId,sessionId,address,subject,details\r\n";

/// RFC 4180. What a spreadsheet would take for a formula gets an apostrophe in front: clients
/// choose some of the texts.
void append_cell(std::string& out, std::string_view text) {
  const bool is_formula = !text.empty() && std::string_view("=+-@\t\r").contains(text.front());
  const bool is_quoted = is_formula || text.find_first_of(",\"\r\n") != std::string_view::npos;
  if (!is_quoted) {
    out += text;
    return;
  }
  out += '"';
  if (is_formula) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_row(std::string& out, std::initializer_list<std::string_view> cells) {
  bool is_first = true;
  for (const std::string_view cell : cells) {
    if (!std::exchange(is_first, false)) out += ',';
    append_cell(out, cell);
  }
  out += "\r\n";
}

AuditExport::AuditExport(const Call& call, catalog::AuditFilter filter, AuditFormat format)
    : audit_(call.services.audit),
      access_recheck_(call.services.access_recheck),
      reader_(call.principal()),
      filter_(std::move(filter)),
      format_(format) {
  filter_.most = kEventsAtOnce;
}

Task<Result<std::optional<std::string_view>>> AuditExport::next() {
  if (has_ended_) co_return std::nullopt;
  if (timer_.is_due()) {
    CO_TRY_VOID(co_await access_recheck_.of_administrator(reader_));
  }
  CO_TRY(const auto events, co_await audit_.list(filter_));
  text_.clear();
  if (!std::exchange(has_begun_, true) && format_ == AuditFormat::csv) text_ = kHead;
  for (const catalog::AuditEvent& event : events) append(event);
  has_ended_ = events.size() < filter_.most;
  if (!events.empty()) {
    filter_.after = catalog::AuditPlace{events.back().at, events.back().id};
  }
  co_return std::string_view(text_);
}

void AuditExport::append(const catalog::AuditEvent& event) {
  if (format_ == AuditFormat::jsonl) {
    text_ += json_of(audit_details_of(event)) + '\n';
    return;
  }
  append_row(text_, {event.id, format_timestamp(event.at), word_of(event.kind), event.actor.name,
                     event.actor.key_id, event.actor.session_id, event.actor.address, event.subject,
                     event.details});
}

/// Which events.
struct AuditSelection {
  FIELD(std::optional<catalog::AuditKind>, event, "Only events of this kind.",
        R"("account.created")");
  FIELD(std::optional<TypedName>, account,
        "Only events that this account caused or that concern something of its name.", R"("ann")");
  FIELD(std::optional<Moment>, from, "Only events at or after this time, UTC.",
        R"("2026-01-01T00:00:00")");
  FIELD(std::optional<Moment>, to, "Only events before this time, UTC.",
        R"("2027-01-01T00:00:00")");
};

struct AuditParameters : AuditSelection, ListPartParameters {
  FIELDS_OF(AuditSelection, ListPartParameters);
};

struct AuditExportParameters : AuditSelection {
  FIELD(std::optional<AuditFormat>, format, "jsonl (default) or csv.", R"("csv")");
};

catalog::AuditFilter filter_of(const AuditSelection& selection) {
  catalog::AuditFilter filter;
  filter.kind = selection.event;
  if (selection.account) filter.account = selection.account->value;
  if (selection.from) filter.from = selection.from->value;
  if (selection.to) filter.to = selection.to->value;
  return filter;
}

Task<Result<Answer<Page<AuditDetails>>>> list_events(Call call, AuditParameters parameters,
                                                     NoBody) {
  catalog::AuditFilter filter = filter_of(parameters);
  if (parameters.cursor) {
    CO_TRY(auto position, position_of(*parameters.cursor));
    filter.after = {position.first, std::move(position.second)};
  }
  const std::size_t most = parameters.limit.value_or(ListLimit()).value;
  filter.most = most + 1;  // One more tells whether there is a next page.
  CO_TRY(auto events, co_await call.services.audit.list(std::move(filter)));
  Page<AuditDetails> page;
  if (events.size() > most) {
    events.resize(most);
    page.next = cursor_of(events.back().at, events.back().id);
  }
  for (const catalog::AuditEvent& event : events) page.entries.push_back(audit_details_of(event));
  co_return Answer<Page<AuditDetails>>{std::move(page)};
}

Task<Result<http::Response>> export_events(Call call, AuditExportParameters parameters) {
  const AuditFormat format = parameters.format.value_or(AuditFormat::jsonl);
  const bool is_csv = format == AuditFormat::csv;
  http::Response response;
  response.headers.emplace_back("Content-Type",
                                is_csv ? "text/csv; charset=utf-8" : "application/x-ndjson");
  response.headers.emplace_back(
      "Content-Disposition",
      is_csv ? "attachment; filename=\"audit.csv\"" : "attachment; filename=\"audit.jsonl\"");
  response.headers.emplace_back("Cache-Control", "no-store");
  auto hold = call.services.memory.begin(call.holder());
  CO_TRY_VOID(hold.grow(kExportBytes));
  keep_until_sent(std::move(hold), response);
  response.body = std::make_shared<AuditExport>(call, filter_of(parameters), format);
  co_return response;
}

}  // namespace

std::vector<Route> admin_audit_routes() {
  return {json_route(Route(http::Method::get, "/api/v2/admin/audit", "listAuditEvents",
                           "List who changed accounts, keys, shares, connectors and sessions",
                           "Newest first, in pages. Events are kept for the days of the setting "
                           "audit_days, a million at most.",
                           CallerRule::administrator),
                     &list_events),
          bytes_route(Route(http::Method::get, "/api/v2/admin/audit/export", "exportAuditEvents",
                            "Download the audit log",
                            "All selected events, newest first. In CSV, a text that a spreadsheet "
                            "would read as a formula begins with an apostrophe.",
                            CallerRule::administrator, 200, {}, Form::table, false,
                            &schema_of<AuditDetails>),
                      &export_events)};
}

}  // namespace coffer::api::v2
