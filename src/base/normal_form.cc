#include "base/normal_form.h"

#include <utf8proc.h>

#include <cstdlib>

namespace coffer {

std::string normalized(std::string_view text, NormalForm form) {
  const auto how = form == NormalForm::composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  utf8proc_uint8_t* mapped = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                                 static_cast<utf8proc_option_t>(UTF8PROC_STABLE | how));
  if (size < 0) return std::string(text);
  std::string made(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size));
  std::free(mapped);
  return made;
}

}  // namespace coffer
