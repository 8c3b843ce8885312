#pragma once

namespace coffer::local {

/// The steps on names that a file system offers. What is missing has a substitute in NameChanges.
struct Abilities {
  bool unnamed_files = true;  ///< O_TMPFILE of open(2), and a way to give such a file a name.
  bool noreplace = true;      ///< renameat2(2) with RENAME_NOREPLACE.
  bool exchange = true;       ///< renameat2(2) with RENAME_EXCHANGE.
  bool hard_links = true;
};

}  // namespace coffer::local
