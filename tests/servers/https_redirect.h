#pragma once

#include <memory>
#include <string>

#include "base/testing/scratch_folder.h"
#include "servers/certificate.h"
#include "servers/server_process.h"

namespace coffer::servers {

/// A web server that speaks https and sends every request on to the same path elsewhere.
class HttpsRedirect {
 public:
  /// `target` as far as the path. Needs Python.
  HttpsRedirect(const Certificate& certificate, const std::string& target);

  std::uint16_t port() const { return process_->port(); }

 private:
  ScratchFolder scratch_;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace coffer::servers
