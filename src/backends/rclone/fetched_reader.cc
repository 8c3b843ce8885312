#include "backends/rclone/fetched_reader.h"

#include <string_view>
#include <unordered_map>

#include "async/deadline.h"
#include "backends/rclone/engine/content_request.h"

namespace coffer::rclone {
namespace {

std::unexpected<Error> not_fetched() {
  return fail(ErrorCode::unavailable,
              "The engine of cloud drives does not hold the file any more.");
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

}  // namespace

Task<Result<std::size_t>> FetchedReader::read(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= entry_.size_bytes || out.empty()) co_return std::size_t{0};
  auto reading = read_some(offset, out);
  const auto got =
      co_await with_deadline(std::move(reading), files_->remote().options.deadlines.stall,
                             "The engine of cloud drives does not answer in time.");
  if (!got || *got == 0) {
    talk_.reset();
    co_return not_fetched();
  }
  position_ = offset + *got;
  co_return *got;
}

Task<Result<std::size_t>> FetchedReader::read_some(std::uint64_t offset, std::span<std::byte> out) {
  if (!talk_ || offset != position_) {
    auto begun = co_await begin_at(offset);
    if (!begun) co_return failure_of(std::move(begun));
  }
  co_return co_await talk_->read_some(out);
}

Task<Result<void>> FetchedReader::begin_at(std::uint64_t offset) {
  constexpr unsigned kWhole = 200;
  constexpr unsigned kPart = 206;
  talk_ = std::make_unique<HttpExchange>();
  auto request = content_request(files_->fs(), entry_.name, offset);
  auto begun = co_await talk_->begin(files_->run(), std::move(request));
  if (!begun) co_return begun;
  const bool is_content = talk_->status() == (offset > 0 ? kPart : kWhole) &&
                          talk_->body_bytes() == entry_.size_bytes - offset;
  if (!is_content) co_return not_fetched();
  co_return Result<void>{};
}

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
