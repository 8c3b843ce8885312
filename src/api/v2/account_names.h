#pragma once

#include <string>
#include <vector>

#include "api/v2/body_schema.h"
#include "base/error.h"

namespace coffer::api::v2 {

/// A list of accounts by their names: at most 1000.
struct AccountNames {
  std::vector<std::string> value;
};

Result<void> from_json(const boost::json::value& json, AccountNames& out);

template <>
struct BodySchema<AccountNames> {
  static boost::json::object make();
};

}  // namespace coffer::api::v2
