#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::ftp {

/// The replies that the caller of a command accepts.
enum class Wanted : std::uint8_t {
  done,  ///< Success.
  more,  ///< The server accepted the first command of a rename (RNFR), and expects the second.
  any,   ///< Any reply, even a refusal.
};

/// The reply to one command (RFC 959, section 4.2).
struct Reply {
  int code = 0;
  std::string text;  ///< All lines with their codes; each ends with LF.

  /// True if the code says that the server carried out a command on files: 2xx with the second
  /// digit 0 (syntax), 1 (information) or 5 (file system). False for 202 (superfluous, not done).
  bool is_done() const;
  /// True if the server accepted an offset or RNFR, and expects the next command.
  bool wants_more() const { return code == 350; }
  bool fits(Wanted wanted) const;
  /// True if the server ends the session instead of replying to a command. When its input ends,
  /// pure-ftpd sends such a reply with the text `Logout.` and the code of its previous reply.
  bool is_farewell() const;
  /// True if the server did nothing and keeps the session.
  bool is_refusal() const { return code == 202 || (code >= 400 && code < 600 && code != 421); }
  /// True if this reply to a listing says that the server has no right to read the folder. The
  /// listing is empty then. vsftpd says this only in the text; the code of its reply means success.
  bool tells_of_no_access() const;
  /// True for a temporary refusal. Such a reply does not show whether the item exists.
  bool passing() const { return code >= 400 && code < 500; }
};

/// The features of a server beyond RFC 959, from its reply to FEAT (RFC 2389).
struct Features {
  bool mlst = false;  ///< MLST and MLSD send the facts type, size and modify (RFC 3659).
  bool mfmt = false;  ///< The server has the command MFMT, which sets a modification time.
  bool utf8 = false;  ///< Paths are in UTF-8.

  static Features parse(std::string_view feat_reply);
};

/// Returns the error for a refusal. If the code is not specific enough, the text of the reply
/// decides. If the text has no known words either, returns an error with the code `refused` for a
/// temporary refusal, and the parameter `otherwise` for others. Error messages do not repeat the
/// text, which may contain paths of the server.
Error reply_error(const Reply& reply, Error otherwise);

/// True if the server explicitly says that there is no such item.
bool says_missing(const Reply& reply);

/// Returns `forbidden`, the error for a refusal without a known reason.
Error refused_item();

}  // namespace coffer::ftp
