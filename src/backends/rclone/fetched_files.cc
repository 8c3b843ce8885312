#include "backends/rclone/fetched_files.h"

#include <boost/json.hpp>
#include <chrono>
#include <string_view>
#include <utility>

#include "async/task_group.h"
#include "backends/rclone/engine/remote_control.h"
#include "backends/rclone/items_parser.h"
#include "backends/rclone/rclone_job.h"
#include "base/random.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr int kFetchesAtOnce = 4;

/// As Go's regexp.QuoteMeta does.
std::string expression_of(std::string_view name) {
  constexpr std::string_view kMeta = R"(\.+*?()|[]{}^$)";
  std::string text;
  for (const char c : name) {
    if (kMeta.contains(c)) text += '\\';
    text += c;
  }
  return text;
}

/// Stops the fetch when the transfer is stopped, or when nothing has come for the time in which a
/// stream would be given up.
class FetchWatch final : public storage::CopyWatch {
 public:
  FetchWatch(const storage::CopyWatch& transfer, Clock::duration stall)
      : transfer_(transfer), stall_(stall) {}

  bool was_cancelled() const override {
    return transfer_.was_cancelled() || Clock::now() - last_ > stall_;
  }
  void wrote(std::uint64_t /*bytes*/) override { last_ = Clock::now(); }

 private:
  const storage::CopyWatch& transfer_;
  const Clock::duration stall_;
  Clock::time_point last_ = Clock::now();
};

Task<Result<std::vector<DriveItem>>> items_in_memory(const RcloneInstance& run,
                                                     const std::string& fs, Clock::duration limit) {
  std::vector<DriveItem> items;
  ItemsParser parser([&items](DriveItem item) -> Result<void> {
    items.push_back(std::move(item));
    return {};
  });
  auto take = [&parser](std::string_view piece) { return parser.parse(piece); };
  json::object brief{{"noMimeType", true}};
  json::object parameters{{"fs", fs}, {"remote", ""}, {"opt", std::move(brief)}};
  auto listed =
      co_await call_for_text(run, "operations/list", std::move(parameters), std::move(take), limit);
  if (listed) listed = parser.end();
  if (!listed) co_return failure_of(std::move(listed));
  co_return items;
}

/// Name by name: rclone 1.60 waits for ever for the end of a removal of all that it has in memory.
Task<void> drop(RcloneProcess::Run run, std::string fs, Clock::duration limit) {
  const auto items = co_await items_in_memory(*run, fs, limit);
  if (!items) co_return;
  for (const DriveItem& item : *items) {
    json::object which{{"fs", fs}, {"remote", item.path}};
    const auto gone = co_await call(*run, "operations/deletefile", std::move(which), limit);
    if (!gone) co_return;
  }
  json::object all{{"fs", fs}, {"remote", ""}};
  const auto gone = co_await call(*run, "operations/rmdir", std::move(all), limit);
}

}  // namespace

json::object only_named(std::span<const storage::Entry> items) {
  // One expression, which rclone tries faster than a rule for each name.
  std::string names;
  for (const storage::Entry& item : items) {
    if (!names.empty()) names += '|';
    names += expression_of(item.name);
  }
  json::array rules{"+ /{{(" + names + ")}}", "- *"};
  return {{"FilterRule", std::move(rules)}};
}

Task<Result<std::shared_ptr<FetchedFiles>>> FetchedFiles::fetch(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch) {
  const std::string fs = ":memory:coffer-" + random_hex(16);
  json::object config{{"MaxDepth", 1}, {"Transfers", kFetchesAtOnce}};
  json::object parameters{{"srcFs", remote->fs(folder)},
                          {"dstFs", fs},
                          {"_filter", only_named(files)},
                          {"_config", std::move(config)}};
  auto job = co_await RcloneJob::start(*remote, "sync/copy", std::move(parameters));
  if (!job) co_return failure_of(std::move(job));
  const std::shared_ptr<FetchedFiles> fetched(new FetchedFiles(remote, job->run(), fs));
  FetchWatch stalls(watch, remote->options.deadlines.stall);
  const auto copied = co_await job->wait(stalls);
  // Those that could not be fetched are left to be opened one by one, which tells why.
  if (!copied && stalls.was_cancelled()) co_return failure_of(copied);
  auto items = co_await items_in_memory(*fetched->run_, fs, remote->options.deadlines.reply);
  if (!items) co_return failure_of(std::move(items));
  fetched->items_ = *std::move(items);
  co_return fetched;
}

FetchedFiles::~FetchedFiles() {
  if (remote_->upload_server.is_ending()) return;
  spawn_background(remote_->upload_server.executor(),
                   drop(run_, fs_, remote_->options.deadlines.reply));
}

}  // namespace coffer::rclone
