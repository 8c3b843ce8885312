#include "api/dav/dead_properties.h"
#include "api/dav/lock_words.h"
#include "api/dav/properties.h"
#include "api/dav/xml.h"
#include "check.h"

using namespace coffer;
using namespace coffer::api::dav;

namespace {

Result<XmlElement> parse(std::string_view text) {
  XmlParser parser({.bytes = 1024 * 1024});
  TRY_VOID(parser.add(text));
  return parser.finish();
}

}  // namespace

/// What is read is written as text that reads as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::to_text(data, size);
  (void)read_properties(text);
  const auto root = parse(text);
  if (!root) return 0;
  const std::string written = text_of(*root);
  const auto again = parse(written);
  fuzz::check(again.has_value());
  fuzz::check(text_of(*again) == written);
  (void)read_query(*root);
  (void)read_lock_info(*root);
  (void)modified_in(*root);
  return 0;
}
