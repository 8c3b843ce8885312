#include "base/log.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer {
namespace {

std::string line(const char* logger, std::string_view payload, LogFormat format) {
  spdlog::memory_buf_t out;
  const spdlog::log_clock::time_point time{std::chrono::milliseconds(1'800'000'000'123)};
  log_line_formatter(format)->format(spdlog::details::log_msg(time, {}, logger, spdlog::level::warn,
                                                              {payload.data(), payload.size()}),
                                     out);
  return {out.data(), out.size()};
}

TEST(LogLine, HasTimeLevelAndMessage) {
  EXPECT_EQ(line("coffer", "a \"b\"", LogFormat::text),
            "2027-01-15T08:00:00.123Z warning a \"b\"\n");
  EXPECT_EQ(line("coffer", "a \"b\"", LogFormat::json),
            "{\"time\":\"2027-01-15T08:00:00.123Z\",\"level\":\"warning\",\"message\":\"a "
            "\\\"b\\\"\"}\n");
}

TEST(LogLine, OfJsonIsOneWhateverTheMessage) {
  EXPECT_NE(line("coffer", "a\nb\t\\\x7f", LogFormat::json).find(R"(a\u000ab\u0009\\\u007f)"),
            std::string::npos);
  EXPECT_NE(line("coffer", "Käse …", LogFormat::json).find("Käse …"), std::string::npos);
  EXPECT_NE(line("coffer", "no \xff UTF-8", LogFormat::json).find(R"(no \u00ff UTF-8)"),
            std::string::npos);
}

TEST(LogLine, OfFieldsHasAMemberForEach) {
  const LogField fields[] = {
      {"name", std::string_view("a\"b")}, {"count", std::uint64_t{7}}, {"took", 0.12345}};
  const std::string members = members_of(fields);
  EXPECT_EQ(members, R"("name":"a\"b","count":7,"took":0.123)");
  EXPECT_EQ(line(kFieldsLogger, members, LogFormat::json),
            "{\"time\":\"2027-01-15T08:00:00.123Z\",\"level\":\"warning\"," + members + "}\n");
}

}  // namespace
}  // namespace coffer
