#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::ftp {

/// What the server answered to one command (RFC 959, section 4.2).
struct Reply {
  int code = 0;
  std::string text;  ///< Every line with its code, each ended by LF.

  bool ok() const { return code >= 200 && code < 400; }
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
