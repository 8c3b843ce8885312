#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "backends/remote/publish.h"
#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"

namespace coffer::sftp {

/// Sends new content over one connection to a partial name beside the target. If the target's
/// folder is not visible yet (WriteOptions::out_of_sight), sends directly to the target's name.
class SftpWriter final : public remote::PartialWriter {
 public:
  SftpWriter(std::shared_ptr<Server> server, SftpRemote remote, Path target, std::string staged,
             std::string handle, storage::WriteOptions options);
  /// Deletes the partial file in the background, unless it was published.
  ~SftpWriter() override;

  Task<Result<void>> write(std::span<const std::byte> data) override;
  Task<Result<void>> finish() override;

 private:
  Result<void> finish_waiting();
  Result<void> send_all();
  Result<void> send_buffer();
  Result<void> await_written(std::size_t allowed_on_way);
  Result<void> complete();

  const std::shared_ptr<Server> server_;
  std::optional<SftpRemote> remote_;  ///< Empty after `finish` has succeeded.
  std::string handle_;                ///< Empty once the file is closed.
  std::uint64_t sent_bytes_ = 0;
  std::string buffer_;
  std::deque<Asked> on_way_;
  Result<void> outcome_;
};

/// Creates the file to which the content is sent, and returns the writer. Fails as
/// storage::Backend::create does. Blocks.
Result<std::unique_ptr<storage::Writer>> begin_file(const std::shared_ptr<Server>& server,
                                                    const Lookup& lookup, const SftpRemote& remote,
                                                    const Path& target,
                                                    storage::WriteOptions options);

}  // namespace coffer::sftp
