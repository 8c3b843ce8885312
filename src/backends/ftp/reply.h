#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::ftp {

/// What a command needs as its answer: that it was done, or, to the first half of a rename, that
/// the other may come; or any, where nothing hangs on it.
enum class Wanted : std::uint8_t { done, more, any };

/// What the server answered to one command (RFC 959, section 4.2).
struct Reply {
  int code = 0;
  std::string text;  ///< Every line with its code, each ended by LF.

  /// A command on files was carried out. Only the replies that can say so count, by their second
  /// digit: of the syntax, of information, of the file system. 202 says that nothing was done.
  bool is_done() const;
  /// The first half of a rename was taken, or the place to read from: the command to come is
  /// wanted.
  bool wants_more() const { return code == 350; }
  bool fits(Wanted wanted) const;
  /// The server takes its leave in the place of an answer, since its input has ended. pure-ftpd
  /// does so with the code of its last reply, whatever that was.
  bool is_farewell() const;
  /// The server did nothing, and stays.
  bool is_refusal() const { return code == 202 || (code >= 400 && code < 600 && code != 421); }
  /// The end of a listing which is empty only because the server may not read the folder. vsftpd
  /// says so in words alone, with the code of one that went well.
  bool tells_of_no_access() const;
  /// A refusal for now: it says nothing of whether something is there.
  bool passing() const { return code >= 400 && code < 500; }
};

/// What the server can besides RFC 959, as FEAT tells (RFC 2389).
struct Features {
  bool mlst = false;  ///< MLST and MLSD with type, size and modify (RFC 3659).
  bool mfmt = false;
  bool utf8 = false;

  static Features parse(std::string_view feat_reply);
};

/// A refusal as an error: the server's words decide where its code says too little. `otherwise` is
/// returned where neither tells, and the refusal is not one for now. The one place that maps
/// replies; nothing of a reply's text gets into a message, since it may hold paths of the server.
Error reply_error(const Reply& reply, Error otherwise);

/// True if the server says in so many words that nothing is there.
bool says_missing(const Reply& reply);

Error refused_item();

}  // namespace coffer::ftp
