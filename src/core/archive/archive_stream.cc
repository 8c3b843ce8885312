#include "core/archive/archive_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace coffer::core {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;
/// Small entries are collected up to this.
constexpr std::size_t kPieceBytes = 64 * 1024;
/// And no longer than this.
constexpr std::chrono::milliseconds kPieceTime{250};
/// A tar fills a file that ended early with zeros, unless more is lacking: servers may tell any
/// size.
constexpr std::uint64_t kMostFilledBytes = 64 * 1024 * 1024;
/// The longest time within an item without a call of `may_go_on_`.
constexpr std::chrono::seconds kBetweenChecks{2};

Task<Result<std::unique_ptr<storage::Reader>>> open(const ArchiveItem& item) {
  if (auto at_once = item.backend->open_now(item.path)) co_return at_once;
  co_return co_await item.backend->open(item.path);
}

ArchiveHeader header_of(const ArchiveItem& item, const storage::Entry& entry) {
  return {item.name, entry.is_directory, entry.size_bytes, entry.modified_at};
}

}  // namespace

std::uint64_t fixed_bytes_of(ArchiveFormat format) {
  switch (format) {
    case ArchiveFormat::tar:
      return 384 * 1024;
    case ArchiveFormat::zip:
      return 1792 * 1024;
    case ArchiveFormat::tar_zst:
      return 2 * 1024 * 1024;
  }
  std::unreachable();
}

ArchiveStream::ArchiveStream(ArchiveOrder order, Pool& arranging, Pool& packing)
    : may_go_on_(std::move(order.may_go_on)),
      report_name_(std::move(order.report_name)),
      packing_(packing),
      format_(order.format),
      hold_(std::move(order.hold)),
      report_(std::move(order.report)),
      tree_(std::move(order.items), std::move(order.more_items), std::move(order.list), arranging,
            report_),
      writer_(make_archive_writer(order.format)) {}

Task<Result<std::optional<std::string_view>>> ArchiveStream::next() {
  const auto limit = std::chrono::steady_clock::now() + kPieceTime;
  while (!finished_ && writer_->output_bytes() < kPieceBytes &&
         std::chrono::steady_clock::now() < limit) {
    CO_TRY_VOID(co_await step());
  }
  block_.reset();
  writer_->take_output(piece_);
  if (finished_ && piece_.empty()) co_return std::nullopt;
  co_return std::string_view(piece_);
}

Task<Result<void>> ArchiveStream::run_packing(const Packing& work) {
  if (format_ == ArchiveFormat::tar) co_return work();
  co_return co_await packing_.run([&work] { return work(); });
}

Task<Result<void>> ArchiveStream::step() {
  CO_TRY_VOID(co_await check_again());
  if (open_) co_return co_await copy_block();
  CO_TRY(auto item, co_await tree_.next());
  if (!item) co_return co_await finish();
  if (!item->entry.is_directory) co_return co_await begin_item(*std::move(item));
  ArchiveHeader header = header_of(*item, item->entry);
  header.size_bytes = 0;
  co_return co_await add_whole(std::move(header), {});
}

Task<Result<void>> ArchiveStream::check_again() {
  const auto now = std::chrono::steady_clock::now();
  if (open_ && now - checked_at_ < kBetweenChecks) co_return Result<void>{};
  checked_at_ = now;
  co_return co_await may_go_on_();
}

Task<Result<void>> ArchiveStream::begin_item(ArchiveItem item) {
  auto reader = co_await open(item);
  if (!reader) {
    report_.add(item.name, reader.error().message);
    co_return Result<void>{};
  }
  ArchiveHeader header = header_of(item, (*reader)->entry());
  open_ = OpenItem{std::move(header), *std::move(reader)};
  co_return co_await copy_block();
}

Task<Result<void>> ArchiveStream::copy_block() {
  const auto space = block(open_->header.size_bytes - open_->offset);
  if (space.empty()) co_return co_await pack(0);
  if (!open_->reader) {
    std::ranges::fill(space, std::byte{});
    co_return co_await pack(space.size());
  }
  const auto got = co_await storage::read_soon(*open_->reader, open_->offset, space);
  if (!got) co_return co_await break_off(got.error().message);
  if (*got == 0) co_return co_await break_off("It became shorter while it was read.");
  co_return co_await pack(*got);
}

/// Puts the first bytes of the block into the archive, behind the header and with the entry's end
/// where they are the first or the last.
Task<Result<void>> ArchiveStream::pack(std::size_t bytes) {
  const Packing work = [this, bytes] { return pack_now(bytes); };
  auto packed = co_await run_packing(work);
  if (!packed && packed.error().code == ErrorCode::invalid) {
    report_.add(open_->header.name, packed.error().message);
    open_.reset();
    co_return Result<void>{};
  }
  if (packed && open_->offset == open_->header.size_bytes) open_.reset();
  co_return packed;
}

/// A zip's list of entries stands at its end.
Result<void> ArchiveStream::keep(const ArchiveHeader& header) {
  const std::uint64_t bytes = writer_->kept_bytes_of(header);
  return bytes == 0 ? Result<void>() : hold_.grow(bytes);
}

Result<void> ArchiveStream::pack_now(std::size_t bytes) {
  const std::span<const std::byte> content(block_.get(), bytes);
  if (!open_->has_begun) {
    TRY_VOID(keep(open_->header));
    if (bytes == open_->header.size_bytes) {
      TRY_VOID(writer_->add(open_->header, content));
      open_->offset = bytes;
      return {};
    }
    TRY_VOID(writer_->begin(open_->header));
    open_->has_begun = true;
  }
  TRY_VOID(writer_->write(content));
  open_->offset += bytes;
  return open_->offset == open_->header.size_bytes ? writer_->end_entry() : Result<void>();
}

/// Ends an entry whose file cannot be read further; a tar fills it with zeros, or ends with it.
Task<Result<void>> ArchiveStream::break_off(std::string_view reason) {
  const std::string& name = open_->header.name;
  if (!open_->has_begun) {
    report_.add(name, reason);
    open_.reset();
    co_return Result<void>{};
  }
  const bool fills = writer_->needs_whole_entries();
  const std::uint64_t lacking = open_->header.size_bytes - open_->offset;
  if (fills && lacking > kMostFilledBytes) {
    co_return fail(ErrorCode::refused,
                   fmt::format("\"{}\" lacks {} bytes. {}", name, lacking, reason));
  }
  report_.add(name,
              fmt::format("Only the first {} of {} bytes are the file's{}. {}", open_->offset,
                          open_->header.size_bytes, fills ? ", and zeros follow" : "", reason));
  open_->reader.reset();
  if (fills) co_return Result<void>{};
  open_.reset();
  const Packing work = [this] { return writer_->end_entry(); };
  co_return co_await run_packing(work);
}

Task<Result<void>> ArchiveStream::add_whole(ArchiveHeader header, std::string_view content) {
  const Packing work = [&] { return add_now(header, content); };
  auto added = co_await run_packing(work);
  if (added || added.error().code != ErrorCode::invalid) co_return added;
  report_.add(header.name, added.error().message);
  co_return Result<void>{};
}

Result<void> ArchiveStream::add_now(const ArchiveHeader& header, std::string_view content) {
  TRY_VOID(keep(header));
  return writer_->add(header, std::as_bytes(std::span(content)));
}

Task<Result<void>> ArchiveStream::finish() {
  if (!report_.is_empty()) {
    const std::string text = report_.text();
    ArchiveHeader header{report_name_(), false, text.size(), now()};
    CO_TRY_VOID(co_await add_whole(std::move(header), text));
  }
  const Packing work = [this] { return writer_->finish(); };
  auto ended = co_await run_packing(work);
  finished_ = ended.has_value();
  co_return ended;
}

std::span<std::byte> ArchiveStream::block(std::uint64_t wanted) {
  if (!block_) block_ = std::make_unique_for_overwrite<std::byte[]>(kBlockBytes);
  return {block_.get(), static_cast<std::size_t>(std::min<std::uint64_t>(wanted, kBlockBytes))};
}

}  // namespace coffer::core
