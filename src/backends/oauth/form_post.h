#pragma once

#include <string>

#include "base/encoding.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::oauth {

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

/// Sends a form and waits for the answer, whatever its status: as `exchange_code` says of the
/// connection and of failures.
Result<FormAnswer> send_form(const FormPost& post);

}  // namespace coffer::oauth
