#include "base/name_order.h"

#include <unicode/coll.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace coffer {
namespace {

/// Those of the interface, and others in which many people read. Each that is used keeps its rules
/// in memory, so the list is closed. The first is CLDR's root.
constexpr auto kLanguages = std::to_array<std::string_view>(
    {"",   "ar", "cs", "da", "de", "el", "en", "es", "et", "fi",      "fr",
     "he", "hr", "hu", "it", "ja", "ko", "lt", "lv", "nb", "nl",      "pl",
     "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi", "zh-Hans", "zh-Hant"});

std::size_t index_of(std::string_view language) {
  const auto found = std::ranges::find(kLanguages, language);
  return found == kLanguages.end() ? 0 : static_cast<std::size_t>(found - kLanguages.begin());
}

}  // namespace

struct NameOrder::Collator {
  std::unique_ptr<icu::Collator> rules;
};

NameOrder::NameOrder(std::unique_ptr<const Collator> collator) : collator_(std::move(collator)) {}
NameOrder::~NameOrder() = default;

const NameOrder& NameOrder::of(std::string_view language) {
  static std::array<std::once_flag, kLanguages.size()> made;
  static std::array<std::unique_ptr<const NameOrder>, kLanguages.size()> orders;
  const std::size_t index = index_of(language);
  std::call_once(made[index], [index] {
    UErrorCode status = U_ZERO_ERROR;
    const auto locale = icu::Locale::forLanguageTag(kLanguages[index], status);
    auto collator = std::make_unique<Collator>();
    collator->rules.reset(icu::Collator::createInstance(locale, status));
    if (collator->rules) {
      collator->rules->setAttribute(UCOL_NUMERIC_COLLATION, UCOL_ON, status);
      collator->rules->setStrength(icu::Collator::SECONDARY);
    }
    if (U_FAILURE(status)) throw std::runtime_error("ICU's collation data cannot be read");
    orders[index].reset(new NameOrder(std::move(collator)));
  });
  return *orders[index];
}

std::span<const std::string_view> NameOrder::languages() {
  return std::span(kLanguages).subspan(1);
}

std::string NameOrder::key(std::string_view name) const {
  // UTF-16 has no more units than UTF-8 has bytes. What is no text becomes U+FFFD.
  thread_local std::vector<UChar> text;
  text.resize(name.size() + 1);
  int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8WithSub(text.data(), static_cast<int32_t>(text.size()), &length, name.data(),
                       static_cast<int32_t>(name.size()), 0xFFFD, nullptr, &status);
  std::array<std::uint8_t, 256> bytes;
  const auto size = collator_->rules->getSortKey(text.data(), length, bytes.data(), bytes.size());
  if (size <= static_cast<int32_t>(bytes.size())) {
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size - 1)};
  }
  std::string key(static_cast<std::size_t>(size), '\0');
  collator_->rules->getSortKey(text.data(), length, reinterpret_cast<std::uint8_t*>(key.data()),
                               size);
  key.pop_back();  // Its end, a zero, which is in no key.
  return key;
}

bool NameOrder::less(std::string_view a, std::string_view b) const {
  const std::string key_a = key(a);
  const std::string key_b = key(b);
  return key_a != key_b ? key_a < key_b : a < b;
}

}  // namespace coffer
