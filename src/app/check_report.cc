#include "app/check_report.h"

#include <fmt/format.h>

#include "app/output.h"
#include "base/size_format.h"

namespace coffer::app {

void CheckReport::say(std::string_view line) const {
  if (!json_) print(line);
}

void CheckReport::problem(const std::string& line) {
  problems_.push_back(boost::json::string(line));
  say(line);
}

void CheckReport::note(const std::string& line) {
  notes_.push_back(boost::json::string(line));
  say(line);
}

void CheckReport::counted(const std::string& account, const core::Recount& count) {
  if (count.counted_bytes == count.recorded_bytes) {
    say(fmt::format("{}: {} bytes ({}).", account, count.counted_bytes,
                    format_size(count.counted_bytes)));
    return;
  }
  corrected_.push_back(boost::json::object{{"username", account},
                                           {"recordedBytes", count.recorded_bytes},
                                           {"countedBytes", count.counted_bytes}});
  say(fmt::format("{}: the catalog had {} bytes, the disk has {}; corrected.", account,
                  count.recorded_bytes, count.counted_bytes));
}

void CheckReport::finish(std::size_t accounts) {
  const std::size_t problems = problems_.size();
  say(fmt::format("{} account{} checked, {} problem{} left.", accounts, accounts == 1 ? "" : "s",
                  problems, problems == 1 ? "" : "s"));
  if (!json_) return;
  print(boost::json::serialize(boost::json::object{{"accounts", accounts},
                                                   {"problemCount", problems},
                                                   {"problems", problems_},
                                                   {"corrected", corrected_},
                                                   {"notes", notes_}}));
}

}  // namespace coffer::app
