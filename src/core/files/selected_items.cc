#include "core/files/selected_items.h"

#include <utility>

namespace coffer::core {

Task<Result<std::optional<Path>>> SelectedItems::next() {
  if (next_ == part_.size()) {
    CO_TRY(part_, co_await next_part());
    next_ = 0;
    if (part_.empty()) co_return std::nullopt;
  }
  CO_TRY(auto item, seen(part_[next_++]));
  co_return std::optional(std::move(item));
}

Task<Result<std::vector<std::string>>> SelectedItems::next_part() {
  CO_TRY(auto part, co_await selections_.part(account_, id_, next_part_));
  ++next_part_;
  co_return part;
}

void SelectedItems::restart() {
  next_part_ = 0;
  part_.clear();
  next_ = 0;
}

Result<Path> SelectedItems::seen(const std::string& item) const {
  TRY(auto path, Path::parse(item));
  if (!scope_) return path;
  if (!path.is_within(*scope_)) return no_such_selection();
  return path.relative_to(*scope_);
}

}  // namespace coffer::core
