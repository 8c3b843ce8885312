#include "backends/ftp/kept_name.h"

#include "backends/ftp/metadata.h"

namespace coffer::ftp {
namespace {

Result<void> make(Session session, const std::string& folder) {
  const auto reply = session.connection.command("MKD " + session.connection.place(folder));
  if (!reply) return failure_of(reply);
  if (reply->is_done()) return {};
  return std::unexpected(explain(session, folder, *reply));
}

/// In a folder out of sight beside the place.
Result<Does> look_at_blanks(Session session, const std::string& place) {
  const std::string folder = remote::partial_beside(place);
  const std::string name = "a ";
  session.server.shared.leftovers.add(folder);
  auto made = make(session, folder);
  if (made) made = make(session, remote::in_folder(folder, name));
  if (!made) return failure_of(made);
  const auto items = list_all_items(session, folder);
  if (!items) return failure_of(items);
  return items->size() == 1 && items->front().name == name ? Does::yes : Does::no;
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
