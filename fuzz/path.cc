#include "base/path.h"

#include "base/text.h"
#include "check.h"

using namespace coffer;

/// What the parser lets through keeps the promises of its type.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::to_text(data, size);
  if (const auto name = Name::parse(text)) {
    fuzz::check(name->str() == text && is_utf8(text) && !has_control_character(text));
    fuzz::check(!text.empty() && text != "." && text != ".." && text.size() <= 255);
    fuzz::check(text.find_first_of("/\\") == std::string_view::npos);
    fuzz::check((Path() / *name).name() == text);
  }
  const auto path = Path::parse(text);
  if (!path) return 0;
  std::size_t count = 0;
  for (const auto component : path->components()) {
    ++count;
    fuzz::check(!component.empty() && component != "." && component != "..");
  }
  fuzz::check(count == path->depth() && path->is_root() == (count == 0));
  fuzz::check(is_utf8(path->str()) && !has_control_character(path->str()));
  fuzz::check(Path::parse(path->str()) == *path);
  fuzz::check(path->is_within(path->parent()));
  fuzz::check(path->parent() / path->relative_to(path->parent()) == *path);
  return 0;
}
