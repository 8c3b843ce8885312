#pragma once

#include "backends/rclone/providers/option_builders.h"

/// The allowed options of each provider, as rclone 1.60.1 knows them.
namespace coffer::rclone::tables {

using namespace builders;

// rclone builds https://ACCOUNT.ENDPOINT: an account is a label, and a part of the address.
inline constexpr Option kAzureBlob[] = {
    address("account", OptionKind::label),
    secret("key"),
    secret(address("sas_url")),
    address("endpoint", OptionKind::host),
    choice("access_tier", "hot|cool|archive"),
    boolean("archive_tier_delete"),
    choice("public_access", "blob|container"),
};

inline constexpr Option kB2[] = {
    required(text("account")), required(secret("key")), address("endpoint"),
    address("download_url"),   boolean("hard_delete"),
};

inline constexpr auto kBox = with_oauth({
    secret("access_token"),
    text("root_folder_id"),
    text("owned_by"),
});

// import_formats would turn uploads into documents whose size cannot be checked.
inline constexpr auto kDrive = with_oauth({
    service_account(),
    text("scope"),
    text("root_folder_id"),
    text("team_drive"),
    text("impersonate"),
    secret("resource_key"),
    text("export_formats"),
    boolean("auth_owner_only"),
    boolean("use_trash"),
    boolean("copy_shortcut_content"),
    boolean("skip_gdocs"),
    boolean("skip_checksum_gphotos"),
    boolean("shared_with_me"),
    boolean("trashed_only"),
    boolean("starred_only"),
    boolean("use_created_date"),
    boolean("use_shared_date"),
    boolean("acknowledge_abuse"),
    boolean("keep_revision_forever"),
    boolean("skip_shortcuts"),
    boolean("skip_dangling_shortcuts"),
});

// shared_folders would mount others' folders into the account whenever one is opened.
inline constexpr auto kDropbox = with_oauth({
    text("impersonate"),
});

inline constexpr Option kFichier[] = {
    secret("api_key"),
    text("shared_folder"),
    secret("file_password"),
    secret("folder_password"),
};

// token, token_expiry and version are rclone's own notes.
inline constexpr Option kFileFabric[] = {
    required(address("url")),
    required(secret("permanent_token")),
    text("root_folder_id"),
};

inline constexpr auto kGoogleCloud = with_oauth({
    service_account(),
    boolean("anonymous"),
    text("project_number"),
    text("object_acl"),
    text("bucket_acl"),
    boolean("bucket_policy_only"),
    text("location"),
    text("storage_class"),
    boolean("no_check_bucket"),
    address("endpoint"),
});

inline constexpr auto kHiDrive = with_oauth({
    choice("scope_access", "rw|ro"),
    choice("scope_role", "user|admin|owner"),
    text("root_prefix"),
    address("endpoint"),
    boolean("disable_fetching_member_count"),
});

inline constexpr Option kInternetArchive[] = {
    together(text("access_key_id"), "secret_access_key"),
    together(secret("secret_access_key"), "access_key_id"),
    address("endpoint"),
    address("front_endpoint"),
};

// No `rclone authorize` serves it: its token is what `rclone config` noted elsewhere. Each renewal
// makes the one before useless, so that no other rclone may go on using it.
// Only a configVersion of 1: with 0 a client_secret that is not obscured ends the whole of rclone.
inline constexpr Option kJottacloud[] = {
    unlisted(token(),
             "The token that `rclone config` noted elsewhere, where it is then used no more."),
    unlisted(required(choice("configVersion", "1")), "Always 1."),
    unlisted(address("tokenURL"), "Where the token is renewed, as `rclone config` noted it."),
    unlisted(text("client_id"), "As `rclone config` noted it."),
    unlisted(text("username"), "As `rclone config` noted it."),
    unlisted(text("device"), "The device to use. Leave blank normally."),
    unlisted(text("mountpoint"), "The mount point to use. Leave blank normally."),
    boolean("trashed_only"),
    boolean("hard_delete"),
    boolean("no_versions"),
};

inline constexpr Option kKoofr[] = {
    address(choice("provider", "koofr|digistorage|other")),
    address("endpoint"),
    required(text("user")),
    required(secret("password")),
    text("mountid"),
    boolean("setmtime"),
};

inline constexpr Option kMailru[] = {
    required(text("user")),
    required(secret("pass")),
    boolean("speedup_enable"),
    boolean("check_hash"),
};

inline constexpr auto kOneDrive = with_oauth({
    address(choice("region", "global|us|de|cn")),
    found_at_login(required(text("drive_id"))),
    found_at_login(required(choice("drive_type", "personal|business|documentLibrary"))),
    text("root_folder_id"),
    text("access_scopes"),
    boolean("disable_site_permission"),
    boolean("expose_onenote_files"),
    boolean("no_versions"),
});

inline constexpr Option kOpenDrive[] = {
    required(text("username")),
    required(secret("password")),
};

// rclone keeps the host for all its remotes of this kind: only pCloud's own two. Its name and
// password are for a command alone that Coffer does not use.
inline constexpr auto kPcloud = with_oauth({
    address(choice("hostname", "api.pcloud.com|eapi.pcloud.com")),
    text("root_folder_id"),
});

inline constexpr Option kPremiumize[] = {unlisted(token(), kTokenHelp), secret("api_key")};

inline constexpr Option kPutio[] = {unlisted(token(), kTokenHelp)};

// The region is a part of Amazon's host names.
inline constexpr Option kS3[] = {
    text("provider"),
    together(text("access_key_id"), "secret_access_key"),
    together(secret("secret_access_key"), "access_key_id"),
    secret("session_token"),
    address("region", OptionKind::label),
    address("endpoint", OptionKind::endpoint),
    address("download_url"),
    text("location_constraint"),
    text("acl"),
    text("bucket_acl"),
    text("storage_class"),
    text("server_side_encryption"),
    text("sse_customer_algorithm"),
    text("sse_kms_key_id"),
    secret("sse_customer_key"),
    secret("sse_customer_key_base64"),
    secret("sse_customer_key_md5"),
    boolean("requester_pays"),
    boolean("force_path_style"),
    boolean("v2_auth"),
    boolean("use_accelerate_endpoint"),
    boolean("no_check_bucket"),
    choice("list_version", "0|1|2"),
    tristate("list_url_encode"),
    tristate("use_multipart_etag"),
    boolean("use_presigned_request"),
};

inline constexpr Option kSeafile[] = {
    required(address("url")), required(text("user")),    secret("pass"),
    boolean("2fa"),           secret("auth_token"),      text("library"),
    secret("library_key"),    boolean("create_library"),
};

inline constexpr Option kShareFile[] = {
    unlisted(token(), kTokenHelp),
    found_at_login(required(address("endpoint"))),
    text("root_folder_id"),
};

// authorization, user, root_id and others are rclone's own notes.
inline constexpr Option kSugarSync[] = {
    required(secret("refresh_token")), text("app_id"),         text("access_key_id"),
    secret("private_access_key"),      boolean("hard_delete"),
};

inline constexpr Option kSwift[] = {
    text("user"),
    secret("key"),
    address("auth"),
    text("user_id"),
    text("domain"),
    text("tenant"),
    text("tenant_id"),
    text("tenant_domain"),
    text("region"),
    address("storage_url"),
    secret("auth_token"),
    text("application_credential_id"),
    text("application_credential_name"),
    secret("application_credential_secret"),
    choice("auth_version", "0|1|2|3"),
    choice("endpoint_type", "public|internal|admin"),
    text("storage_policy"),
};

// headers would reach into what is between rclone and the server.
inline constexpr Option kWebDav[] = {
    required(address("url")),
    choice("vendor", "nextcloud|owncloud|sharepoint|sharepoint-ntlm|other"),
    text("user"),
    secret("pass"),
    secret("bearer_token"),
};

inline constexpr auto kYandex = with_oauth({
    boolean("hard_delete"),
});

// rclone keeps the region for all its remotes of this kind: only Zoho's own.
inline constexpr auto kZoho = with_oauth({
    required(address(choice("region", "com|eu|in|jp|com.cn|com.au"))),
    text("root_folder_id"),
});

}  // namespace coffer::rclone::tables
