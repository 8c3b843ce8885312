#pragma once

#include <memory>
#include <vector>

#include "backends/ftp/server.h"
#include "backends/remote/partial_writer.h"

namespace coffer::ftp {

/// Sends new content to a partial name beside the target, or to the target's own where that is out
/// of sight. Little content is kept until it is complete, so that beginning costs nothing and a
/// small file needs a connection only once.
class FtpWriter final : public remote::PartialWriter {
 public:
  /// `place` is the target's, below the root of the server's options; `use` what its connection is
  /// lent for.
  FtpWriter(std::shared_ptr<Server> server, Path target, const std::string& place,
            const storage::WriteOptions& options, Use use);
  /// Has the partial file deleted behind, unless it was shown.
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
  bool on_server_ = false;       ///< A partial file may be there.
  std::optional<Error> broken_;  ///< What was sent is lost: there is no going on.
  std::vector<std::byte> kept_;
  std::span<const std::byte> first_, second_;  ///< What is to be sent now.
};

}  // namespace coffer::ftp
