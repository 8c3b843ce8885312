#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/accounts/quota.h"

namespace coffer::app {

/// What a check finds, printed line by line as it goes, or at its end as JSON.
class CheckReport {
 public:
  explicit CheckReport(bool json) : json_(json) {}

  void problem(const std::string& line);
  /// What is worth knowing and no problem.
  void note(const std::string& line);
  void counted(const std::string& account, const core::Recount& count);
  void finish(std::size_t accounts);

  bool is_clean() const { return problems_.empty(); }

 private:
  void say(std::string_view line) const;

  bool json_;
  boost::json::array problems_;
  boost::json::array notes_;
  boost::json::array corrected_;
};

}  // namespace coffer::app
