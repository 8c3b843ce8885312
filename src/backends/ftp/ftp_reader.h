#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/ftp/server.h"
#include "storage/reader.h"

namespace coffer::ftp {

/// Reads one file as a stream over one connection. The first read starts the stream. Between reads
/// the stream pauses, and the connection may be taken away for other requests. A read at another
/// offset starts a new stream. If a stream breaks after it has delivered bytes, but not by a
/// timeout, the reader starts a new one, but only once. Before a new stream, the reader checks the
/// file's size and time; `refused` if they have changed since the file was opened.
class FtpReader final : public storage::Reader {
 public:
  /// `entry` must have just been fetched over `connection`. Further leases are acquired for `use`.
  FtpReader(std::shared_ptr<Server> server, std::string path, storage::Entry entry,
            Lease connection, Use use);
  ~FtpReader() override;

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;

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
  bool looked_ = true;  ///< The file was just checked, so the next stream needs no check.
  bool streaming_ = false;
  bool excess_ = false;                  ///< The server has sent more than the size of the file.
  bool resumed_ = false;                 ///< A broken stream was restarted already.
  std::optional<Result<bool>> outcome_;  ///< The ended stream's result, until a read returns it.
  std::uint64_t position_ = 0;           ///< The offset of the first byte of `ahead()`.
  std::uint64_t arrived_ = 0;            ///< The offset of the next byte of the stream.
  std::uint64_t begun_at_ = 0;           ///< The offset at which the stream began.
  std::span<std::byte> out_;             ///< The buffer of the read in progress.
  std::size_t filled_ = 0;               ///< The number of bytes in `out_`.
  std::vector<std::byte> ahead_;         ///< Bytes of the stream that no read has taken yet.
  std::size_t ahead_begin_ = 0;
};

}  // namespace coffer::ftp
