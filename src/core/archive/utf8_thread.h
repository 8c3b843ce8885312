#pragma once

#include <locale.h>

namespace coffer::core {

/// While it lives, names are UTF-8 on this thread: libarchive takes them for what the thread's
/// locale says.
class Utf8Thread {
 public:
  /// Throws where the system has no such locale.
  Utf8Thread();
  ~Utf8Thread();
  Utf8Thread(const Utf8Thread&) = delete;
  Utf8Thread& operator=(const Utf8Thread&) = delete;

 private:
  const locale_t old_;
};

}  // namespace coffer::core
