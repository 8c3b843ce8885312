#include "storage/remote.h"

#include <cstdlib>

namespace coffer::storage {
namespace {

bool take(std::size_t& left, std::size_t count) {
  if (count > left) return false;
  left -= count;
  return true;
}

}  // namespace

Result<void> WalkBudget::enter(std::size_t depth) const {
  if (depth <= left_.depth) return {};
  return fail(ErrorCode::refused, "The folders are nested too deeply.");
}

Result<void> WalkBudget::spend(std::size_t items, std::size_t name_bytes) {
  if (take(left_.folders, 1) && take(left_.items, items) && take(left_.name_bytes, name_bytes)) {
    return {};
  }
  return fail(ErrorCode::refused, "There is too much in the folder.");
}

std::optional<std::string> trusted_certificates() {
  const char* const file = std::getenv("SSL_CERT_FILE");
  if (file == nullptr) return std::nullopt;
  return file;
}

}  // namespace coffer::storage
