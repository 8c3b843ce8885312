#pragma once

#include <locale.h>

namespace coffer::core {

/// Sets a UTF-8 locale for the current thread and restores the old one on destruction. It is needed
/// because libarchive converts the names of items according to the thread's locale.
class Utf8Thread {
 public:
  /// Throws if the system has no UTF-8 locale.
  Utf8Thread();
  ~Utf8Thread();
  Utf8Thread(const Utf8Thread&) = delete;
  Utf8Thread& operator=(const Utf8Thread&) = delete;

 private:
  const locale_t old_;
};

}  // namespace coffer::core
