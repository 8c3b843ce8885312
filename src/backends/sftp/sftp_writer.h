#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"
#include "storage/backend.h"

namespace coffer::sftp {

/// Sends a file to a partial name beside its target, or to the target's own where that is out of
/// sight. Holds a connection until it is finished.
class SftpWriter final : public storage::Writer {
 public:
  SftpWriter(std::shared_ptr<Server> server, SftpRemote remote, Path target, std::string staged,
             std::string handle, storage::WriteOptions options);
  /// Deletes what was not published, behind.
  ~SftpWriter() override;

  Task<Result<void>> write(std::span<const std::byte> data) override;
  std::uint64_t written_bytes() const override { return written_bytes_; }
  std::string_view staged_name() const override;
  Task<Result<void>> finish() override;

  /// Blocks; see finish.
  Result<void> finish_waiting();
  const Path& target() const { return target_; }
  const storage::WriteOptions& options() const { return options_; }
  /// It has its target's name already.
  bool is_out_of_sight() const { return options_.out_of_sight; }
  /// Where it is kept on the server.
  const std::string& staged() const { return staged_; }
  /// It is shown, and no more the writer's to delete; or taken back.
  void set_published(bool published) { is_published_ = published; }

 private:
  Result<void> send_all();
  Result<void> send_buffer();
  Result<void> await_written(std::size_t allowed_on_way);
  Result<void> complete();

  const std::shared_ptr<Server> server_;
  std::optional<SftpRemote> remote_;  ///< Until it is finished.
  const Path target_;
  const std::string staged_;
  const std::string handle_;
  const storage::WriteOptions options_;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t sent_bytes_ = 0;
  std::string buffer_;
  std::deque<Asked> on_way_;
  Result<void> outcome_;
  bool is_published_ = false;
};

/// Begins a file beside its target.
Result<std::unique_ptr<storage::Writer>> begin_file(const std::shared_ptr<Server>& server,
                                                    const Lookup& lookup, const SftpRemote& remote,
                                                    const Path& target,
                                                    storage::WriteOptions options);

/// What a new file at `place` would replace; nothing if the name is free. `exists` if it is not
/// to be replaced: a folder's, a link's to a folder, a device's; what `check_taken` says of all
/// else, where a link to a file is in that file's state.
Result<std::optional<Attributes>> replaceable(const Lookup& lookup, const SftpRemote& remote,
                                              const Path& target, const std::string& place,
                                              const storage::WriteOptions& options);

}  // namespace coffer::sftp
