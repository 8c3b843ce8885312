#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace coffer::local {

/// For tests: while it lives, files grow to this size only, as on a full disk.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
  sighandler_t handler_{};
};

}  // namespace coffer::local
