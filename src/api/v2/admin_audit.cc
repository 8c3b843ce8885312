#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "api/v2/audit_details.h"
#include "api/v2/audit_export.h"
#include "api/v2/moment.h"
#include "api/v2/names.h"
#include "api/v2/paging.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

/// Which events.
struct AuditSelection {
  std::optional<catalog::AuditKind> event;
  std::optional<TypedName> account;
  std::optional<Moment> from;
  std::optional<Moment> to;
};
BOOST_DESCRIBE_STRUCT(AuditSelection, (), (event, account, from, to))

struct AuditParameters : AuditSelection {
  std::optional<ListLimit> limit;
  std::optional<ListCursor> cursor;
};
BOOST_DESCRIBE_STRUCT(AuditParameters, (AuditSelection), (limit, cursor))

struct AuditExportParameters : AuditSelection {
  std::optional<AuditFormat> format;
};
BOOST_DESCRIBE_STRUCT(AuditExportParameters, (AuditSelection), (format))

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

}  // namespace v2

template <>
struct Words<v2::AuditFormat> {
  static constexpr std::array all{v2::AuditFormat::csv, v2::AuditFormat::jsonl};
};

inline constexpr std::array<FieldDoc, 4> kAuditSelection{{
    {"event", "Only what happened so.", R"("account.created")"},
    {"account", "Only what this account did, or what was done to what has its name.", R"("ann")"},
    {"from", "Only what happened then or later, UTC.", R"("2026-01-01T00:00:00")"},
    {"to", "Only what happened earlier, UTC.", R"("2027-01-01T00:00:00")"},
}};

template <>
struct Docs<v2::AuditParameters> {
  static constexpr auto fields = joined(kAuditSelection, kPageFields);
};

template <>
struct Docs<v2::AuditExportParameters> {
  static constexpr auto fields =
      joined(kAuditSelection, std::array<FieldDoc, 1>{{
                                  {"format", "jsonl, which is the default, or csv.", R"("csv")"},
                              }});
};

namespace v2 {
namespace {

std::string cursor_of(const catalog::AuditEvent& event) {
  return fmt::format("{}-{}", event.at.time_since_epoch().count(), event.id);
}

Result<catalog::AuditPlace> place_from(const ListCursor& cursor) {
  const std::string& text = cursor.value;
  const char* const end = text.data() + text.size();
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || rest == end || *rest != '-') {
    return fail(ErrorCode::invalid, "The cursor is none of an answer.");
  }
  return catalog::AuditPlace{Timestamp(Timestamp::duration(count)), std::string(rest + 1, end)};
}

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
    auto place = place_from(*parameters.cursor);
    if (!place) co_return failure_of(std::move(place));
    filter.after = *std::move(place);
  }
  const std::size_t most = parameters.limit.value_or(ListLimit()).value;
  filter.most = most + 1;  // One more tells whether there is a next page.
  auto events = co_await call.services.audit.list(std::move(filter));
  if (!events) co_return failure_of(std::move(events));
  Page<AuditDetails> page;
  if (events->size() > most) {
    events->resize(most);
    page.next = cursor_of(events->back());
  }
  for (const catalog::AuditEvent& event : *events) page.entries.push_back(audit_details_of(event));
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
  response.body = std::make_shared<AuditExport>(call.services.audit, filter_of(parameters), format);
  co_return response;
}

}  // namespace

std::vector<Route> admin_audit_routes() {
  Route list{http::Method::get, "/api/v2/admin/audit", "listAuditEvents",
             "List who changed accounts, keys, shares, connectors and sessions",
             "The newest first, in parts. Kept as long as the setting audit_days says, and a "
             "million of them at most."};
  Route whole{http::Method::get, "/api/v2/admin/audit/export", "exportAuditEvents",
              "Download the audit log",
              "All that the parameters let through, the newest first. In CSV a text that a "
              "spreadsheet would take for a formula has an apostrophe in front."};
  whole.form = Form::table;
  whole.answer_schema = &schema_of<AuditDetails>;
  list.rule = CallerRule::administrator;
  whole.rule = CallerRule::administrator;
  return {json_route(list, &list_events), bytes_route(whole, &export_events)};
}

}  // namespace v2
}  // namespace coffer::api
