#pragma once

#include <array>
#include <cstdint>

namespace soci {
class session;
}

namespace coffer::catalog {

/// A copy of the header of SQLite's WAL index ("The WAL-Index File Format", section 2.1 of
/// sqlite.org/walformat.html). Every commit of any process changes it: it holds a change counter,
/// the number of frames and the running checksum over all of them. Nothing in it repeats.
using WalStamp = std::array<std::uint64_t, 6>;

/// True if exactly one commit leads from one stamp to the other.
bool is_one_commit(const WalStamp& before, const WalStamp& after);

/// Reads the stamp from the shared memory that SQLite itself has mapped; a few nanoseconds, any
/// thread. The memory is never opened a second time, since closing such a descriptor would drop the
/// locks that SQLite holds on the file (POSIX fcntl locks belong to the process).
class WalStampReader {
 public:
  /// Takes the address from an open SQLite session in WAL mode, which must outlive this object.
  /// Throws if the session has none.
  explicit WalStampReader(soci::session& session);
  WalStamp read() const;

 private:
  const std::uint64_t* header_ = nullptr;
};

}  // namespace coffer::catalog
