#include "http/query.h"

#include "base/text.h"
#include "check.h"

using namespace coffer;

/// What is decoded is text without control characters.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::to_text(data, size);
  for (const bool plus_is_space : {false, true}) {
    const auto decoded = http::percent_decode(text, plus_is_space);
    if (decoded) fuzz::check(is_utf8(*decoded) && !has_control_character(*decoded));
  }
  const auto query = http::Query::parse(text);
  if (!query) return 0;
  for (const char* name : {"", "a", "path"}) {
    const auto value = query->get(name);
    if (value && *value) fuzz::check(is_utf8(**value) && !has_control_character(**value));
  }
  return 0;
}
