#pragma once

#include <memory>
#include <vector>

#include "backends/ftp/server.h"
#include "backends/remote/publish.h"

namespace coffer::ftp {

/// Uploads new content under a partial name beside the target, or directly under the target's name
/// if the target is in a hidden tree (WriteOptions::out_of_sight). Collects up to 1 MiB in memory
/// before the upload begins. So the constructor sends nothing, and the whole of a small file is
/// sent by `finish`.
class FtpWriter final : public remote::PartialWriter {
 public:
  /// `place` is the target's path below FtpOptions::root. Connections are acquired for `use`.
  FtpWriter(std::shared_ptr<Server> server, Path target, const std::string& place,
            const storage::WriteOptions& options, Use use);
  /// Deletes the partial file in the background, unless it was published.
  ~FtpWriter() override;

  Task<Result<void>> write(std::span<const std::byte> data) override;
  Task<Result<void>> finish() override;
  Task<void> abandon() override;

 private:
  Task<Result<void>> connect();
  Result<void> begin();
  Result<void> send(std::span<const std::byte> data);
  Result<void> end();
  Result<void> check_arrived();
  std::optional<std::size_t> give(std::span<std::byte> out);
  Result<void> failed(Error error);
  Error why_it_ended(Error error);

  const std::shared_ptr<Server> server_;
  const std::string place_;
  const Use use_;
  Lease connection_;
  bool begun_ = false;
  bool ending_ = false;
  bool finished_ = false;
  bool on_server_ = false;       ///< A partial file may exist on the server.
  std::optional<Error> broken_;  ///< The upload failed with this error and cannot continue.
  std::vector<std::byte> kept_;
  std::span<const std::byte> first_, second_;  ///< The bytes to be sent now.
};

}  // namespace coffer::ftp
