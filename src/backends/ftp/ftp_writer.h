#pragma once

#include <memory>
#include <vector>

#include "backends/ftp/server.h"
#include "storage/backend.h"

namespace coffer::ftp {

/// Sends new content to a partial name beside the target, or to the target's own where that is out
/// of sight. Little content is kept until it is complete, so that beginning costs nothing and a
/// small file needs a connection only once.
class FtpWriter final : public storage::Writer {
 public:
  FtpWriter(std::shared_ptr<Server> server, Path target, storage::WriteOptions options);
  /// Has the partial file deleted behind, unless it was shown.
  ~FtpWriter() override;

  Task<Result<void>> write(std::span<const std::byte> data) override;
  std::uint64_t written_bytes() const override { return written_bytes_; }
  std::string_view staged_name() const override { return partial_.name(); }
  Task<Result<void>> finish() override;
  Task<void> abandon() override;

  const Path& target() const { return target_; }
  const Path& partial() const { return partial_; }
  const storage::WriteOptions& options() const { return options_; }
  /// It has its target's name already.
  bool is_out_of_sight() const { return options_.out_of_sight; }
  /// It is under its target's name now.
  void shown() { on_server_ = false; }

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
  const Path target_;
  const Path partial_;
  const storage::WriteOptions options_;
  Lease connection_;
  std::uint64_t written_bytes_ = 0;
  bool begun_ = false;
  bool ending_ = false;
  bool finished_ = false;
  bool on_server_ = false;       ///< A partial file may be there.
  std::optional<Error> broken_;  ///< What was sent is lost: there is no going on.
  std::vector<std::byte> kept_;
  std::span<const std::byte> first_, second_;  ///< What is to be sent now.
};

}  // namespace coffer::ftp
