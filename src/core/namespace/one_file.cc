#include "core/namespace/one_file.h"

#include <utility>

namespace coffer::core {
namespace {

std::unexpected<Error> no_such_file() {
  return fail(ErrorCode::not_found, "There is no such file or folder.");
}

std::unexpected<Error> is_fixed() {
  return fail(ErrorCode::forbidden,
              "One file is shared here: it keeps its name, and nothing can be added.");
}

}  // namespace

/// The folder is as old as its file: nothing is told of the folder that the file is in.
Task<Result<storage::Entry>> OneFile::stat(const Path& path) {
  if (is_file(path)) co_return co_await folder_->stat(path);
  if (!path.is_root() || !name_) co_return no_such_file();
  const Path one = file();
  CO_TRY(const auto there, co_await folder_->stat(one));
  storage::Entry folder;
  folder.is_directory = true;
  folder.created_at = there.created_at;
  folder.modified_at = there.modified_at;
  co_return folder;
}

Task<Result<storage::FolderListing>> OneFile::read_folder(const Path& folder,
                                                          storage::ListingBound /*bound*/) {
  if (is_file(folder)) co_return fail(ErrorCode::invalid, "This is a file.");
  if (!folder.is_root() || !name_) co_return no_such_file();
  const Path one = file();
  CO_TRY(auto there, co_await folder_->stat(one));
  storage::FolderListing listing;
  listing.entries.push_back(std::move(there));
  co_return listing;
}

/// What happens to the other files of the folder is not told as it is: only that something did.
Task<std::unique_ptr<storage::FolderWatch>> OneFile::watch(const Path& folder,
                                                           storage::FolderListener listener) {
  if (!folder.is_root() || !name_) co_return nullptr;
  co_return co_await folder_->watch(folder, std::move(listener));
}

Task<Result<std::unique_ptr<storage::Reader>>> OneFile::open(const Path& file) {
  if (is_file(file)) co_return co_await folder_->open(file);
  if (file.is_root()) co_return fail(ErrorCode::invalid, "This is a folder.");
  co_return no_such_file();
}

std::unique_ptr<storage::Reader> OneFile::open_now(const Path& file) {
  return is_file(file) ? folder_->open_now(file) : nullptr;
}

std::optional<storage::Entry> OneFile::stat_now(const Path& path) {
  return is_file(path) ? folder_->stat_now(path) : std::nullopt;
}

Task<Result<std::unique_ptr<storage::Writer>>> OneFile::create(const Path& target,
                                                               storage::WriteOptions options) {
  if (!is_file(target)) co_return is_fixed();
  co_return co_await folder_->create(target, std::move(options));
}

Task<Result<std::vector<storage::Published>>> OneFile::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
    storage::MayShow may_show) {
  return folder_->publish(writers, growth_limit_bytes, std::move(may_show));
}

Task<Result<void>> OneFile::make_folder(const Path& /*folder*/) {
  co_return is_fixed();
}

Task<Result<void>> OneFile::rename(const Path& /*from*/, const Path& /*to*/,
                                   storage::MayShow /*may_show*/) {
  co_return is_fixed();
}

Task<std::vector<std::string>> OneFile::properties(std::vector<Path> items) {
  std::vector<std::string> texts(items.size());
  for (std::size_t at = 0; at < items.size(); ++at) {
    if (!is_file(items[at])) continue;
    std::vector<Path> one = {items[at]};
    auto found = co_await folder_->properties(std::move(one));
    texts[at] = std::move(found.at(0));
  }
  co_return texts;
}

Task<Result<void>> OneFile::set_properties(const Path& item, std::string text) {
  if (!is_file(item)) co_return is_fixed();
  co_return co_await folder_->set_properties(item, std::move(text));
}

Task<Result<void>> OneFile::set_modified_at(const Path& item, Timestamp modified_at) {
  if (!is_file(item)) co_return is_fixed();
  co_return co_await folder_->set_modified_at(item, modified_at);
}

Task<Result<storage::TreeSize>> OneFile::copy(const Path& /*from*/, const Path& /*to*/,
                                              const storage::CopyOptions& /*options*/) {
  co_return fail(ErrorCode::refused, "This cannot be copied within its place.");
}

Task<Result<storage::Removed>> OneFile::remove(const Path& /*path*/) {
  co_return is_fixed();
}

Task<Result<storage::TreeSize>> OneFile::measure(const Path& path) {
  if (!is_file(path) && !(path.is_root() && name_)) co_return no_such_file();
  const Path one = file();
  co_return co_await folder_->measure(one);
}

Task<Result<Path>> OneFile::canonical(const Path& path) {
  if (path.depth() > 1) co_return no_such_file();
  co_return path;
}

std::unique_ptr<storage::Backend> OneFile::beneath(const Path& folder) {
  if (folder.is_root()) return std::make_unique<OneFile>(folder_, name_);
  return std::make_unique<OneFile>(folder_, std::nullopt);
}

}  // namespace coffer::core
