#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace coffer {

/// The order of names in a listing, as people who read one language expect it: by the Unicode
/// collation algorithm (UTS 10) with CLDR's tailoring for the language. Case does not count,
/// accents do, and numbers are compared by their value (`file2` before `file10`). Names that are
/// equal by all this are ordered bytewise, so that the order is strict and total. Safe from any
/// thread.
class NameOrder {
 public:
  /// Returns the order of a language, named by a BCP 47 tag such as `sv`. Returns the order of
  /// CLDR's root for the empty tag and for a language that Coffer does not know.
  static const NameOrder& of(std::string_view language);

  /// The tags of all languages that Coffer knows, in alphabetical order, without the empty one.
  static std::span<const std::string_view> languages();

  /// Returns the sort key of a name. Keys are compared bytewise, so that sorting a large folder is
  /// cheap. If two names have equal keys, compare the names bytewise.
  std::string key(std::string_view name) const;

  /// Returns true if `a` comes before `b`.
  bool less(std::string_view a, std::string_view b) const;

  ~NameOrder();

 private:
  struct Collator;
  explicit NameOrder(std::unique_ptr<const Collator> collator);

  const std::unique_ptr<const Collator> collator_;
};

}  // namespace coffer
