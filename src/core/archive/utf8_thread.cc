#include "core/archive/utf8_thread.h"

#include <stdexcept>

namespace coffer::core {
namespace {

locale_t utf8_locale() {
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
  if (utf8 == locale_t{}) throw std::runtime_error("this system has no locale C.UTF-8");
  return utf8;
}

}  // namespace

Utf8Thread::Utf8Thread() : old_(::uselocale(utf8_locale())) {}

Utf8Thread::~Utf8Thread() {
  ::uselocale(old_);
}

}  // namespace coffer::core
