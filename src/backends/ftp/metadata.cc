#include "backends/ftp/metadata.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/remote/server_names.h"
#include "base/text.h"

namespace coffer::ftp {
namespace {

constexpr std::size_t kListingLimitBytes = 24 * 1024 * 1024;

CharacterSet set_of(Session session) {
  return session.server.options->character_set;
}

bool tells_facts(Session session) {
  return session.connection.features().mlst && session.server.tells_facts != Does::no;
}

FtpItem folder_item(const std::string& path) {
  return {.name = std::string(remote::name_of(path)), .kind = Kind::folder};
}

/// The line of an answer to MLST that holds the facts begins with a blank (RFC 3659, section 7.2).
FactLine told_by_mlst(const Reply& reply, const std::string& path) {
  auto at = reply.text.find("\n ");
  if (at == std::string::npos) return {};
  std::string_view line = std::string_view(reply.text).substr(at + 2);
  line = line.substr(0, line.find_first_of("\r\n"));
  // The name is of no use, and may hold a path of the server; a folder may call itself `.`.
  const auto facts = std::string(line.substr(0, line.find(' '))) + " x";
  auto told = parse_fact_line(facts);
  if (told.is_self) told.item = folder_item(path);
  if (told.item) told.item->name = remote::name_of(path);
  return told;
}

/// The result of a look: an item, or the absence of one and how sure that is.
struct ProbeResult {
  std::optional<FtpItem> item = {};
  bool is_sure = true;
  bool is_sure_in_open_folder = false;  ///< If its folder can be entered, it is.
  bool needs_listing = false;           ///< Only the listing of its folder can show it.
};

Error unclear() {
  return {ErrorCode::refused, "The FTP server does not say whether the item exists."};
}

/// Many servers refuse with words of their own, or in their users' language.
Result<ProbeResult> nothing_seen(const Reply& reply) {
  const Error told = reply_error(reply, unclear());
  if (told != unclear() && told.code != ErrorCode::not_found) return std::unexpected(told);
  return ProbeResult{.is_sure = told != unclear()};
}

Result<ProbeResult> probe_by_trying(Session session, const std::string& path);

Result<ProbeResult> probe_by_mlst(Session session, const std::string& path) {
  auto& connection = session.connection;
  TRY(const auto reply, connection.command_at("MLST", path));
  if (!reply.is_done()) {
    auto result = nothing_seen(reply);
    // pure-ftpd says this, too, of what is in a folder that may not be entered.
    const bool is_either = reply.text.find("Can't check for file existence") != std::string::npos;
    if (result && is_either) *result = {.is_sure = false, .is_sure_in_open_folder = true};
    return result;
  }
  auto told = told_by_mlst(reply, path);
  if (told.lacks_facts) return probe_by_trying(session, path);
  if (!told.item) return fail(ErrorCode::refused, "The FTP server's reply is malformed.");
  return ProbeResult{std::move(told.item)};
}

std::string_view value_of(const Reply& reply) {
  const auto start = reply.text.rfind("213 ");
  if (start == std::string::npos) return {};
  const std::string_view value = std::string_view(reply.text).substr(start + 4);
  return value.substr(0, value.find_first_of("\r\n "));
}

/// A file by its size and time (RFC 3659, sections 4 and 3); nothing if the server tells no size,
/// but what it says in its place.
Result<std::optional<FtpItem>> look_at_file(Session session, const std::string& path,
                                            Reply& refusal) {
  auto& connection = session.connection;
  // Servers tell no size in text mode. libcurl may believe it is still in that: no harm.
  TRY_VOID(connection.tell("TYPE I"));
  TRY(const auto size, connection.command_at("SIZE", path));
  refusal = size;
  if (size.code != 213) return std::nullopt;
  FtpItem item{.name = std::string(remote::name_of(path))};
  const auto bytes = parse_number<std::uint64_t>(value_of(size));
  if (!bytes) return std::nullopt;
  item.size_bytes = *bytes;
  TRY(const auto time, connection.command_at("MDTM", path));
  if (time.code == 213) {
    item.modified_at = parse_time_value(value_of(time)).value_or(Timestamp());
  }
  return item;
}

/// The server has no such command, or not for this.
bool is_unknown_command(const Reply& reply) {
  return reply.code == 500 || reply.code == 502 || reply.code == 504;
}

/// Without MLST, an item with a size is a file, and one that can be entered is a folder.
Result<ProbeResult> probe_by_trying(Session session, const std::string& path) {
  Reply refusal;
  if (!path.empty()) {
    TRY(auto file, look_at_file(session, path, refusal));
    if (file) return ProbeResult{std::move(file)};
  }
  auto& connection = session.connection;
  TRY(const auto entered, connection.command_at("CWD", path));
  if (entered.is_done()) return ProbeResult{folder_item(path)};
  if (refusal.passing()) return nothing_seen(refusal);
  auto result = nothing_seen(entered);
  // The name may still be a file's.
  if (result && !says_missing(refusal)) {
    result->is_sure = false;
    result->needs_listing = is_unknown_command(refusal);
  }
  return result;
}

Result<ProbeResult> probe(Session session, const std::string& path) {
  return tells_facts(session) ? probe_by_mlst(session, path) : probe_by_trying(session, path);
}

Result<std::string> fetch_list(Session session, const std::string& verb) {
  std::string text;
  bool is_refused = false;
  bool too_long = false;
  auto& connection = session.connection;
  const bool is_bound = session.bound && *session.bound;
  auto begun = connection.begin_list(verb, [&](std::span<const std::byte> data) {
    is_refused = is_refused || (is_bound && !(*session.bound)(data.size()));
    if (is_refused) return true;
    too_long = text.size() + data.size() > kListingLimitBytes;
    if (!too_long) text.append(reinterpret_cast<const char*>(data.data()), data.size());
    return true;
  });
  if (!begun) return failure_of(begun);
  for (;;) {
    TRY(const auto done, connection.advance(true));
    if (is_refused) {
      connection.abort();
      return storage::listing_too_large();
    }
    if (too_long) {
      connection.abort();
      return fail(ErrorCode::refused, "The folder's listing is too long.");
    }
    if (done && connection.reply().tells_of_no_access()) return std::unexpected(refused_item());
    if (done) return text;
  }
}

/// The listing that shows more is taken: servers without options see a file's name in `-a`.
Result<Listing> try_list_all(Session session) {
  auto all = fetch_list(session, "LIST -a");
  if (!all && !session.connection.connected()) return failure_of(all);
  Listing everything = all ? parse_list(*all, now(), set_of(session)) : Listing();
  if (everything.saw_self) {
    session.server.lists_all = Does::yes;
    return everything;
  }
  TRY(const auto plain, fetch_list(session, "LIST"));
  Listing shown = parse_list(plain, now(), set_of(session));
  if (shown.items.size() < everything.items.size()) return everything;
  if (!shown.items.empty()) session.server.lists_all = Does::no;
  return shown;
}

Result<Listing> list_entered(Session session) {
  if (session.server.lists_all == Does::unknown) return try_list_all(session);
  const bool all = session.server.lists_all == Does::yes;
  TRY(const auto text, fetch_list(session, all ? "LIST -a" : "LIST"));
  return parse_list(text, now(), set_of(session));
}

Result<Listing> list_by_list(Session session, const std::string& folder) {
  // Servers take an argument of LIST for a pattern or an option.
  auto& connection = session.connection;
  TRY(const auto entered, connection.command_at("CWD", folder));
  if (!entered.is_done())
    return std::unexpected(reply_error(entered, remote::fail_missing().error()));
  return list_entered(session);
}

/// Says what a folder is whose listing is not clear.
using Look = Result<FtpItem> (*)(Session, const std::string&);

/// As metadata_of, but lists nothing: a look at a listing that needed another one, and so on up to
/// the top, would double the work with each folder.
Result<FtpItem> without_listing(Session session, const std::string& path) {
  TRY(auto result, probe(session, path));
  if (!result.item) return remote::fail_missing();
  return std::move(*result.item);
}

Result<Listing> list_by_mlsd(Session session, const std::string& folder, Look look) {
  TRY(const auto place, session.connection.place(folder));
  TRY(const auto text, fetch_list(session, "MLSD " + place));
  Listing listing = parse_mlsd(text, set_of(session));
  if (listing.lacks_facts) {
    auto other = list_by_list(session, folder);
    if (!other && !session.connection.connected()) return other;
    if (other && other->items.size() > listing.items.size()) {
      session.server.tells_facts = Does::no;
      return other;
    }
  }
  if (listing.saw_self || listing.items.size() > 1) return listing;
  // Some servers list a file as nothing, or as itself.
  TRY(const auto item, look(session, folder));
  if (item.kind != Kind::folder) return fail(ErrorCode::invalid, "This is a file, not a folder.");
  return listing;
}

Result<Listing> list_items(Session session, const std::string& folder, Look look) {
  auto listing =
      tells_facts(session) ? list_by_mlsd(session, folder, look) : list_by_list(session, folder);
  if (listing && listing->is_nonsense) {
    return fail(ErrorCode::refused, "The FTP server lists the folder in an unknown format.");
  }
  if (listing) return listing;
  if (!session.connection.connected()) return failure_of(listing);
  // The reply does not tell a missing folder from a file.
  TRY(const auto item, look(session, folder));
  if (item.kind == Kind::file) return fail(ErrorCode::invalid, "This is a file, not a folder.");
  return failure_of(listing);
}

/// True if a line that could not be read may be that of the item.
bool may_be_unread(Session session, const Listing& listing, const std::string& path) {
  const auto name = remote::on_server(set_of(session), std::string(remote::name_of(path)));
  return name && (listing.has_more_unread || listing.unread.contains(fmt::format(" {}\n", *name)));
}

Result<std::optional<FtpItem>> find_listed(Session session, const std::string& path) {
  const auto listing = list_items(session, remote::parent_of(path), &without_listing);
  if (listing) {
    const auto& items = listing->items;
    const auto found = std::ranges::find(items, remote::name_of(path), &FtpItem::name);
    if (found != items.end()) return *found;
    if (may_be_unread(session, *listing, path)) return std::unexpected(unclear());
    return std::nullopt;
  }
  if (listing.error().code == ErrorCode::invalid) return std::nullopt;  // Nothing is in a file.
  if (listing.error().code != ErrorCode::not_found) return failure_of(listing);
  // The folder too may be there without being shown.
  TRY(const auto folder, find(session, remote::parent_of(path)));
  if (folder && folder->kind != Kind::file) return std::unexpected(unclear());
  return std::nullopt;
}

/// Makes a folder of that name in `folder` and looks whether the server kept the name. Removes it
/// again.
Result<Does> try_name(Session session, const std::string& folder, const std::string& name) {
  TRY_VOID(command(session, "MKD", remote::in_folder(folder, name)));
  TRY(const auto listing, list_all_items(session, folder));
  const auto& items = listing.items;
  for (const FtpItem& item : items) {
    TRY_VOID(command(session, "RMD", remote::in_folder(folder, item.name)));
  }
  return items.size() == 1 && items.front().name == name ? Does::yes : Does::no;
}

/// Tries a name that ends with a blank in a hidden folder beside the place. If that folder cannot
/// be removed, a sweep deletes it.
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

Result<FtpItem> metadata_of(Session session, const std::string& path) {
  TRY(auto result, probe(session, path));
  if (!result.item && result.needs_listing && !path.empty()) {
    TRY(result.item, find_listed(session, path));
  }
  if (!result.item) return remote::fail_missing();
  return std::move(*result.item);
}

Result<std::optional<FtpItem>> find(Session session, const std::string& path) {
  TRY(auto result, probe(session, path));
  if (result.item || result.is_sure || path.empty()) return std::move(result.item);
  if (result.is_sure_in_open_folder) {
    auto& connection = session.connection;
    // CWD is not used: pure-ftpd lists nothing any more when the folder that it is in goes.
    TRY(const auto folder, connection.place(remote::parent_of(path)));
    TRY(const auto open, connection.command("MLST " + folder + "/."));
    if (open.is_done()) return std::nullopt;
  }
  return find_listed(session, path);
}

Result<FtpItem> stat_item(Session session, const std::string& path) {
  TRY(auto item, metadata_of(session, path));
  const bool told = item.modified_at != Timestamp() || path.empty();
  if (item.kind == Kind::folder && !told && !tells_facts(session)) {
    // When a folder was changed, such servers tell only in the listing above it.
    TRY(auto listed, find_listed(session, path));
    if (!listed) return remote::fail_missing();
    item = std::move(*listed);
  }
  if (item.kind == Kind::link || item.kind == Kind::other) return remote::fail_missing();
  return item;
}

Result<Listing> list_all_items(Session session, const std::string& folder) {
  return list_items(session, folder, &metadata_of);
}

Result<void> set_modified_at(Session session, const std::string& path, Timestamp time) {
  auto& connection = session.connection;
  if (!connection.features().mfmt) return {};
  const auto set = connection.command_at("MFMT " + format_time_value(time), path);
  if (!set) return failure_of(set);
  return {};
}

Error explain(Session session, const std::string& path, const Reply& reply) {
  Error refused = refused_item();
  Error told = reply_error(reply, refused);
  if (told != refused) return told;
  const auto folder = metadata_of(session, remote::parent_of(path));
  if (!folder) return folder.error();
  if (folder->kind == Kind::file) return remote::fail_no_folder().error();
  return refused;
}

Result<void> command(Session session, const std::string& verb, const std::string& path) {
  TRY(const auto reply, session.connection.command_at(verb, path));
  if (reply.is_done()) return {};
  return std::unexpected(explain(session, path, reply));
}

Result<void> need_kept_name(Session session, const std::string& place) {
  if (!place.ends_with(' ')) return {};
  auto& keeps_blanks = session.server.keeps_blanks;
  if (keeps_blanks == Does::unknown) {
    TRY(keeps_blanks, look_at_blanks(session, place));
  }
  if (keeps_blanks == Does::yes) return {};
  return fail(ErrorCode::invalid, "On this FTP server, a name cannot end with a space.");
}

}  // namespace coffer::ftp
