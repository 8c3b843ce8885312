#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::ftp {

/// The reply that a command needs.
enum class Wanted : std::uint8_t {
  done,  ///< Success.
  more,  ///< The first half of a rename was accepted, and the server expects the other half.
  any,
};

/// The reply to one command (RFC 959, section 4.2).
struct Reply {
  int code = 0;
  std::string text;  ///< All lines with their codes; each ends with LF.

  /// True if a command on files was carried out. The second digit of the code must be 0 (syntax), 1
  /// (information) or 5 (file system). Code 202 means that nothing was done.
  bool is_done() const;
  /// True if the server accepted an offset, or the first half of a rename, and expects more.
  bool wants_more() const { return code == 350; }
  bool fits(Wanted wanted) const;
  /// True if the server ends the session instead of replying to a command. pure-ftpd does so when
  /// its input has ended, with the text `Logout.` and the code of its previous reply.
  bool is_farewell() const;
  /// True if the server did nothing and keeps the session.
  bool is_refusal() const { return code == 202 || (code >= 400 && code < 600 && code != 421); }
  /// True if this reply to a listing says that the server may not read the folder; the listing is
  /// empty then. vsftpd says so only in words, with the code of success.
  bool tells_of_no_access() const;
  /// True for a temporary refusal. It does not tell whether the item exists.
  bool passing() const { return code >= 400 && code < 500; }
};

/// The features of a server beyond RFC 959, from its reply to FEAT (RFC 2389).
struct Features {
  bool mlst = false;  ///< MLST and MLSD with type, size and modify (RFC 3659).
  bool mfmt = false;  ///< MFMT, which sets a modification time.
  bool utf8 = false;  ///< Paths in UTF-8.

  static Features parse(std::string_view feat_reply);
};

/// Returns the error for a refusal; all refusals are mapped here. Uses the server's words if the
/// code is not specific enough. Returns `otherwise` if neither helps and the refusal is not
/// temporary. No message repeats a reply's text, which may contain paths of the server.
Error reply_error(const Reply& reply, Error otherwise);

/// True if the server explicitly says that there is no such item.
bool says_missing(const Reply& reply);

/// Returns `forbidden`, for a refusal without a known reason.
Error refused_item();

}  // namespace coffer::ftp
