#include "base/log_line.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>

#include <utility>

#include "base/text.h"

namespace coffer {
namespace {

/// RFC 8259, section 7. Of a text that is not UTF-8, each byte beyond ASCII stands for itself as if
/// it were Latin 1.
std::string json_string(std::string_view text) {
  const bool is_text = is_utf8(text);
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !is_text)) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out += '"';
}

struct JsonOf {
  std::string operator()(std::string_view text) const { return json_string(text); }
  std::string operator()(std::uint64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return fmt::format("{:.3f}", number); }
};

/// The members of an event behind its time and level.
class JsonMembers final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const std::string_view payload(message.payload.data(), message.payload.size());
    const std::string_view logger(message.logger_name.data(), message.logger_name.size());
    if (logger == kFieldsLogger) {
      out.append(payload.data(), payload.data() + payload.size());
      return;
    }
    const std::string text = "\"message\":" + json_string(payload);
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JsonMembers>();
  }
};

}  // namespace

std::unique_ptr<spdlog::formatter> log_line_formatter(LogFormat format) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  if (format == LogFormat::json) {
    formatter->add_flag<JsonMembers>('*').set_pattern(
        R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%*})");
  } else {
    formatter->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v");
  }
  return formatter;
}

std::string members_of(std::span<const LogField> fields) {
  std::string text;
  for (const LogField& field : fields) {
    if (!text.empty()) text += ',';
    text += json_string(field.name) + ':' + std::visit(JsonOf(), field.value);
  }
  return text;
}

}  // namespace coffer
