#include "core/transfer/transfer_check.h"

#include <fmt/format.h>
#include <sodium/crypto_shorthash_siphash24.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

static_assert(sizeof(TreeFingerprint::Key) == crypto_shorthash_siphashx24_KEYBYTES);
static_assert(2 * sizeof(std::uint64_t) == crypto_shorthash_siphashx24_BYTES);

bool is_left_out(const storage::Entry& entry) {
  return entry.is_link || storage::is_hidden_name(entry.name);
}

/// True for a hidden item that Coffer does not make: it could not be taken along.
bool is_hidden_by_chance(const storage::Entry& entry) {
  if (!storage::is_hidden_name(entry.name) || storage::is_partial_name(entry.name)) return false;
  const bool is_own_folder =
      entry.name == storage::kStagingFolder || entry.name == storage::kBinFolder;
  return entry.is_directory ? !is_own_folder : entry.name != storage::kFolderMarker;
}

bool is_one_component(const storage::Entry& entry) {
  const auto path = Path::parse(entry.name);
  return path && !path->is_root() && path->str() == entry.name && path->depth() == 1;
}

/// Some drives keep several items of one name in a folder.
bool has_name_twice(const std::vector<storage::Entry>& entries) {
  std::unordered_set<std::string_view> names;
  return !std::ranges::all_of(
      entries, [&names](const storage::Entry& entry) { return names.insert(entry.name).second; });
}

/// Of a place that lies in the folder: what was deleted there could not be taken along.
Task<Result<void>> check_no_bin(storage::Backend& backend, const Path& folder,
                                const std::vector<storage::Entry>& entries) {
  const auto bin = std::ranges::find(entries, storage::kBinFolder, &storage::Entry::name);
  if (bin == entries.end() || !bin->is_directory || bin->is_link) co_return Result<void>{};
  const Path path = item_path(folder, *bin);
  CO_TRY(const auto items, co_await backend.list(path));
  if (items.empty()) co_return Result<void>{};
  co_return fail(ErrorCode::invalid,
                 "The folder contains a shared folder whose bin has items, which would be lost. "
                 "Copy the folder instead, or empty that bin first.");
}

bool is_expected(const storage::Entry& file) {
  return !file.name.empty();
}

bool is_same_time(Timestamp one, Timestamp other) {
  using std::chrono::floor;
  using std::chrono::seconds;
  return known(one) && floor<seconds>(one) == floor<seconds>(other);
}

bool is_copy_of(const storage::Entry& file, const storage::Entry& there, KnownBy known_by) {
  if (there.is_directory || there.size_bytes != file.size_bytes) return false;
  return known_by == KnownBy::size || is_same_time(file.modified_at, there.modified_at);
}

/// True if the sorted listing shows a copy of the file.
bool shows(const std::vector<storage::Entry>& listing, const storage::Entry& file,
           KnownBy known_by) {
  const auto found = std::ranges::lower_bound(listing, file.name, {}, &storage::Entry::name);
  return found != listing.end() && found->name == file.name && is_copy_of(file, *found, known_by);
}

/// Of two names that are one to the server, the second file has taken the first one's place.
Result<void> count_files(const std::vector<storage::Entry>& listing, std::size_t expected) {
  const auto is_file = [](const storage::Entry& entry) { return !entry.is_directory; };
  if (std::cmp_greater_equal(std::ranges::count_if(listing, is_file), expected)) return {};
  return fail(ErrorCode::failed,
              "The destination does not hold all of the folder's files: it may take two of their "
              "names for one.");
}

}  // namespace

TreeFingerprint::Key TreeFingerprint::new_key() {
  Key key;
  fill_random(std::as_writable_bytes(std::span(key)));
  return key;
}

TreeFingerprint::Sum TreeFingerprint::hash(const Path& path, const storage::Entry& entry) const {
  std::string text = path.str();
  text += entry.is_directory ? "\nfolder" : "\nfile";
  if (!entry.is_directory) {
    text += ' ' + std::to_string(entry.size_bytes);
    text += ' ' + std::to_string(entry.modified_at.time_since_epoch().count());
    text += ' ' + std::to_string(entry.file_id);
  }
  std::array<unsigned char, crypto_shorthash_siphashx24_BYTES> out;
  crypto_shorthash_siphashx24(out.data(), reinterpret_cast<const unsigned char*>(text.data()),
                              text.size(), key_.data());
  Sum sum;
  std::memcpy(sum.data(), out.data(), out.size());
  return sum;
}

void TreeFingerprint::add(const Path& path, const storage::Entry& entry) {
  ++items_;
  const Sum item = hash(path, entry);
  for (std::size_t i = 0; i < item.size(); ++i) sum_.at(i) += item.at(i);
}

void TreeFingerprint::remove(const Path& path, const storage::Entry& entry) {
  --items_;
  const Sum item = hash(path, entry);
  for (std::size_t i = 0; i < item.size(); ++i) sum_.at(i) -= item.at(i);
}

Task<Result<std::vector<storage::Entry>>> list_for_transfer(const TransferRun& run,
                                                            storage::Backend& backend,
                                                            const Path& folder) {
  CO_TRY(auto listing, co_await backend.read_folder(folder));
  auto& entries = listing.entries;
  // Two mounts may lead to one disk, so paths alone do not tell.
  const auto staging = std::ranges::find(entries, run.staging_name(), &storage::Entry::name);
  if (staging != entries.end()) {
    co_return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
  }
  if (run.moves()) {
    if (!listing.is_whole() || std::ranges::any_of(entries, is_hidden_by_chance)) {
      co_return fail(ErrorCode::invalid,
                     "The folder holds links or other items that cannot be taken along and would "
                     "be lost. Copy it instead, or delete them first.");
    }
    CO_TRY_VOID(co_await check_no_bin(backend, folder, entries));
  }
  std::erase_if(entries, is_left_out);
  for (const storage::Entry& entry : entries) {
    if (is_one_component(entry)) continue;
    co_return fail(ErrorCode::invalid, "The folder holds an item with a name that is not allowed.");
  }
  if (has_name_twice(entries)) {
    co_return fail(ErrorCode::invalid, "The folder holds two items of one name.");
  }
  co_return std::move(listing.entries);
}

Path item_path(const Path& folder, const storage::Entry& entry) {
  return folder / Path::parse(entry.name).value();
}

Task<Result<bool>> stands_whole(storage::Backend& backend, const Path& path,
                                const storage::Entry& file, KnownBy known_by) {
  const auto entry = co_await backend.stat(path);
  if (!entry && entry.error().code != ErrorCode::not_found) co_return failure_of(entry);
  co_return entry.has_value() && is_copy_of(file, *entry, known_by);
}

Task<Result<void>> check_files(storage::Backend& backend, const Path& folder,
                               std::span<const storage::Entry> files, KnownBy known_by) {
  std::vector<storage::Entry> listing;
  const auto expected = static_cast<std::size_t>(std::ranges::count_if(files, is_expected));
  if (expected > 1) {
    CO_TRY(listing, co_await backend.list(folder));
    CO_TRY_VOID(count_files(listing, expected));
    std::ranges::sort(listing, {}, &storage::Entry::name);
  }
  for (const storage::Entry& file : files) {
    // Some servers list a name in another form than it was given; asked for it, they find it.
    if (!is_expected(file) || shows(listing, file, known_by)) continue;
    const Path path = item_path(folder, file);
    CO_TRY(const auto whole, co_await stands_whole(backend, path, file, known_by));
    if (!whole) {
      const ErrorCode code = backend.is_remote() ? ErrorCode::refused : ErrorCode::failed;
      co_return fail(code, "The copy of \"" + file.name + "\" is incomplete.");
    }
  }
  co_return Result<void>();
}

TreeScan::TreeScan(TransferEnd top, TransferRun& run, const TreeFingerprint& copied)
    : top_(std::move(top)),
      run_(run),
      fingerprint_(copied.key()),
      most_items_(copied.items()),
      folders_{Path()} {}

std::optional<Task<void>> TreeScan::take() {
  if (run_.is_stopped() || folders_.empty()) return std::nullopt;
  Path folder = std::move(folders_.back());
  folders_.pop_back();
  return look(std::move(folder));
}

Task<void> TreeScan::look(Path folder) {
  const Path path = top_.path / folder;
  if (auto stands = co_await run_.recheck(); !stands) {
    run_.stop(std::move(stands).error());
    co_return;
  }
  auto entries = co_await list_for_transfer(run_, top_.backend, path);
  if (!entries) {
    run_.stop(about_item(folder, std::move(entries).error()));
    co_return;
  }
  for (const storage::Entry& entry : *entries) {
    const Path item = item_path(folder, entry);
    fingerprint_.add(item, entry);
    if (entry.is_directory) folders_.push_back(item);
  }
  if (fingerprint_.items() > most_items_) run_.stop(source_changed(run_));
}

std::string TreeFingerprint::text() const {
  return fmt::format("{} {} {} {}", to_hex(std::as_bytes(std::span(key_))), sum_.at(0), sum_.at(1),
                     items_);
}

std::optional<TreeFingerprint> TreeFingerprint::parse(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string key;
  TreeFingerprint print{Key()};
  words >> key >> print.sum_.at(0) >> print.sum_.at(1) >> print.items_;
  if (!words || !is_hex(key, 2 * print.key_.size())) return std::nullopt;
  for (std::size_t i = 0; i < print.key_.size(); ++i) {
    std::from_chars(&key.at(2 * i), &key.at(2 * i) + 2, print.key_.at(i), 16);
  }
  return print;
}

namespace {

constexpr std::string_view kBeforeCopy = " copy ";

/// An earlier version did not note it.
storage::ItemIdentity parse_copy(std::string_view text) {
  std::istringstream words{std::string(text)};
  storage::ItemIdentity copy;
  Timestamp::rep born_at = 0;
  words >> copy.file_id >> born_at;
  if (!words) return {};
  copy.born_at = Timestamp(Timestamp::duration(born_at));
  return copy;
}

}  // namespace

std::string CopiedSource::text() const {
  const std::string source =
      top.is_directory ? fmt::format("tree {}", tree.text())
                       : fmt::format("file {} {} {}", top.size_bytes,
                                     top.modified_at.time_since_epoch().count(), top.file_id);
  return fmt::format("{}{}{} {}", source, kBeforeCopy, copy.file_id,
                     copy.born_at.time_since_epoch().count());
}

std::optional<CopiedSource> CopiedSource::parse(std::string_view text) {
  CopiedSource copied{{}, TreeFingerprint(TreeFingerprint::Key())};
  if (const auto at = text.find(kBeforeCopy); at != std::string_view::npos) {
    copied.copy = parse_copy(text.substr(at + kBeforeCopy.size()));
    text = text.substr(0, at);
  }
  copied.top.is_directory = text.starts_with("tree ");
  if (copied.top.is_directory) {
    const auto tree = TreeFingerprint::parse(text.substr(5));
    if (!tree) return std::nullopt;
    copied.tree = *tree;
    return copied;
  }
  std::istringstream words{std::string(text)};
  std::string kind;
  Timestamp::rep modified_at = 0;
  words >> kind >> copied.top.size_bytes >> modified_at >> copied.top.file_id;
  if (!words || kind != "file") return std::nullopt;
  copied.top.modified_at = Timestamp(Timestamp::duration(modified_at));
  return copied;
}

namespace {

Task<Result<bool>> is_same_tree(TransferEnd at, const CopiedSource& copied, TransferRun& run) {
  constexpr std::size_t kAtOnce = 4;
  TreeScan look(std::move(at), run, copied.tree);
  co_await do_work(look, kAtOnce);
  const auto looked = run.outcome();
  if (looked) co_return look.fingerprint() == copied.tree;
  const ErrorCode code = looked.error().code;
  // Something else came to it, or went.
  if (code == ErrorCode::conflict || code == ErrorCode::invalid || code == ErrorCode::not_found) {
    co_return false;
  }
  co_return failure_of(looked);
}

/// Whether all that is in the folder is at `to`, but for what is in folders in it.
Task<Result<bool>> holds_files(TransferEnd to, std::vector<storage::Entry> files,
                               KnownBy known_by) {
  const auto there = co_await to.backend.stat(to.path);
  if (!there && there.error().code == ErrorCode::not_found) co_return false;
  if (!there) co_return failure_of(there);
  if (!there->is_directory) co_return false;
  const auto whole = co_await check_files(to.backend, to.path, files, known_by);
  if (whole) co_return true;
  if (whole.error().code == ErrorCode::failed) co_return false;
  co_return failure_of(whole);
}

Task<Result<bool>> holds_tree(TransferEnd from, TransferEnd to, const TransferRun& run,
                              KnownBy known_by) {
  std::vector<Path> folders{Path()};
  while (!folders.empty()) {
    const Path folder = std::move(folders.back());
    folders.pop_back();
    auto entries = co_await list_for_transfer(run, from.backend, from.path / folder);
    if (!entries && entries.error().code == ErrorCode::invalid) co_return false;
    if (!entries) co_return failure_of(std::move(entries));
    for (const storage::Entry& entry : *entries) {
      if (entry.is_directory) folders.push_back(item_path(folder, entry));
    }
    std::erase_if(*entries, [](const storage::Entry& entry) { return entry.is_directory; });
    const TransferEnd copy{to.backend, to.path / folder};
    CO_TRY(const bool whole, co_await holds_files(copy, *std::move(entries), known_by));
    if (!whole) co_return false;
  }
  co_return true;
}

/// Whether the item at `to` may be the copy; false if it is missing.
Task<Result<bool>> may_be_copy(const TransferEnd& to, const CopiedSource& copied) {
  const auto there = co_await to.backend.stat(to.path);
  if (!there && there.error().code == ErrorCode::not_found) co_return false;
  if (!there) co_return failure_of(there);
  co_return !copied.copy.is_known() || there->identity() == copied.copy;
}

}  // namespace

Task<Result<bool>> is_copied(TransferEnd from, TransferEnd to, const CopiedSource& copied,
                             bool is_leaving, TransferProgress& progress) {
  CO_TRY(const auto top, co_await from.backend.stat(from.path));
  if (top.is_directory != copied.top.is_directory) co_return false;
  CO_TRY(const bool may_be, co_await may_be_copy(to, copied));
  if (!may_be) co_return false;
  // The deletion began when the copy stood there.
  const bool is_certain = copied.copy.is_known() || is_leaving;
  const KnownBy known_by = is_certain ? KnownBy::size : KnownBy::size_and_time;
  if (!top.is_directory) {
    if (!is_unchanged(copied.top, top)) co_return false;
    co_return co_await stands_whole(to.backend, to.path, top, known_by);
  }
  TransferRun run(progress, 0, true);
  if (!is_leaving) {
    CO_TRY(const bool same, co_await is_same_tree(from, copied, run));
    if (!same) co_return false;
  }
  co_return co_await holds_tree(from, to, run, known_by);
}

}  // namespace coffer::core
