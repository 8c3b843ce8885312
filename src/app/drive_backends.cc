#include <boost/json.hpp>

#include "app/mount_backends.h"

namespace coffer::app {
namespace {

std::unexpected<Error> no_engine() {
  return fail(ErrorCode::unavailable, "Cloud drives are not served yet.");
}

}  // namespace

MountBackends::Made MountBackends::make_drive(const core::DriveSettings& /*settings*/,
                                              const catalog::Connector& /*connector*/) {
  return no_engine();
}

EngineCall MountBackends::engine_call() {
  return [](std::string_view, boost::json::object) -> Task<Result<boost::json::object>> {
    co_return no_engine();
  };
}

}  // namespace coffer::app
