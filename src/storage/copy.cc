#include "storage/copy.h"

#include "storage/partial_name.h"

namespace coffer::storage {

CopyWatch& nobody() {
  static CopyWatch watch;
  return watch;
}

Task<Result<std::string>> choose_staging(const CopyOptions& options, const Path& to) {
  std::string name = partial_name();
  if (!options.on_staging) co_return name;
  const Path place = to.parent() / Name::parse(name).value();
  const auto told = co_await options.on_staging(place);
  if (!told) co_return failure_of(told);
  co_return name;
}

Result<void> go_on(const CopyWatch& watch) {
  if (watch.was_cancelled()) return fail(ErrorCode::failed, "The copy was cancelled.");
  return {};
}

Task<Result<void>> may_show(const CopyOptions& options) {
  auto on = go_on(options.watch);
  if (on && options.may_show) on = co_await options.may_show();
  co_return on;
}

}  // namespace coffer::storage
