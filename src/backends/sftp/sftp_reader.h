#pragma once

#include <deque>
#include <memory>
#include <string>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"
#include "backends/sftp/sftp_remote.h"
#include "storage/reader.h"

namespace coffer::sftp {

/// Reads one file through an open handle. Reads ahead if the caller reads sequentially. If the file
/// is replaced or removed meanwhile, the handle still gives the old content. `read` fails with
/// `refused` if the file was truncated meanwhile.
class SftpReader final : public storage::Reader {
 public:
  SftpReader(std::shared_ptr<Server> server, SftpRemote remote, std::string handle,
             storage::Entry entry);
  ~SftpReader() override;

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;

 private:
  struct Piece {
    std::uint64_t offset;
    std::uint32_t count;
    Asked asked;
  };
  Result<std::size_t> read_waiting(std::uint64_t offset, std::span<std::byte> out);
  Result<std::size_t> read_on(std::span<std::byte> out);
  void start_at(std::uint64_t offset);
  Result<void> ask_ahead(std::size_t wanted);
  Result<void> receive();
  Result<void> ask_rest(const Piece& piece, std::size_t got);
  std::size_t take(std::span<std::byte> out);
  bool may_drain() const;

  const std::shared_ptr<Server> server_;
  const SftpRemote remote_;
  const std::string handle_;
  const storage::Entry entry_;

  std::uint64_t position_ = 0;  ///< The offset of the next byte to return.
  std::string here_;  ///< The bytes of one reply; the first `taken_` bytes have been returned.
  std::size_t taken_ = 0;
  std::uint64_t asked_to_ = 0;      ///< The offset after the last byte that was requested.
  std::uint64_t window_bytes_ = 0;  ///< The number of bytes to request ahead of `position_`.
  std::deque<Piece> ahead_;         ///< Pieces requested but not received yet, sorted by offset.
};

/// Opens a file for reading. `invalid` for a folder. Blocks.
Result<std::unique_ptr<storage::Reader>> open_file(const std::shared_ptr<Server>& server,
                                                   const Lookup& lookup, const SftpRemote& remote,
                                                   const Path& file);

}  // namespace coffer::sftp
