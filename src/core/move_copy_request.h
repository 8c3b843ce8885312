#pragma once

#include <optional>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// From where to where a move or copy goes, and the namespace that keeps both backends alive.
struct MoveCopyRequest {
  Namespace ns;
  ResolvedPath from;
  ResolvedPath to;         ///< The item's own new place, in a folder that exists.
  bool is_folder = false;  ///< The item, or what a link leads to.
};

/// What a principal asks for.
struct MoveCopyCommand {
  Path from;
  Path folder;                    ///< Where the item is to be,
  std::optional<Name> name = {};  ///< under its own name if none is given.
  bool moves = false;
  bool from_bin = false;  ///< `from` is a path in a bin, and `name` is given.
};

/// The place that an item takes in a folder; `invalid` for a name that cannot be made there.
Result<ResolvedPath> child_of(const Namespace& ns, const ResolvedPath& folder, const Name& name);

/// The place beside it under another name.
ResolvedPath sibling_of(const ResolvedPath& place, const Name& name);

/// `invalid` where it is no folder.
Task<Result<void>> require_folder(const ResolvedPath& place);

std::unexpected<Error> into_itself();

/// Finds both ends, with errors in the order of the contract: what the request itself says comes
/// before what is there. Whether the new name is taken is not looked at.
Task<Result<MoveCopyRequest>> plan_move_copy(Namespace ns, MoveCopyCommand command);

}  // namespace coffer::core
