#include "api/dav/if_header.h"
#include "check.h"

using namespace coffer;

/// What is read has conditions, and no more than there may be.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto header = api::dav::parse_if(fuzz::to_text(data, size));
  if (!header) return 0;
  fuzz::check(!header->lists.empty());
  std::size_t count = 0;
  for (const auto& list : header->lists) {
    fuzz::check(!list.conditions.empty());
    count += list.conditions.size();
    for (const auto& condition : list.conditions) fuzz::check(!condition.text.empty());
  }
  fuzz::check(count <= api::dav::kMostConditions);
  return 0;
}
