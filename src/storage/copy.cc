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
  CO_TRY_VOID(co_await options.on_staging(place));
  co_return name;
}

Result<void> go_on(const CopyWatch& watch) {
  if (watch.was_cancelled()) return fail(ErrorCode::failed, "The copy was cancelled.");
  return {};
}

Task<Result<void>> ask(const MayShow& may_show) {
  if (!may_show) co_return Result<void>();
  co_return co_await may_show();
}

Task<Result<void>> may_show(const CopyOptions& options) {
  CO_TRY_VOID(go_on(options.watch));
  co_return co_await ask(options.may_show);
}

}  // namespace coffer::storage
