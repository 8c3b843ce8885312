#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/audit.h"
#include "http/response.h"

namespace coffer::api::v2 {

enum class AuditFormat : std::uint8_t { csv, jsonl };
std::string_view to_string(AuditFormat format);

/// The events that a filter lets through, the newest first, as the body of a response.
class AuditExport final : public http::Stream {
 public:
  /// `audit` outlives it.
  AuditExport(catalog::Audit& audit, catalog::AuditFilter filter, AuditFormat format);

  Task<Result<std::optional<std::string_view>>> next() override;

 private:
  void append(const catalog::AuditEvent& event);

  catalog::Audit& audit_;
  catalog::AuditFilter filter_;
  const AuditFormat format_;
  std::string text_;
  bool has_begun_ = false;
  bool has_ended_ = false;
};

}  // namespace coffer::api::v2
