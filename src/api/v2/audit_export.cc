#include "api/v2/audit_export.h"

#include <initializer_list>
#include <utility>
#include <vector>

#include "api/v2/audit_details.h"

namespace coffer::api::v2 {
namespace {

constexpr std::size_t kEventsAtOnce = 500;
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

void append_json(std::string& out, const AuditDetails& details) {
  rapidjson::StringBuffer buffer;
  JsonWriter writer(buffer);
  api::write_json(writer, details);
  out.append(buffer.GetString(), buffer.GetSize());
  out += '\n';
}

}  // namespace

std::string_view to_string(AuditFormat format) {
  return format == AuditFormat::csv ? "csv" : "jsonl";
}

AuditExport::AuditExport(catalog::Audit& audit, catalog::AuditFilter filter, AuditFormat format)
    : audit_(audit), filter_(std::move(filter)), format_(format) {
  filter_.most = kEventsAtOnce;
}

Task<Result<std::optional<std::string_view>>> AuditExport::next() {
  if (has_ended_) co_return std::nullopt;
  const auto events = co_await audit_.list(filter_);
  if (!events) co_return failure_of(events);
  text_.clear();
  if (!std::exchange(has_begun_, true) && format_ == AuditFormat::csv) text_ = kHead;
  for (const catalog::AuditEvent& event : *events) append(event);
  has_ended_ = events->size() < filter_.most;
  if (!events->empty()) {
    filter_.after = catalog::AuditPlace{events->back().at, events->back().id};
  }
  co_return std::string_view(text_);
}

void AuditExport::append(const catalog::AuditEvent& event) {
  if (format_ == AuditFormat::jsonl) {
    append_json(text_, audit_details_of(event));
    return;
  }
  append_row(text_, {event.id, format_timestamp(event.at), to_string(event.kind), event.actor.name,
                     event.actor.key_id, event.actor.session_id, event.actor.address, event.subject,
                     event.details});
}

}  // namespace coffer::api::v2
