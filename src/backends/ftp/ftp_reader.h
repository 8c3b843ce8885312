#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/ftp/server.h"
#include "storage/reader.h"

namespace coffer::ftp {

/// Reads one file as a stream that starts at the first read. It occupies a connection while the
/// stream runs; between reads the server is kept waiting. A read at another offset, and once a
/// stream that broke after it had brought bytes, start a new stream, after a check that the file is
/// still the one that was opened.
class FtpReader final : public storage::Reader {
 public:
  /// `connection` was just used to look at the file. Later ones are acquired for `use`.
  FtpReader(std::shared_ptr<Server> server, std::string path, storage::Entry entry,
            Lease connection, Use use);
  ~FtpReader() override;

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return std::nullopt; }

 private:
  std::span<const std::byte> ahead() const;
  std::size_t copy_ahead(std::uint64_t offset, std::span<std::byte> out);
  std::optional<std::size_t> take_arrived(std::uint64_t offset, std::span<std::byte> out);
  void receive_into(std::uint64_t offset, std::span<std::byte> out);
  void end_receiving();
  Result<std::size_t> read_waiting(std::uint64_t offset, std::span<std::byte> out);
  Result<void> begin_at(std::uint64_t offset);
  Result<void> check_unchanged();
  Result<void> fill();
  Result<void> go_on();
  bool take(std::span<const std::byte> data);
  std::unexpected<Error> changed();

  const std::shared_ptr<Server> server_;
  const std::string path_;
  const storage::Entry entry_;
  Lease connection_;
  const Use use_;
  bool looked_ = true;  ///< The look at the file is still valid.
  bool streaming_ = false;
  bool excess_ = false;
  bool resumed_ = false;
  std::optional<Result<bool>> outcome_;  ///< The result of the stream, if not reported yet.
  std::uint64_t position_ = 0;           ///< The offset of the first byte in `ahead_`.
  std::uint64_t arrived_ = 0;            ///< The offset of the stream.
  std::uint64_t begun_at_ = 0;
  std::span<std::byte> out_;  ///< The buffer of the read that waits.
  std::size_t filled_ = 0;
  std::vector<std::byte> ahead_;
  std::size_t ahead_begin_ = 0;
};

}  // namespace coffer::ftp
