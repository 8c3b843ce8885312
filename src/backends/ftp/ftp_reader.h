#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/ftp/server.h"
#include "storage/reader.h"

namespace coffer::ftp {

/// Reads one file as a stream that begins where it is first read. It holds a connection while the
/// stream runs; between reads the server waits, since what it sends is not taken. A jump, and,
/// once, a stream that broke after it had brought something, begin another stream after a look
/// whether the file is still the one that was opened.
class FtpReader final : public storage::Reader {
 public:
  /// `connection` has just been used to look at the file. `use` is what it was lent for, and others
  /// after it.
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
  bool looked_ = true;  ///< Nothing happened since the file was looked at.
  bool streaming_ = false;
  bool excess_ = false;
  bool resumed_ = false;
  std::optional<Result<bool>> outcome_;  ///< How the stream ended, if not reported yet.
  std::uint64_t position_ = 0;           ///< Of the first byte that is ahead.
  std::uint64_t arrived_ = 0;            ///< Where the stream is.
  std::uint64_t begun_at_ = 0;
  std::span<std::byte> out_;  ///< Where bytes go while a read waits for them.
  std::size_t filled_ = 0;
  std::vector<std::byte> ahead_;
  std::size_t ahead_begin_ = 0;
};

}  // namespace coffer::ftp
