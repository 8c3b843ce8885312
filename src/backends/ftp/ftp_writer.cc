#include "backends/ftp/ftp_writer.h"

#include <algorithm>

#include "backends/ftp/ftp_adapter.h"
#include "backends/ftp/metadata.h"

namespace coffer::ftp {
namespace {

constexpr std::size_t kKeptBytes = 1024 * 1024;

std::size_t move_bytes(std::span<const std::byte>& from, std::span<std::byte>& to) {
  const auto count = std::min(from.size(), to.size());
  std::ranges::copy(from.first(count), to.begin());
  from = from.subspan(count);
  to = to.subspan(count);
  return count;
}

}  // namespace

FtpWriter::FtpWriter(std::shared_ptr<Server> server, Path target, const std::string& place,
                     const storage::WriteOptions& options, Use use)
    : PartialWriter(std::move(target), remote::staged_for(place, options), options),
      server_(std::move(server)),
      place_(place),
      use_(use) {}

FtpWriter::~FtpWriter() {
  connection_.give_back();
  if (!on_server_ || is_shown()) return;
  server_->shared.leftovers.add(staged());
  sweep_behind(server_);
}

Task<Result<void>> FtpWriter::connect() {
  if (connection_) co_return Result<void>();
  CO_TRY(connection_, co_await server_->connections->acquire(use_));
  co_return Result<void>();
}

Task<Result<void>> FtpWriter::write(std::span<const std::byte> data) {
  if (broken_) co_return std::unexpected(*broken_);
  if (kept_.size() + data.size() <= kKeptBytes) {
    kept_.insert(kept_.end(), data.begin(), data.end());
    written_bytes_ += data.size();
    co_return Result<void>();
  }
  CO_TRY_VOID(co_await connect());
  auto work = [this, data] { return send(data); };
  auto sent = co_await server_->pool.run(std::move(work));
  if (sent) written_bytes_ += data.size();
  co_return sent;
}

Task<Result<void>> FtpWriter::finish() {
  if (finished_) co_return Result<void>();
  if (broken_) co_return std::unexpected(*broken_);
  CO_TRY_VOID(co_await connect());
  auto work = [this] { return end(); };
  auto ended = co_await server_->pool.run(std::move(work));
  connection_.give_back();
  co_return ended;
}

Task<void> FtpWriter::abandon() {
  connection_.give_back();
  // The partial file goes with the tree that it is in.
  if (is_out_of_sight()) on_server_ = false;
  co_return;
}

Result<void> FtpWriter::failed(Error error) {
  connection_->abort();
  connection_.give_back();
  broken_ = error;
  return std::unexpected(std::move(error));
}

/// Explains a broken upload. A server that runs out of space says so behind the broken stream,
/// where libcurl does not read it. A server that accepts a login again is not down: it refuses this
/// file.
Error FtpWriter::why_it_ended(Error error) {
  if (connection_->connected()) {
    return explain({*server_, *connection_}, staged(), connection_->reply());
  }
  if (error.code != ErrorCode::unavailable || !connection_->ready()) return error;
  return {ErrorCode::refused, "The FTP server ended the upload early: it may have no space left."};
}

Result<void> FtpWriter::begin() {
  if (begun_) return {};
  TRY_VOID(connection_->ready());
  TRY_VOID(need_kept_name({*server_, *connection_}, place_));
  TRY(auto place, connection_->place(staged()));
  on_server_ = true;
  begun_ = true;
  return connection_->begin_upload(std::move(place), [this](auto out) { return give(out); });
}

std::optional<std::size_t> FtpWriter::give(std::span<std::byte> out) {
  std::size_t given = move_bytes(first_, out);
  given += move_bytes(second_, out);
  if (given == 0 && !ending_) return std::nullopt;
  return given;
}

Result<void> FtpWriter::send(std::span<const std::byte> data) {
  first_ = kept_;
  second_ = data;
  if (auto begun = begin(); !begun) return failed(begun.error());
  connection_->unpause();
  while (!first_.empty() || !second_.empty()) {
    const auto done = connection_->advance(true);
    if (!done) return failed(why_it_ended(done.error()));
    if (*done) return failed({ErrorCode::refused, "The FTP server ended the upload early."});
  }
  kept_.clear();
  return {};
}

Result<void> FtpWriter::end() {
  ending_ = true;
  TRY_VOID(send({}));
  for (;;) {
    const auto done = connection_->advance(true);
    if (!done) return failed(why_it_ended(done.error()));
    if (*done) break;
  }
  kept_ = {};
  if (auto arrived = check_arrived(); !arrived) return failed(arrived.error());
  finished_ = true;
  return {};
}

Result<void> FtpWriter::check_arrived() {
  TRY(const FtpItem item, metadata_of({*server_, *connection_}, staged()));
  if (item.size_bytes != written_bytes_) {
    return fail(ErrorCode::refused, "The FTP server did not store all that was sent.");
  }
  if (!options().modified_at) return {};
  return set_modified_at({*server_, *connection_}, staged(), *options().modified_at);
}

}  // namespace coffer::ftp
