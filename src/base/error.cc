#include "base/error.h"

#include <utility>

namespace coffer {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
      return "invalid";
    case ErrorCode::unauthenticated:
      return "unauthenticated";
    case ErrorCode::forbidden:
      return "forbidden";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::exists:
      return "exists";
    case ErrorCode::over_quota:
      return "over_quota";
    case ErrorCode::unavailable:
      return "unavailable";
    case ErrorCode::refused:
      return "refused";
    case ErrorCode::timed_out:
      return "timed_out";
    case ErrorCode::failed:
      return "failed";
  }
  std::unreachable();
}

}  // namespace coffer
