#include "backends/ftp/pending_deletes.h"

#include <utility>

namespace coffer::ftp {

bool PendingDeletes::add(std::string partial) {
  const std::lock_guard lock(mutex_);
  partials_.push_back(std::move(partial));
  return !std::exchange(sweeping_, true);
}

std::vector<std::string> PendingDeletes::take() {
  const std::lock_guard lock(mutex_);
  sweeping_ = false;
  return std::exchange(partials_, {});
}

}  // namespace coffer::ftp
