#pragma once

#include <string>

#include "base/encoding.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::oauth {

/// A form and the settings for sending it. For the last three members see CodeExchange.
struct FormPost {
  std::string url;
  FormFields fields;
  storage::MayConnect may_connect = {};
  std::string ca_file = {};
  storage::Deadlines deadlines = {};
};

struct FormAnswer {
  long status = 0;
  std::string body;
};

/// Sends a form by POST and returns the response, even if its status reports an error. Connects and
/// fails as `exchange_code` (code_exchange.h) does.
Result<FormAnswer> send_form(const FormPost& post);

}  // namespace coffer::oauth
