"""Which tests run when, and beside which others. All of it stands in this file.

The daily tier is what each change must pass (script/test), the whole tier what is run for a release (script/test --all,
which sets COFFER_TEST_WHOLE=1). The daily tier leaves out

- modules and tests that are long and seldom find anything: ONLY_IN_THE_WHOLE_TIER,
- everything on an S3 server, which takes a Ceph cluster,
- products of parameters: of a test with several lists of parameters, each value of each list comes at least once, but not
  with each value of the others, except for modules of EVERY_COMBINATION, where that costs nothing,
- most cases of the tests in DAILY_CASES, which tells how many are left: a server's faults at each of its steps are tested
  one level down, over scripted servers (tests/conformance and the units), so a few are enough to see that all hangs together,
- on PostgreSQL, modules to which the database makes no difference: all but POSTGRESQL_MATTERS; and most cases of a test with
  parameters, which mostly differ in what is asked, not in what the catalog does: CASES_ON_POSTGRESQL is left.

With `--dist loadgroup`, tests that share a fixture of their module run on one worker, one after the other; so do those of
LOADS_THE_PROCESSOR, two at a time, however many workers there are for the others, which mostly wait."""

import collections
import os

import pytest

DATABASE = os.environ.get("COFFER_TEST_DATABASE", "sqlite")
POSTGRESQL = DATABASE == "postgresql"
HOMES = os.environ.get("COFFER_TEST_HOMES", "files")  # Where accounts' own files lie: objects is a store of them.
WHOLE = os.environ.get("COFFER_TEST_WHOLE") == "1"

ONLY_IN_THE_WHOLE_TIER = {
    "test_balancer", "test_big", "test_drive_endless", "test_many_accounts", "test_power_cut", "test_readiness", "test_real_tree",
    "test_release", "test_restore", "test_tls_scanners", "test_upgrades",
    "test_dav_clients::test_gnome_mounts_copies_renames_and_deletes",
    "test_home_move::test_a_switch_whose_answer_is_late_is_waited_for",
    "test_people_links::test_an_account_has_so_many_links",
    "test_people_archive::test_a_file_of_more_than_4_gib_is_zip64_in_constant_memory",
    "test_people_archive::test_a_hundred_thousand_small_files",
    "test_people_bin::test_a_bin_has_so_many_items",
    "test_people_selections::test_a_hundred_thousand",
    "test_people_unpack::test_a_packed_bomb_that_is_passed_over_is_refused",
    "test_people_unpack::test_a_zip_of_zeros_is_refused",
    "test_people_unpack::test_little_that_unpacks_to_no_end_is_refused",
    "test_people_unpack::test_more_than_four_gibibytes_in_one_item",
    "test_people_unpack::test_too_many_items_are_refused",
    "test_people_unpack::test_what_is_passed_over_in_a_7z_counts_too",
    "test_several_servers::test_a_paused_server_is_not_taken_for_dead_and_goes_on",
    "test_several_servers::test_what_the_dead_left_is_ended_and_what_others_do_goes_on",
    "test_tus::test_an_account_has_so_many_unfinished_uploads",
}

EVERY_COMBINATION = {"test_requests", "test_keys", "test_error_order", "test_people_routes", "test_names"}

DAILY_CASES = {
    "test_changed_sources::test_a_copy_is_whole_or_not_there": 12,
    "test_changed_sources::test_a_move_of_a_folder_that_grows_is_a_conflict": 1,
    "test_dav::test_a_large_folder_is_listed_in_little_memory": 1,
    "test_drive_cuts::test_a_copy_whose_line_is_cut": 1,
    "test_drive_cuts::test_a_download_whose_line_is_cut_is_never_wrong": 1,
    "test_drive_cuts::test_several_files_and_the_last_is_cut": 1,
    "test_drive_cuts::test_the_client_goes": 3,
    "test_drive_cuts::test_the_client_goes_when_all_is_sent": 2,
    "test_drive_cuts::test_the_line_to_the_drive_is_cut": 3,
    "test_drive_faults::test_a_copy_of_names_that_cannot_be_stays_in_its_folder": 3,
    "test_drive_faults::test_a_folder_with_a_name_that_cannot_be": 5,
    "test_drive_faults::test_a_name_that_cannot_be_is_not_shown": 5,
    "test_drive_faults::test_what_a_drive_refuses_is_told": 4,
    "test_drive_publishing::test_a_step_is_refused": 3,
    "test_drive_publishing::test_the_answer_to_a_step_is_lost": 2,
    "test_drive_publishing::test_the_line_is_cut_in_any_answer": 1,
    "test_drive_publishing::test_what_cannot_be_moved_back_is_in_sight": 2,
    "test_drive_routes::test_a_tree_is_copied_and_moved": 6,
    "test_drive_work::test_a_server_that_ends_during_work_leaves_nothing": 3,
    "test_drive_work::test_work_whose_right_is_withdrawn_stops": 4,
    "test_home_move::test_a_server_that_is_killed_while_it_copies": 2,
    "test_key_crashes::test_a_key_opens_its_folder_alone_wherever_the_server_was_killed": 2,
    "test_mount_copies::test_files_keep_their_times": 8,
    "test_mount_crash::test_kill_during_work_between_places": 6,
    "test_mount_crash::test_kill_while_the_source_of_a_move_has_its_other_name": 3,
    "test_people_bin_life::test_a_server_that_is_killed_at_any_moment": 1,
    "test_people_unpack::test_an_archive_whose_server_goes": 1,
    "test_people_unpack::test_between_each_two_places": 4,
    "test_people_unpack::test_large_ones": 1,
    "test_people_unpack::test_several_tasks_at_once_keep_all": 1,
    "test_people_unpack::test_several_tasks_at_once_of_which_one_may": 1,
    "test_tus_js_client::test_an_upload": 5,
}

CRASHES = {"test_crash_campaign": (5, 25), "test_tus_crashes": (3, 10)}  # How many a day, and in the whole tier.

POSTGRESQL_MATTERS = {
    "test_administration", "test_audit", "test_check_keys", "test_concurrency", "test_counted_downloads", "test_crash_campaign",
    "test_dav_locks", "test_database_faults", "test_guest_uploads", "test_key_crashes", "test_key_races", "test_keys", "test_missing_data",
    "test_one_server", "test_people_bin", "test_people_keys", "test_people_tasks", "test_quota", "test_removed_accounts",
    "test_restart", "test_secret_key", "test_sessions", "test_setup", "test_shares", "test_tus", "test_upload_keys", "test_upload_room",
}

CASES_ON_POSTGRESQL = 1

# With COFFER_TEST_HOMES=objects, own files lie in a store of objects: in the whole tier, for these modules, but for the tests
# that are about what a disk alone has (links, rights, times that are set, files that others put there, the spool's own files).
OBJECTS_MATTER = {"test_concurrency", "test_downloads", "test_guest_uploads", "test_people_bin", "test_quota", "test_tus", "test_upload_keys", "test_uploads"}

NEEDS_A_DISK = {
    "test_downloads::test_a_backslash_in_a_name_on_disk_is_escaped", "test_downloads::test_if_range_by_a_date_needs_an_old_one",
    "test_downloads::test_last_modified_is_the_files_own_time",
    "test_guest_uploads::test_a_guest_goes_on_when_the_folder_is_renamed",
    "test_people_bin::test_a_link_comes_back_as_it_was", "test_people_bin::test_emptying_stops_with_the_right_to_it",
    "test_people_bin::test_nothing_beside_its_folder_goes_into_the_bin_by_a_link",
    "test_quota::test_replacing_a_link_or_a_file_made_on_disk_never_counts_below_zero",
    "test_tus::test_a_start_sweeps_what_is_old_and_what_nothing_knows", "test_tus::test_bytes_that_were_lost_are_told_as_gone",
    "test_tus::test_on_its_own_disk_nothing_is_copied",
    "test_tus::test_a_withdrawn_right_stores_nothing",  # Looks at the files of an account that is disabled, which no key does.
    "test_uploads::test_uploads_leave_files_of_ordinary_rights",
}

LOADS_THE_PROCESSOR = {
    "test_big", "test_crash_campaign", "test_drive_endless", "test_fair_shares", "test_people_search", "test_people_unpack",
    "test_stalled_readers",
    "test_power_cut", "test_tus_crashes",
}


def misspelt(folder):
    """The entries above that name no test."""
    sources = {file.stem: file.read_text() for file in folder.glob("test_*.py")}
    modules = {*OBJECTS_MATTER, *NEEDS_A_DISK, *ONLY_IN_THE_WHOLE_TIER, *EVERY_COMBINATION, *DAILY_CASES, *POSTGRESQL_MATTERS, *CRASHES, *LOADS_THE_PROCESSOR}
    parts = [(entry, *entry.partition("::")[::2]) for entry in modules]
    return [entry for entry, module, test in parts
            if module not in sources or (test and f"def {test}(" not in sources[module])]


def is_left_out(module):
    """Whether no test of the module runs in this tier on this database."""
    if WHOLE:
        return False
    return module in ONLY_IN_THE_WHOLE_TIER or (POSTGRESQL and module not in POSTGRESQL_MATTERS)


def crashes(module):
    """How many a campaign makes; COFFER_TEST_ROUNDS asks for others."""
    return int(os.environ.get("COFFER_TEST_ROUNDS", CRASHES[module][WHOLE]))


def chosen(items):
    """Those of this tier."""
    if HOMES == "objects":
        return [item for item in items
                if item.path.stem in OBJECTS_MATTER and f"{item.path.stem}::{item.originalname}" not in NEEDS_A_DISK]
    if WHOLE:
        return items
    kept, tests = [], collections.defaultdict(list)
    for item in items:
        if f"{item.path.stem}::{item.originalname}" in ONLY_IN_THE_WHOLE_TIER or "s3" in parameters_of(item).values():
            continue
        tests[item.path, item.originalname].append(item)
    for (path, name), cases in tests.items():
        cases = cases if path.stem in EVERY_COMBINATION else each_value_once(cases)
        count = DAILY_CASES.get(f"{path.stem}::{name}", len(cases))
        kept += spread(cases, min(count, CASES_ON_POSTGRESQL) if POSTGRESQL else count)
    return kept


def spread(cases, count):
    """So many of them, from the first to the last."""
    return [cases[number * len(cases) // count] for number in range(min(count, len(cases)))]


def parameters_of(item):
    return item.callspec.params if hasattr(item, "callspec") else {}


def each_value_once(cases):
    """Of the cases of one test, as few as have each value of each list of parameters."""
    values = [set(enumerate(case.callspec._idlist)) if hasattr(case, "callspec") else {None} for case in cases]
    missing, kept = set().union(*values), []
    while missing:
        kept.append(max(range(len(cases)), key=lambda number: (len(values[number] & missing), -number)))
        missing -= values[kept[-1]]
    return [cases[number] for number in sorted(kept)]


def group_of(item):
    """Those of one group run on one worker; None for a test that may run beside any other."""
    module = item.path.stem
    if module in LOADS_THE_PROCESSOR:
        return f"processor-{sorted(LOADS_THE_PROCESSOR).index(module) % 2}"
    fixtures = item._fixtureinfo.name2fixturedefs
    is_shared = any(one.scope == "module" for name, made in fixtures.items() if name != "module_account" for one in made)
    return module if is_shared else None


def share_out(items):
    """The order in which workers take tests: long groups first."""
    for item in items:
        if group := group_of(item):
            item.add_marker(pytest.mark.xdist_group(group))
    return sorted(items, key=lambda item: (item.get_closest_marker("xdist_group") is None, item.path.stem))
