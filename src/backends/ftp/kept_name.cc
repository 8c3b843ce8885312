#include "backends/ftp/kept_name.h"

#include "backends/ftp/metadata.h"

namespace coffer::ftp {
namespace {

/// Makes a folder of the name in `folder`: whether it got that name. What it got is the only thing
/// in there, and goes again.
Result<Does> try_name(Session session, const std::string& folder, const std::string& name) {
  if (auto made = command(session, "MKD", remote::in_folder(folder, name)); !made)
    return failure_of(made);
  const auto items = list_all_items(session, folder);
  if (!items) return failure_of(items);
  for (const FtpItem& item : *items) {
    auto gone = command(session, "RMD", remote::in_folder(folder, item.name));
    if (!gone) return failure_of(gone);
  }
  return items->size() == 1 && items->front().name == name ? Does::yes : Does::no;
}

/// In a folder out of sight beside the place. If that does not go again, a sweep takes it.
Result<Does> look_at_blanks(Session session, const std::string& place) {
  const std::string folder = remote::partial_beside(place);
  Result<void> done = command(session, "MKD", folder);
  Result<Does> does = Does::unknown;
  if (done) does = try_name(session, folder, "a ");
  if (done && does) done = command(session, "RMD", folder);
  if (!done || !does) session.server.shared.leftovers.add(folder);
  if (does == Does::unknown) return failure_of(done);
  return does;
}

}  // namespace

Result<void> need_kept_name(Session session, const std::string& place) {
  if (!place.ends_with(' ')) return {};
  auto& keeps_blanks = session.server.keeps_blanks;
  if (keeps_blanks == Does::unknown) {
    const auto seen = look_at_blanks(session, place);
    if (!seen) return failure_of(seen);
    keeps_blanks = *seen;
  }
  if (keeps_blanks == Does::yes) return {};
  return fail(ErrorCode::invalid, "On this FTP server no name can end with a blank.");
}

}  // namespace coffer::ftp
