#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "async/task_group.h"
#include "backends/rclone/drive_items.h"
#include "backends/rclone/drive_reader.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/http_exchange.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/remote_control.h"
#include "backends/rclone/rclone_job.h"
#include "base/random.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr int kFetchesAtOnce = 4;

/// Quotes a name as Go's regexp.QuoteMeta does.
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

/// By their names.
using ItemsByName = std::unordered_map<std::string_view, const DriveItem*>;

ItemsByName by_name(const std::vector<DriveItem>& items) {
  ItemsByName found;
  for (const DriveItem& item : items) found.emplace(item.name(), &item);
  return found;
}

bool is_file_of(const ItemsByName& items, const storage::Entry& file) {
  const auto found = items.find(file.name);
  if (found == items.end()) return false;
  const DriveItem& item = *found->second;
  return !item.is_folder && item.size_bytes == file.size_bytes &&
         item.modified_at == file.modified_at;
}

/// rclone's `_filter` for these items directly in a folder, and nothing else.
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

/// Files that rclone has fetched together into its memory.
class FetchedFiles {
 public:
  /// Fetches as many of `files`, which `folder` listed, as it can. Fails if it was stopped, or
  /// rclone cannot be asked.
  static Task<Result<std::shared_ptr<FetchedFiles>>> fetch(std::shared_ptr<DriveRemote> remote,
                                                           const Path& folder,
                                                           std::span<const storage::Entry> files,
                                                           const storage::CopyWatch& watch);
  ~FetchedFiles();
  FetchedFiles(const FetchedFiles&) = delete;
  FetchedFiles& operator=(const FetchedFiles&) = delete;

  /// The files that rclone holds, with the times that the drive gave.
  const std::vector<DriveItem>& items() const { return items_; }
  const std::string& fs() const { return fs_; }
  DriveRemote& remote() const { return *remote_; }
  /// The run of the engine that holds them.
  const RcloneInstance& run() const { return *run_; }

 private:
  FetchedFiles(std::shared_ptr<DriveRemote> remote, RcloneProcess::Run run, std::string fs)
      : remote_(std::move(remote)), run_(std::move(run)), fs_(std::move(fs)) {}

  const std::shared_ptr<DriveRemote> remote_;
  const RcloneProcess::Run run_;
  const std::string fs_;
  std::vector<DriveItem> items_;
};

Task<Result<std::shared_ptr<FetchedFiles>>> FetchedFiles::fetch(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch) {
  const std::string fs = ":memory:coffer-" + random_hex(16);
  json::object config{{"MaxDepth", 1}, {"Transfers", kFetchesAtOnce}};
  json::object parameters{{"srcFs", remote->fs(folder)},
                          {"dstFs", fs},
                          {"_filter", only_named(files)},
                          {"_config", std::move(config)}};
  CO_TRY(auto job, co_await RcloneJob::start(*remote, "sync/copy", std::move(parameters)));
  const std::shared_ptr<FetchedFiles> fetched(new FetchedFiles(remote, job.run(), fs));
  FetchWatch stalls(watch, remote->options.deadlines.stall);
  const auto copied = co_await job.wait(stalls);
  // Files that could not be fetched are opened one by one later, which gives their errors.
  if (!copied && stalls.was_cancelled()) co_return failure_of(copied);
  CO_TRY(fetched->items_,
         co_await items_in_memory(*fetched->run_, fs, remote->options.deadlines.reply));
  co_return fetched;
}

FetchedFiles::~FetchedFiles() {
  if (remote_->upload_server.is_ending()) return;
  spawn_background(remote_->upload_server.executor(),
                   drop(run_, fs_, remote_->options.deadlines.reply));
}

/// Reads one of FetchedFiles. All failures are `unavailable`: the drive may still have the file.
class FetchedReader final : public StreamReader {
 public:
  FetchedReader(std::shared_ptr<const FetchedFiles> files, storage::Entry entry)
      : StreamReader(std::move(entry), files->remote().options.deadlines.stall, "Too slow."),
        files_(std::move(files)) {}

 private:
  Task<Result<void>> begin_at(std::uint64_t offset, HttpExchange& exchange) override {
    constexpr unsigned kWhole = 200;
    constexpr unsigned kPart = 206;
    auto request = content_request(files_->fs(), entry().name, offset);
    CO_TRY_VOID(co_await exchange.begin(files_->run(), std::move(request)));
    const bool is_content = exchange.status() == (offset > 0 ? kPart : kWhole) &&
                            exchange.body_bytes() == entry().size_bytes - offset;
    if (!is_content) co_return fail(ErrorCode::unavailable, "The engine has no such file.");
    co_return Result<void>{};
  }
  Error explained(Error /*error*/) const override {
    return {ErrorCode::unavailable, "The cloud drive engine no longer holds the file."};
  }

  const std::shared_ptr<const FetchedFiles> files_;
};

}  // namespace

Task<std::vector<std::unique_ptr<storage::Reader>>> open_fetched(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch) {
  std::vector<std::unique_ptr<storage::Reader>> readers(files.size());
  const auto fetched = co_await FetchedFiles::fetch(remote, folder, files, watch);
  if (!fetched) co_return readers;
  std::vector<DriveItem> now;
  auto take = [&now](DriveItem item) -> Result<void> {
    now.push_back(std::move(item));
    return {};
  };
  const auto listed = co_await remote->list_some(folder, only_named(files), std::move(take));
  if (!listed) co_return readers;
  const ItemsByName before = by_name((*fetched)->items());
  const ItemsByName after = by_name(now);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!is_file_of(before, files[i]) || !is_file_of(after, files[i])) continue;
    readers[i] = std::make_unique<FetchedReader>(*fetched, files[i]);
  }
  co_return readers;
}

}  // namespace coffer::rclone
