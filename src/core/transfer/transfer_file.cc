#include "core/transfer/transfer_file.h"

#include <algorithm>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <utility>

namespace coffer::core {
namespace {

std::unexpected<Error> changed() {
  return fail(ErrorCode::conflict, "The file changed while it was read. Try again.");
}

storage::WriteOptions options_for(const storage::Entry& source, const TransferRun& run) {
  storage::WriteOptions options;
  options.out_of_sight = run.collects_tree();
  options.if_taken = storage::IfTaken::refuse;
  options.size_bytes = source.size_bytes;
  options.modified_at = known(source.modified_at);
  options.may_have_holes = true;
  return options;
}

}  // namespace

Task<Result<bool>> FileTransfer::open(std::unique_ptr<storage::Reader> opened) {
  reader_ = std::move(opened);
  if (!reader_) {
    auto reader = co_await from_.backend.open(from_.path);
    if (!reader && reader.error().code == ErrorCode::not_found) co_return false;
    if (!reader) co_return failure_of(std::move(reader));
    reader_ = *std::move(reader);
  }
  size_bytes_ = reader_->entry().size_bytes;
  CO_TRY_VOID(run_.take_bytes(size_bytes_));
  auto options = options_for(reader_->entry(), run_);
  CO_TRY(writer_, co_await to_.backend.create(to_.path, std::move(options)));
  co_return true;
}

std::optional<Path> FileTransfer::staged_at() const {
  const auto name = Path::parse(writer_->staged_name());
  if (!name || name->is_root()) return std::nullopt;
  return to_.path.parent() / *name;
}

Task<Result<void>> FileTransfer::copy() {
  auto blocks = run_.blocks().take();
  auto pumped = co_await pump(*blocks);
  run_.blocks().give_back(std::move(blocks));
  if (!pumped) co_return pumped;
  if (writer_->written_bytes() != size_bytes_) {
    co_return fail(ErrorCode::failed, "Not all of the file was written.");
  }
  co_return co_await writer_->finish();
}

Task<Result<void>> FileTransfer::pump(BlockPair& blocks) {
  using namespace asio::experimental::awaitable_operators;
  const auto block_bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(size_bytes_, BlockPair::kBlockBytes));
  std::size_t which = 0;
  auto ready = blocks.block(which, block_bytes);
  auto filled = co_await fill(ready);
  while (filled && read_bytes_ < size_bytes_) {
    which = 1 - which;
    auto next = blocks.block(which, block_bytes);
    auto both = co_await (fill(next) && write(ready.first(*filled)));
    if (!std::get<1>(both)) co_return std::get<1>(std::move(both));
    filled = std::get<0>(std::move(both));
    ready = next;
  }
  if (!filled) co_return failure_of(std::move(filled));
  if (*filled == 0) co_return Result<void>();
  co_return co_await write(ready.first(*filled));
}

Task<Result<std::size_t>> FileTransfer::fill(std::span<std::byte> block) {
  const std::uint64_t left = size_bytes_ - read_bytes_;
  block = block.first(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), left)));
  std::size_t filled = 0;
  while (filled < block.size()) {
    if (run_.is_stopped()) co_return failure_of(run_.outcome());
    CO_TRY(auto count, co_await read(block.subspan(filled)));
    if (count == 0) co_return changed();
    filled += count;
    read_bytes_ += count;
  }
  co_return filled;
}

Task<Result<std::size_t>> FileTransfer::read(std::span<std::byte> out) {
  auto count = co_await reader_->read(read_bytes_, out);
  if (!count && co_await is_gone(count.error())) co_return changed();
  if (count || has_resumed_ || !is_passing(count.error())) co_return count;
  has_resumed_ = true;
  auto again = co_await from_.backend.open(from_.path);
  if (!again) co_return count;
  if (!is_unchanged(reader_->entry(), (*again)->entry())) co_return changed();
  reader_ = *std::move(again);
  co_return co_await reader_->read(read_bytes_, out);
}

/// Of a file that vanished after it was opened, an FTP server says that it refuses it.
Task<bool> FileTransfer::is_gone(const Error& error) {
  const bool may_be = error.code == ErrorCode::not_found || error.code == ErrorCode::forbidden;
  if (!may_be) co_return false;
  const auto now = co_await from_.backend.stat(from_.path);
  co_return !now && now.error().code == ErrorCode::not_found;
}

Task<Result<void>> FileTransfer::write(std::span<const std::byte> data) {
  if (run_.is_stopped()) co_return run_.outcome();
  auto written = co_await writer_->write(data);
  if (written) run_.progress().wrote(data.size());
  co_return written;
}

Task<Result<void>> FileTransfer::publish() {
  CO_TRY([[maybe_unused]] const auto published,
         co_await to_.backend.publish({&writer_, 1}, size_bytes_));
  co_return Result<void>();
}

Task<void> FileTransfer::abandon() {
  if (writer_) co_await writer_->abandon();
}

}  // namespace coffer::core
