#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::ftp {

/// The reply that a command needs: success; for the first half of a rename, a request for the other
/// half; or any.
enum class Wanted : std::uint8_t { done, more, any };

/// The reply to one command (RFC 959, section 4.2).
struct Reply {
  int code = 0;
  std::string text;  ///< Every line with its code, each ended by LF.

  /// True if a command on files was carried out. Only replies of syntax, information and the file
  /// system (the second digit) count. 202 says that nothing was done.
  bool is_done() const;
  /// True if the first half of a rename, or an offset, was accepted, and the next command is
  /// expected.
  bool wants_more() const { return code == 350; }
  bool fits(Wanted wanted) const;
  /// True if the server ends the session instead of replying, since its input has ended. pure-ftpd
  /// uses the code of its last reply for this, whatever that was.
  bool is_farewell() const;
  /// True if the server did nothing and keeps the session.
  bool is_refusal() const { return code == 202 || (code >= 400 && code < 600 && code != 421); }
  /// True for the end of a listing that is empty only because the server may not read the folder.
  /// vsftpd says so in words alone, with the code of success.
  bool tells_of_no_access() const;
  /// True for a temporary refusal, which does not tell whether the item exists.
  bool passing() const { return code >= 400 && code < 500; }
};

/// The server's features beyond RFC 959, as FEAT tells them (RFC 2389).
struct Features {
  bool mlst = false;  ///< MLST and MLSD with type, size and modify (RFC 3659).
  bool mfmt = false;
  bool utf8 = false;

  static Features parse(std::string_view feat_reply);
};

/// Maps a refusal to an error, the only place that does: by the server's words where its code says
/// too little, and to `otherwise` if neither helps and the refusal is not temporary. No message
/// repeats a reply's text, which may hold paths of the server.
Error reply_error(const Reply& reply, Error otherwise);

/// True if the server explicitly says that there is no such item.
bool says_missing(const Reply& reply);

Error refused_item();

}  // namespace coffer::ftp
