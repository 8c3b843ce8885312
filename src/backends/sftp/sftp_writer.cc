#include "backends/sftp/sftp_writer.h"

#include <algorithm>
#include <utility>

#include "async/run.h"
#include "backends/remote/publish.h"
#include "backends/sftp/sftp_adapter.h"

namespace coffer::sftp {
namespace {

/// The piece that every server accepts in one request (draft-ietf-secsh-filexfer-02, section 3).
constexpr std::size_t kWritePieceBytes = 32 * 1024;
/// The bytes that are sent in one turn of a thread.
constexpr std::size_t kWriteBufferBytes = 8 * kWritePieceBytes;
/// The number of pieces on their way, which together fill the line to a server far away.
constexpr std::size_t kMaxOnWay = 64;

}  // namespace

SftpWriter::SftpWriter(std::shared_ptr<Server> server, SftpRemote remote, Path target,
                       std::string staged, std::string handle, storage::WriteOptions options)
    : PartialWriter(std::move(target), std::move(staged), options),
      server_(std::move(server)),
      remote_(std::move(remote)),
      handle_(std::move(handle)) {}

SftpWriter::~SftpWriter() {
  if (is_shown()) return;
  auto work = [server = server_, remote = remote_, handle = handle_, staged = staged()] {
    if (remote && !handle.empty()) remote->close_behind(handle);
    server->shared().leftovers.add(staged);
    sweep_behind(server);
  };
  Server::run_background(server_, std::move(work));
}

Task<Result<void>> SftpWriter::write(std::span<const std::byte> data) {
  if (!outcome_) co_return outcome_;
  written_bytes_ += data.size();
  buffer_.append(reinterpret_cast<const char*>(data.data()), data.size());
  if (buffer_.size() < kWriteBufferBytes) co_return Result<void>();
  auto work = [this] { return send_all(); };
  co_return co_await server_->run(std::move(work));
}

Task<Result<void>> SftpWriter::finish() {
  if (!outcome_ || !remote_) co_return outcome_;
  auto work = [this] { return finish_waiting(); };
  co_return co_await server_->run(std::move(work));
}

Result<void> SftpWriter::send_all() {
  outcome_ = send_buffer();
  if (outcome_) outcome_ = await_written(kMaxOnWay);
  return outcome_;
}

Result<void> SftpWriter::send_buffer() {
  for (std::string_view left = buffer_; !left.empty();) {
    Connection::Batch batch(remote_->connection());
    while (!left.empty() && batch.size_bytes() < kWriteBufferBytes) {
      const auto piece = left.substr(0, kWritePieceBytes);
      batch.begin(PacketType::write).text(handle_).u64(sent_bytes_).text(piece);
      sent_bytes_ += piece.size();
      left.remove_prefix(piece.size());
    }
    TRY(const auto asked, batch.send());
    on_way_.insert(on_way_.end(), asked.begin(), asked.end());
    TRY_VOID(await_written(kMaxOnWay));
  }
  buffer_.clear();
  return {};
}

Result<void> SftpWriter::await_written(std::size_t allowed_on_way) {
  auto& connection = remote_->connection();
  while (on_way_.size() > allowed_on_way) {
    const auto reply = connection.wait(on_way_.front(), connection.deadlines().stall);
    on_way_.pop_front();
    if (!reply) return failure_of(reply);
    TRY_VOID(status_of(*reply));
  }
  return {};
}

Result<void> SftpWriter::finish_waiting() {
  outcome_ = complete();
  if (outcome_) remote_.reset();
  return outcome_;
}

Result<void> SftpWriter::complete() {
  TRY_VOID(send_buffer());
  TRY_VOID(await_written(0));
  TRY_VOID(remote_->fsync(handle_));
  if (options().modified_at) {
    TRY_VOID(remote_->set_time_of(handle_, *options().modified_at));
  }
  return remote_->close_written(std::exchange(handle_, {}), staged(), written_bytes_);
}

Result<std::unique_ptr<storage::Writer>> begin_file(const std::shared_ptr<Server>& server,
                                                    const Lookup& lookup, const SftpRemote& remote,
                                                    const Path& target,
                                                    storage::WriteOptions options) {
  if (target.is_root()) return remote::fail_taken();
  TRY(const auto found, lookup.find_name(remote, target));
  auto staged = remote::staged_for(found.place, options);
  if (!options.out_of_sight) {
    SftpAdapter adapter(server, lookup, remote.shared());
    TRY([[maybe_unused]] const auto old,
        run(remote::find_replaced(adapter, target, found.place, options)));
  }
  TRY(auto handle, remote.open_new(staged));
  return std::make_unique<SftpWriter>(server, remote, target, std::move(staged), std::move(handle),
                                      options);
}

}  // namespace coffer::sftp
