// Made by script/generate-client.mjs from the server's description of its API.

export interface paths {
    "/api/v2/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether set-up is open
         * @description It is as long as there is no account. Needs no key and no session.
         */
        get: operations["showSetup"];
        put?: never;
        /**
         * Make the first administrator
         * @description Answers as signing in does, and closes set-up for good. Needs no key and no session.
         */
        post: operations["completeSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show who is signed in
         * @description The same as the answer of signing in. Needs a session.
         */
        get: operations["showSession"];
        put?: never;
        /**
         * Sign in
         * @description Gives the session's cookie. After too many failures, of an account or from an address, the next ones have to wait: 429 with Retry-After. Needs no key and no session.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description When the answer arrives, the session opens nothing any more. Needs a session.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's sessions
         * @description By the time at which they began. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End the other sessions
         * @description All of the account's sessions but the one that asks. Needs a session, or a key that is not limited to a folder.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description When the answer arrives, it opens nothing any more. Needs a session, or a key that is not limited to a folder.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the caller's account
         * @description Its names, role, storage used and quota, and what its clients keep. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["showAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the caller's account
         * @description Members that are missing stay as they are. Needs a session, or a key that is not limited to a folder.
         */
        patch: operations["changeAccount"];
        trace?: never;
    };
    "/api/v2/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the caller's password
         * @description Ends the account's other sessions. Keys stay. Needs a session.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's API keys
         * @description Without their secrets, by time of creation. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The secret is in this answer and nowhere else. Needs a session, or a key that is not limited to a folder.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description When the answer arrives, no request with that key is accepted any more, nor with what was made with it, if that is to end too. Needs a session, or a key that is not limited to a folder.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a folder, page by page
         * @description Folders come first, then at the root the mounts, then files. A page begins behind the last item of the one before, also when items came or went meanwhile. With If-None-Match a page that is still the same is not sent again: 304. Needs a session or a key.
         */
        get: operations["listFolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename an item where it is
         * @description Keys limited to a folder follow it. The same name changes nothing. Needs a session or a key.
         */
        patch: operations["renameItem"];
        trace?: never;
    };
    "/api/v2/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a folder
         * @description Missing parents are created too. Needs a session or a key.
         */
        post: operations["makeFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Ranges, several of them too, and conditions work as RFC 9110 says. Whatever the file holds, a browser that shows it runs nothing of it. Needs a session or a key.
         */
        get: operations["readContent"];
        /**
         * Store a file's new content
         * @description The body is the file. It takes the old one's place in one step, or a free name: 201. With If-Match it replaces that state of the file alone, with If-None-Match: * it replaces none; otherwise 412, and nothing is stored. The ETag of what was stored is told where that is certain. Needs a session or a key.
         */
        put: operations["writeContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/content/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file by its signed address
         * @description For players and programs that send no header. The address is worth no more than the right of who asked for it, and ends with that, and when the file has another content. Needs no key and no session.
         */
        get: operations["readContentByAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/files/content-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a signed address of a file's content
         * @description Whoever has it can read that file, and nothing else, until it expires. Needs a session or a key.
         */
        post: operations["makeContentAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a resumable upload
         * @description tus 1.0.0 with creation, creation-with-upload, checksum, expiration and termination. The quota is reserved from now on. The answer's Location is the upload; a body, if there is one, is its first bytes. An upload that was not gone on with for a week goes. A creation that fails leaves nothing. Needs a session or a key.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with an upload, for clients that cannot send PATCH
         * @description As the method in X-HTTP-Method-Override; the answer is that one's. Needs a session or a key.
         */
        post: operations["overrideUploadMethod"];
        /**
         * Give an upload up
         * @description Its bytes and its quota are free again. A file that shows already stays. Needs a session or a key.
         */
        delete: operations["endUpload"];
        options?: never;
        /**
         * Ask how far an upload is
         * @description Upload-Offset is how many bytes are safe. A file that shows is told as complete for a day more. Needs a session or a key.
         */
        head: operations["showUpload"];
        /**
         * Go on with an upload
         * @description The bytes from Upload-Offset on, which must be the upload's: else 409. What came is kept when the connection breaks, but with a checksum only as a whole. With the last byte the file shows; where that fails, the upload waits for its last byte again. A request ends another one that is at work on the same upload. Needs a session or a key.
         */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/api/v2/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List long work
         * @description The last 200 of the account's tasks, the newest first, also those that /api/v1 waits for once they have lasted for a moment. A key that is limited to a folder sees those within it. Needs a session or a key.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Copy, move, delete, restore or unpack
         * @description Answers when it is noted; it goes on by itself, one item after the other, each of which shows whole or not at all. What cannot be done with one is told in skipped, and the others are done; it fails where nothing could be done, the quota or the disk is full, or a right is withdrawn. Unpacking leaves out links, devices, and names that lead out of the folder, cannot be read or are kept; what shows of an archive that is damaged, encrypted, too large or too deep stays, and the task fails. At most 100 are under way for an account. Needs a session or a key.
         */
        post: operations["beginTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far a task is
         * @description Its figures are at most a second old. Needs a session or a key.
         */
        get: operations["showTask"];
        put?: never;
        post?: never;
        /**
         * Stop or forget a task
         * @description One that has not ended stops soon: what is complete stays, what is not goes. One that has ended is not listed any more. Needs a session or a key.
         */
        delete: operations["endTask"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the account deleted
         * @description What tasks deleted without permanent, the newest first, of all places that the account sees. A task of the kind restore takes it back. It is kept for as many days as the setting bin_days says; in own files it counts as used, and the oldest goes first where room is needed. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["listBin"];
        put?: never;
        post?: never;
        /**
         * Delete all items for good
         * @description Those in places that the account may not write to stay. If one cannot be deleted now, the others are, and that is told. Needs a session, or a key that is not limited to a folder.
         */
        delete: operations["emptyBin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/bin/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an item for good
         * @description If its server does not answer, it is not listed any more, and deleted later. Needs a session, or a key that is not limited to a folder.
         */
        delete: operations["discardBinItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download files and folders as one archive
         * @description It is made on its way, so its size is not known before; an answer that breaks off is not whole. Two items with one name are numbered. What cannot be read, or not to its end, is told in a last entry, coffer-errors.txt: in a tar zeros stand for what is missing. Links to folders, and those that lead out of their place, are not followed. Needs a session or a key.
         */
        get: operations["downloadArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find files and folders by name
         * @description Lines of JSON, each sent as it is found, in no order; the last line tells how it ended. An answer without that line was broken off. Links to folders are found but not followed. Needs a session or a key.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's share links
         * @description By time of creation, with those that have expired. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Share a file or folder by a link
         * @description Guests need nothing but its token: they use /api/v2/guest/{token}. It follows the item when that gets another name or place, and ends when it is deleted. It opens what the account may reach at that moment, and no more. Needs a session, or a key that is not limited to a folder.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a share link
         * @description When the answer arrives, no guest is let in by it any more. Needs a session, or a key that is not limited to a folder.
         */
        delete: operations["endLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/guest/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a share link
         * @description What a guest finds there. Needs no key and no session.
         */
        get: operations["showGuestLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/guest/{token}/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a share link's password
         * @description Gives a cookie for this link alone. After too many failures the next ones have to wait: 429 with Retry-After. Needs no key and no session.
         */
        post: operations["letGuestIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/guest/{token}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a folder of a share link, page by page
         * @description As /api/v2/files, from the shared folder. Needs no key and no session.
         */
        get: operations["listGuestFolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/guest/{token}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a share link
         * @description As /api/v2/files/content. Where downloads are counted, each answer with content is one, also of a part. Needs no key and no session.
         */
        get: operations["readGuestContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/guest/{token}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download items of a share link as one archive
         * @description As /api/v2/archive, from the shared folder; one download. Needs no key and no session.
         */
        get: operations["downloadGuestArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/guest/{token}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a resumable upload by a share link
         * @description As /api/v2/uploads, into the link's folder. A name that is taken is numbered, so that guests neither replace nor learn of what is there. Needs no key and no session.
         */
        post: operations["createGuestUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/guest/{token}/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with an upload, for clients that cannot send PATCH
         * @description As the method in X-HTTP-Method-Override; the answer is that one's. Needs no key and no session.
         */
        post: operations["overrideGuestUploadMethod"];
        /**
         * Give an upload up
         * @description Its bytes and its quota are free again. A file that shows already stays. Needs no key and no session.
         */
        delete: operations["endGuestUpload"];
        options?: never;
        /**
         * Ask how far an upload is
         * @description Upload-Offset is how many bytes are safe. A file that shows is told as complete for a day more. Needs no key and no session.
         */
        head: operations["showGuestUpload"];
        /**
         * Go on with an upload
         * @description The bytes from Upload-Offset on, which must be the upload's: else 409. What came is kept when the connection breaks, but with a checksum only as a whole. With the last byte the file shows; where that fails, the upload waits for its last byte again. A request ends another one that is at work on the same upload. Needs no key and no session.
         */
        patch: operations["appendToGuestUpload"];
        trace?: never;
    };
    "/api/v2/thumbnails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a small image of an image
         * @description WebP, upright, no larger than the image is, and of an animation the first picture. Files of AVIF, GIF, HEIF, JPEG, PNG, TIFF and WebP of at most 32 MiB have one; others, and those that cannot be read as what their name says, answer 404 with the code no_thumbnail. With If-None-Match it is not sent again: 304. Needs a session or a key.
         */
        get: operations["readThumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's connectors
         * @description By name, in parts, without their secrets. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["listConnectors"];
        put?: never;
        /**
         * Mount a server or drive
         * @description It is tried before it is stored: 502 and 504 say what is wrong. Addresses that are not public are refused, unless an administrator asks or the settings allow them. Needs a session, or a key that is not limited to a folder.
         */
        post: operations["createConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/connectors/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a connector before it is stored
         * @description Nothing is stored. What is wrong is told as a problem. An SFTP server whose key is not stated is asked for that alone. Needs a session, or a key that is not limited to a folder.
         */
        post: operations["testConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/connectors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a connector
         * @description As the list has it. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["showConnector"];
        put?: never;
        post?: never;
        /**
         * Remove a connector
         * @description The server or drive keeps its files. Needs a session, or a key that is not limited to a folder.
         */
        delete: operations["removeConnector"];
        options?: never;
        head?: never;
        /**
         * Change a connector
         * @description Members that are missing stay as they are. Another place revokes the keys that are limited to the connector's folders. Needs a session, or a key that is not limited to a folder.
         */
        patch: operations["changeConnector"];
        trace?: never;
    };
    "/api/v2/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts
         * @description By name, in parts. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Make an account and its folder
         * @description Without a password it cannot sign in until it gets one; its keys work. Needs an administrator's session, or key that is not limited to a folder.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/accounts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an account
         * @description As the list has it. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["showManagedAccount"];
        put?: never;
        post?: never;
        /**
         * Remove an account
         * @description Its keys, sessions and connectors go with it. The last administrator cannot be removed: 403. Needs an administrator's session, or key that is not limited to a folder.
         */
        delete: operations["removeAccount"];
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description Members that are missing stay as they are. What would leave no administrator who can get in is refused with 403. Needs an administrator's session, or key that is not limited to a folder.
         */
        patch: operations["changeManagedAccount"];
        trace?: never;
    };
    "/api/v2/admin/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the shared folders
         * @description By name, in parts. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["listShares"];
        put?: never;
        /**
         * Share a folder of the server
         * @description Folders outside the setting share_roots are refused with 403, and shared by the command line alone. Needs an administrator's session, or key that is not limited to a folder.
         */
        post: operations["createShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/shares/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a shared folder
         * @description As the list has it. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["showShare"];
        put?: never;
        post?: never;
        /**
         * Withdraw a shared folder
         * @description The folder and its files stay on the server. Needs an administrator's session, or key that is not limited to a folder.
         */
        delete: operations["removeShare"];
        options?: never;
        head?: never;
        /**
         * Change a shared folder
         * @description Members that are missing stay as they are. Counts from the next request on, also for what is under way. Needs an administrator's session, or key that is not limited to a folder.
         */
        patch: operations["changeShare"];
        trace?: never;
    };
    "/api/v2/admin/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List folders of the server that can be shared
         * @description By name, in parts. Only beneath the setting share_roots: 403 where that names none, and for other folders. Links that lead out of them are not followed. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["listServerFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connectors of all accounts
         * @description By name, in parts, without their secrets. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["listAllConnectors"];
        put?: never;
        /**
         * Mount a server or drive for an account
         * @description It may lead to private addresses, and is tried before it is stored. Needs an administrator's session, or key that is not limited to a folder.
         */
        post: operations["giveConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/connectors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a connector of any account
         * @description As the list has it. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["showAnyConnector"];
        put?: never;
        post?: never;
        /**
         * Remove a connector of any account
         * @description The server or drive keeps its files. Needs an administrator's session, or key that is not limited to a folder.
         */
        delete: operations["removeAnyConnector"];
        options?: never;
        head?: never;
        /**
         * Change a connector of any account
         * @description Members that are missing stay as they are. Where a host or all addresses are stated, it may lead to private ones from then on. Needs an administrator's session, or key that is not limited to a folder.
         */
        patch: operations["changeAnyConnector"];
        trace?: never;
    };
    "/api/v2/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of all accounts
         * @description By the time at which they began, in parts. Those that have expired are left out. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["listAllSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of any account
         * @description When the answer arrives, it opens nothing any more. Needs an administrator's session, or key that is not limited to a folder.
         */
        delete: operations["endAnySession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings in force
         * @description They come from the file of settings, the environment and the command line, and change with a restart alone. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed accounts, keys, shares, connectors and sessions
         * @description The newest first, in parts. Kept as long as the setting audit_days says, and a million of them at most. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the audit log
         * @description All that the parameters let through, the newest first. In CSV a text that a spreadsheet would take for a formula has an apostrophe in front. Needs an administrator's session, or key that is not limited to a folder.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Be told what changes
         * @description Server-sent events, as EventSource reads them: folder with {"path"} when something in one of the folders asked for changed, or the folder itself came or went; task with {"id"} when a task of the account did; account when its figures, its name or its places did; resync when anything may have changed, since something could not be told. Each says only where to ask again, and one thing is told of a few times a second at most. Changes by others on servers and drives behind mounts are not seen. The answer ends when the key or session does, and after an hour. A key that is limited to a folder is told of what is within it. Needs a session or a key.
         */
        get: operations["watchEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/connectors/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers of drives
         * @description With the parameters that each one has, by type. Needs a session, or a key that is not limited to a folder.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/connectors/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in to a drive where a browser is
         * @description In two steps. With provider and parameters, or id, it tells what to run elsewhere, and, where a client_id is given, the provider's page: that leads back to the interface of this server with a code and a state. With these and login it exchanges the code for the token, which it gives back and does not keep. A login is the account's, and good for ten minutes. Addresses that are not public are refused as for connectors. Needs a session, or a key that is not limited to a folder.
         */
        post: operations["authorizeConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description about:blank: the problem is that of the status. */
            type: string;
            /** @description What kind of problem it is. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What went wrong this time, and what to do. */
            detail: string;
            /**
             * @description For programs.
             * @enum {string}
             */
            code: "malformed" | "unauthenticated" | "forbidden" | "not_found" | "name_taken" | "precondition_failed" | "over_quota" | "unavailable" | "timed_out" | "rate_limited" | "failed" | "no_thumbnail";
        };
        Setup: {
            /**
             * @description Whether there is no account yet.
             * @example false
             */
            open: boolean;
        };
        Account: {
            /**
             * @description The name to sign in with.
             * @example ann
             */
            userName: string;
            /**
             * @description The name shown to people.
             * @example Ann
             */
            displayName: string;
            /**
             * @description admin or user.
             * @example user
             * @enum {string}
             */
            role: "user" | "admin";
            /**
             * @description Bytes in the account's own files.
             * @example 1536
             */
            storageUsed: number;
            /**
             * @description The quota in bytes; 0 means unlimited.
             * @example 10737418240
             */
            storageLimit: number;
            /**
             * @description What the account's clients keep for it.
             * @example {}
             */
            preferences: Record<string, never>;
        };
        Session: {
            /**
             * @description The account that is signed in.
             * @example {
             *       "userName": "ann",
             *       "displayName": "Ann",
             *       "role": "user",
             *       "storageUsed": 0,
             *       "storageLimit": 0,
             *       "preferences": {}
             *     }
             */
            account: components["schemas"]["Account"];
            /**
             * @description To be sent as X-CSRF-Token with each of the session's requests that writes.
             * @example 0000000000000000000000000000000000000000000000000000000000000000
             */
            csrfToken: string;
        };
        SessionEntry: {
            /**
             * @description Identifier, used to end it.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description When it began, UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description When it was last used, UTC, up to a minute late.
             * @example 2026-11-21T06:14:09
             */
            lastSeenAt: string;
            /**
             * @description The client's address when it began.
             * @example 192.0.2.1
             */
            address: string;
            /**
             * @description What the client called itself then.
             * @example Mozilla/5.0
             */
            agent: string;
            /**
             * @description Whether it is the session that asks.
             * @example true
             */
            current: boolean;
        };
        ApiKey: {
            /**
             * @description Identifier, used to revoke it.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description The first characters of the secret.
             * @example 3f9a1c2e…
             */
            preview: string;
            /**
             * @description Label.
             * @example backup
             */
            name: string;
            /**
             * @description The folder that it is limited to; null for none.
             * @example documents
             */
            folder: string | null;
            /**
             * @description full, or read: then every write is refused.
             * @example full
             * @enum {string}
             */
            access: "full" | "read";
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description From when it opens nothing any more, UTC; null for never.
             * @example null
             */
            expiresAt: string | null;
            /**
             * @description UTC, up to a minute late; null before the first use.
             * @example null
             */
            lastUsedAt: string | null;
            /**
             * @description The id of the key that it was made with, of the one that this was made with, and so on, also of those that are revoked; empty where a person made it. At most 32: from there on keys count as made with the 32nd of their chain.
             * @example []
             */
            makers: string[];
        };
        CreatedApiKey: {
            /**
             * @description The key.
             * @example {
             *       "id": "5f0c2a9d1b7e4c38",
             *       "preview": "3f9a1c2e…",
             *       "name": "backup",
             *       "folder": null,
             *       "access": "full",
             *       "createdAt": "2026-11-21T06:14:09",
             *       "expiresAt": null,
             *       "lastUsedAt": null,
             *       "makers": []
             *     }
             */
            key: components["schemas"]["ApiKey"];
            /**
             * @description To be sent as X-API-Key. It is in this answer and nowhere else.
             * @example 00000000-0000-4000-8000-000000000000
             */
            secret: string;
        };
        FileEntry: {
            /**
             * @description As people see it.
             * @example photo.jpg
             */
            name: string;
            /**
             * @description To be sent where an item is named.
             * @example holiday/photo.jpg
             */
            path: string;
            /**
             * @description Whether it is a folder.
             * @example false
             */
            isDirectory: boolean;
            /**
             * @description Bytes; 0 for a folder.
             * @example 20480
             */
            size: number;
            /**
             * @description UTC; the modification time where no other is known.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            modifiedAt: string;
            /**
             * @description What kind of mount it is the top of; null for none.
             * @example null
             */
            mount: ("shared" | "ftp" | "sftp" | "clouddrive") | null;
            /**
             * @description Whether nothing can be changed there.
             * @example false
             */
            readOnly: boolean;
        };
        FolderPage: {
            /**
             * @description The items of this page, in order.
             * @example [
             *       {
             *         "name": "photo.jpg",
             *         "path": "holiday/photo.jpg",
             *         "isDirectory": false,
             *         "size": 20480,
             *         "createdAt": "2026-11-21T06:14:09",
             *         "modifiedAt": "2026-11-21T06:14:09",
             *         "mount": null,
             *         "readOnly": false
             *       }
             *     ]
             */
            entries: components["schemas"]["FileEntry"][];
            /**
             * @description The cursor of the next page; null at the end.
             * @example null
             */
            next: string | null;
            /**
             * @description Whether what is deleted here can go into the bin; else deleting is for good.
             * @example true
             */
            hasBin: boolean;
        };
        ContentAddress: {
            /**
             * @description From the server's root; to be kept from those who may not read the file.
             * @example /api/v2/content/AAAA
             */
            address: string;
            /**
             * @description UTC.
             * @example 2026-11-21T07:14:09
             */
            expiresAt: string;
        };
        SkippedItem: {
            /**
             * @description The item.
             * @example holiday/photo.jpg
             */
            path: string;
            /**
             * @description Why it was left as it was.
             * @example Its name is taken there.
             */
            reason: string;
            /**
             * @description The same for programs: the code of a problem; null where an earlier version noted it.
             * @example name_taken
             */
            code: string | null;
        };
        Task: {
            /**
             * @description Identifier.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description copy, move, delete, restore or unpack.
             * @example copy
             * @enum {string}
             */
            kind: "copy" | "move" | "delete" | "restore" | "unpack";
            /**
             * @description waiting for others of the account, running, done, failed, cancelled, or interrupted by an end of the server.
             * @example running
             * @enum {string}
             */
            state: "waiting" | "running" | "done" | "failed" | "cancelled" | "interrupted";
            /**
             * @description The first 100 of the items that it is about; of restored ones, where they were.
             * @example [
             *       "holiday"
             *     ]
             */
            sources: string[];
            /**
             * @description How many there are.
             * @example 1
             */
            sourceCount: number;
            /**
             * @description The folder where they go; null where they are deleted, or restored to where they were.
             * @example backup
             */
            destination: string | null;
            /**
             * @description What was chosen for names that are taken; null for tasks without a choice.
             * @example skip
             */
            onConflict: ("fail" | "replace" | "skip" | "keepBoth") | null;
            /**
             * @description Bytes stored so far.
             * @example 1048576
             */
            bytesDone: number;
            /**
             * @description Of so many; it may grow while folders are looked at, 0 before.
             * @example 8388608
             */
            bytesTotal: number;
            /**
             * @description Files and folders that are complete.
             * @example 3
             */
            itemsDone: number;
            /**
             * @description Of so many, likewise.
             * @example 20
             */
            itemsTotal: number;
            /**
             * @description Of late.
             * @example 104857600
             */
            bytesPerSecond: number;
            /**
             * @description As it looks now; null where that cannot be told.
             * @example 1
             */
            secondsLeft: number | null;
            /**
             * @description The first 100 of the items that were left as they were; what an archive has under a name that nothing is made under is told at the archive.
             * @example [
             *       {
             *         "path": "holiday/photo.jpg",
             *         "reason": "Its name is taken there.",
             *         "code": "name_taken"
             *       }
             *     ]
             */
            skipped: components["schemas"]["SkippedItem"][];
            /**
             * @description How many there are.
             * @example 1
             */
            skippedCount: number;
            /**
             * @description Why it failed or stopped; null otherwise.
             * @example null
             */
            error: string | null;
            /**
             * @description The same for programs, where it failed: the code of a problem, such as name_taken.
             * @example null
             */
            errorCode: string | null;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:10
             */
            updatedAt: string;
        };
        BinItem: {
            /**
             * @description Identifier, used to restore it or to delete it for good.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description Where it was.
             * @example holiday/photo.jpg
             */
            path: string;
            /**
             * @description Whether it is a folder.
             * @example false
             */
            isDirectory: boolean;
            /**
             * @description In bytes, of a folder all that it holds; null where that is not known.
             * @example 20480
             */
            size: number | null;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            deletedAt: string;
            /**
             * @description In so many days it is deleted for good; earlier where its room is needed.
             * @example 30
             */
            daysLeft: number;
        };
        SearchEnd: {
            /**
             * @description How many items stand in front of this line.
             * @example 12
             */
            found: number;
            /**
             * @description Folders, or whole places, that could not be read.
             * @example 0
             */
            unreadFolders: number;
            /**
             * @description Whether there may be more, since the limit was reached.
             * @example false
             */
            isLimited: boolean;
        };
        Link: {
            /**
             * @description Identifier, used to end it.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description What guests have instead of a key; null where the server's secret key was replaced since.
             * @example 7a1c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            token: string | null;
            /**
             * @description The item, by its name of now.
             * @example holiday
             */
            path: string;
            /**
             * @description Whether it is a folder.
             * @example true
             */
            isDirectory: boolean;
            /**
             * @description read, or upload: into a folder of which guests see nothing.
             * @example read
             * @enum {string}
             */
            mode: "read" | "upload";
            /**
             * @description Whether guests have to know a password.
             * @example false
             */
            hasPassword: boolean;
            /**
             * @description From when it opens nothing any more, UTC; null for never.
             * @example null
             */
            expiresAt: string | null;
            /**
             * @description How many downloads it is good for; null for any number.
             * @example null
             */
            maxDownloads: number | null;
            /**
             * @description How many there were.
             * @example 0
             */
            downloads: number;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description UTC, up to a minute late; null before the first use.
             * @example null
             */
            lastUsedAt: string | null;
            /**
             * @description The ids of the keys that it was made with, as in a key.
             * @example []
             */
            makers: string[];
        };
        GuestLink: {
            /**
             * @description read, or upload.
             * @example read
             * @enum {string}
             */
            mode: "read" | "upload";
            /**
             * @description Whether the password is still to be shown; until then the rest is null.
             * @example false
             */
            needsPassword: boolean;
            /**
             * @description The item's name.
             * @example holiday
             */
            name: string | null;
            /**
             * @description Whether it is a folder.
             * @example true
             */
            isDirectory: boolean | null;
            /**
             * @description Of a file, in bytes; null for a folder.
             * @example null
             */
            size: number | null;
            /**
             * @description Of a file, UTC; null for a folder.
             * @example null
             */
            modifiedAt: string | null;
            /**
             * @description From when the link opens nothing any more, UTC; null for never.
             * @example null
             */
            expiresAt: string | null;
            /**
             * @description How many more downloads it is good for; null for any number.
             * @example null
             */
            downloadsLeft: number | null;
        };
        ConnectorServer: {
            /**
             * @description The server's name or address.
             * @example files.example.org
             */
            host: string;
            /**
             * @description Its port.
             * @example 22
             */
            port: number;
            /**
             * @description Whom it logs in as.
             * @example ann
             */
            user: string;
            /**
             * @description The folder on the server; empty for the one that a login leads to.
             * @example
             */
            root: string;
            /**
             * @description How FTP is encrypted.
             * @example none
             * @enum {string}
             */
            tls: "none" | "explicit" | "implicit";
            /**
             * @description The key of the SFTP server that it trusts; empty for FTP.
             * @example SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
             */
            hostKey: string;
            /**
             * @description Whether it logs in with a private key.
             * @example false
             */
            usesPrivateKey: boolean;
        };
        ConnectorDrive: {
            /**
             * @description The type of one of GET /api/v2/connectors/providers.
             * @example webdav
             */
            provider: string;
            /**
             * @description The folder on the drive; empty for its top.
             * @example
             */
            root: string;
            /**
             * @description Its parameters by name; null stands for one that is secret.
             * @example {
             *       "url": "https://dav.example.org",
             *       "pass": null
             *     }
             */
            parameters: Record<string, never>;
        };
        ConnectorHealth: {
            /**
             * @description unknown: it was not used lately.
             * @example works
             * @enum {string}
             */
            state: "unknown" | "works" | "fails";
            /**
             * @description What is wrong, for people; empty where nothing is known to be.
             * @example
             */
            message: string;
            /**
             * @description When it was last used, UTC; null where it was not lately.
             * @example null
             */
            lookedAt: string | null;
        };
        Connector: {
            /**
             * @description Identifier; the connector's path begins with __conn_ and it.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description What it leads to.
             * @example sftp
             * @enum {string}
             */
            kind: "ftp" | "sftp" | "drive";
            /**
             * @description How it is called, unique for the account.
             * @example NAS
             */
            name: string;
            /**
             * @description What it is, for people.
             * @example
             */
            description: string;
            /**
             * @description Where it leads, for people.
             * @example sftp://ann@files.example.org:22/
             */
            target: string;
            /**
             * @description Whether nothing can be changed through it.
             * @example false
             */
            readOnly: boolean;
            /**
             * @description Whether an administrator lets it lead to private addresses.
             * @example false
             */
            mayBePrivate: boolean;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description Of a server; null for a drive.
             * @example null
             */
            server: components["schemas"]["ConnectorServer"] | null;
            /**
             * @description Of a drive; null for a server, and where its secrets cannot be opened.
             * @example null
             */
            drive: components["schemas"]["ConnectorDrive"] | null;
            /**
             * @description How it did when it was last used. Asking contacts no server.
             * @example {
             *       "state": "unknown",
             *       "message": "",
             *       "lookedAt": null
             *     }
             */
            health: components["schemas"]["ConnectorHealth"];
        };
        ConnectorTrial: {
            /**
             * @description Whether a login and a look into the folder worked.
             * @example true
             */
            works: boolean;
            /**
             * @description The key that an SFTP server shows whose key was not stated: to be confirmed by a person, and sent as hostKey. Nothing else was tried then. Else null.
             * @example null
             */
            hostKey: string | null;
        };
        ManagedAccount: {
            /**
             * @description The name to sign in with.
             * @example ann
             */
            userName: string;
            /**
             * @description The name shown to people.
             * @example Ann
             */
            displayName: string;
            /**
             * @description admin or user.
             * @example user
             * @enum {string}
             */
            role: "user" | "admin";
            /**
             * @description Whether its keys and sessions are refused.
             * @example false
             */
            disabled: boolean;
            /**
             * @description Whether it can sign in with a password.
             * @example true
             */
            hasPassword: boolean;
            /**
             * @description Bytes in the account's own files.
             * @example 1536
             */
            storageUsed: number;
            /**
             * @description The quota in bytes; 0 means unlimited.
             * @example 10737418240
             */
            storageLimit: number;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description When one of its sessions or keys that are left was last used, UTC, up to a minute late; null where that is not known.
             * @example null
             */
            lastSeenAt: string | null;
        };
        Share: {
            /**
             * @description Identifier; the share's path begins with __adm_ and it.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description How it is called, unique.
             * @example Team
             */
            name: string;
            /**
             * @description What it is, for people.
             * @example
             */
            description: string;
            /**
             * @description The folder's absolute path on the server.
             * @example /srv/team
             */
            folder: string;
            /**
             * @description Whether nothing can be changed in it.
             * @example false
             */
            readOnly: boolean;
            /**
             * @description Whether every account sees it.
             * @example false
             */
            everyone: boolean;
            /**
             * @description The accounts that see it, by name; empty if everyone does.
             * @example [
             *       "ann"
             *     ]
             */
            accounts: string[];
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
        };
        FolderChoice: {
            /**
             * @description Its name; of one of share_roots its whole path.
             * @example team
             */
            name: string;
            /**
             * @description Its absolute path on the server.
             * @example /srv/team
             */
            path: string;
        };
        ManagedConnector: {
            /**
             * @description Identifier; the connector's path begins with __conn_ and it.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description What it leads to.
             * @example sftp
             * @enum {string}
             */
            kind: "ftp" | "sftp" | "drive";
            /**
             * @description How it is called, unique for the account.
             * @example NAS
             */
            name: string;
            /**
             * @description What it is, for people.
             * @example
             */
            description: string;
            /**
             * @description Where it leads, for people.
             * @example sftp://ann@files.example.org:22/
             */
            target: string;
            /**
             * @description Whether nothing can be changed through it.
             * @example false
             */
            readOnly: boolean;
            /**
             * @description Whether an administrator lets it lead to private addresses.
             * @example false
             */
            mayBePrivate: boolean;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description Of a server; null for a drive.
             * @example null
             */
            server: components["schemas"]["ConnectorServer"] | null;
            /**
             * @description Of a drive; null for a server, and where its secrets cannot be opened.
             * @example null
             */
            drive: components["schemas"]["ConnectorDrive"] | null;
            /**
             * @description How it did when it was last used. Asking contacts no server.
             * @example {
             *       "state": "unknown",
             *       "message": "",
             *       "lookedAt": null
             *     }
             */
            health: components["schemas"]["ConnectorHealth"];
            /**
             * @description The account that has it.
             * @example ann
             */
            userName: string;
        };
        ManagedSession: {
            /**
             * @description Identifier, used to end it.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description The account that signed in.
             * @example ann
             */
            userName: string;
            /**
             * @description When it began, UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description When it was last used, UTC, up to a minute late.
             * @example 2026-11-21T06:14:09
             */
            lastSeenAt: string;
            /**
             * @description The client's address when it began.
             * @example 192.0.2.1
             */
            address: string;
            /**
             * @description What the client called itself then.
             * @example Mozilla/5.0
             */
            agent: string;
            /**
             * @description Whether it is the session that asks.
             * @example false
             */
            current: boolean;
        };
        Setting: {
            /**
             * @description As in the file of settings.
             * @example log_level
             */
            key: string;
            /**
             * @description The value in force; without the password, where it is an address with one.
             * @example info
             */
            value: boolean | number | string | string[];
            /**
             * @description Where it came from.
             * @example default
             * @enum {string}
             */
            origin: "default" | "file" | "environment" | "command line";
            /**
             * @description What it means.
             * @example debug, info, warning, error or off.
             */
            help: string;
        };
        AuditEvent: {
            /**
             * @description Identifier.
             * @example 5f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description When it happened, UTC.
             * @example 2026-11-21T06:14:09
             */
            at: string;
            /**
             * @description What happened. session.refused is a sign-in with a wrong name or password; a password that was typed is never noted.
             * @example account.created
             * @enum {string}
             */
            event: "account.created" | "account.changed" | "account.removed" | "key.created" | "key.revoked" | "share.created" | "share.changed" | "share.removed" | "connector.created" | "connector.changed" | "connector.removed" | "session.created" | "session.refused" | "session.ended" | "link.created" | "link.ended";
            /**
             * @description The account that did it, by the name that it had then; empty for the command line, and where it is not known.
             * @example ann
             */
            actor: string;
            /**
             * @description The key that it was done with; null where it was none.
             * @example null
             */
            keyId: string | null;
            /**
             * @description The session that it was done with; null where it was none.
             * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
             */
            sessionId: string | null;
            /**
             * @description The client's address; empty for the command line.
             * @example 192.0.2.1
             */
            address: string;
            /**
             * @description The account, share or connector that it was done to, by its name then.
             * @example ben
             */
            subject: string;
            /**
             * @description What of it, for people.
             * @example role=user, quota=0
             */
            details: string;
        };
        ProviderOptionExample: {
            /**
             * @description A value that is proposed.
             * @example nextcloud
             */
            value: string;
            /**
             * @description What it means.
             * @example Nextcloud
             */
            help: string;
            /**
             * @description Values of the option provider that this is for, divided by commas; after a !, those that it is not for. Empty for all.
             * @example
             */
            onlyFor: string;
        };
        ProviderOption: {
            /**
             * @description The parameter's name.
             * @example url
             */
            name: string;
            /**
             * @description What it means.
             * @example URL of the host
             */
            help: string;
            /**
             * @description The value where it is not given; empty for none.
             * @example
             */
            standard: string;
            /**
             * @description Values of the option provider that this is for, divided by commas; after a !, those that it is not for. Empty for all.
             * @example
             */
            onlyFor: string;
            /**
             * @description Whether it is never shown.
             * @example false
             */
            isSecret: boolean;
            /**
             * @description Whether the drive's secrets go where it says.
             * @example true
             */
            isAddress: boolean;
            /**
             * @description Whether it must be given.
             * @example true
             */
            isRequired: boolean;
            /**
             * @description Whether few need it.
             * @example false
             */
            isAdvanced: boolean;
            /**
             * @description Values that are proposed.
             * @example []
             */
            examples: components["schemas"]["ProviderOptionExample"][];
        };
        DriveProvider: {
            /**
             * @description To be sent as provider.
             * @example webdav
             */
            type: string;
            /**
             * @description For people.
             * @example WebDAV
             */
            name: string;
            /**
             * @description Whether a login where a browser is gives the parameter token: `coffer connector authorize`, or POST /api/v2/connectors/authorize.
             * @example false
             */
            usesOAuth: boolean;
            /**
             * @description Its parameters.
             * @example []
             */
            options: components["schemas"]["ProviderOption"][];
        };
        DriveLogin: {
            /**
             * @description What to run on a computer that has a browser and rclone: it prints the parameter token. It tells no secret. Null at the end of a login.
             * @example rclone authorize "dropbox" "e30"
             */
            command: string | null;
            /**
             * @description The variable of the environment in which the command takes the client_secret; null where none is given.
             * @example null
             */
            secretVariable: string | null;
            /**
             * @description Where the client must be allowed to send people back to; null at the end.
             * @example https://files.example.org/settings/connectors/authorized
             */
            redirect: string | null;
            /**
             * @description The provider's page of consent, for the person's browser. Null without a client_id, and for providers that send no one back: the command is left then.
             * @example null
             */
            address: string | null;
            /**
             * @description To be sent with the code that the page gives; null without an address.
             * @example null
             */
            login: string | null;
            /**
             * @description Until when, UTC; null without an address.
             * @example null
             */
            expiresAt: string | null;
            /**
             * @description What the login gave, to be sent as parameters of POST or PATCH /api/v2/connectors: the token at least. Null at the begin.
             * @example null
             */
            parameters: Record<string, never> | null;
        };
    };
    responses: {
        /** @description Something of the request is missing, unknown or not as it must be. */
        400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Neither a valid API key nor a session that has not ended. */
        401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller may not do this, or a session's request lacks the token in X-CSRF-Token, or a page of another site sends it. */
        403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing, or the caller may not know of it. */
        404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The name is taken, or it was changed meanwhile. */
        409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There was such a thing, but it was not used for too long. */
        410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is not in the state that the request names; nothing was changed. */
        412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The storage quota is exceeded, or there is more than was announced or may be. */
        413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is of another media type. */
        415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No range asked for lies within the file. */
        416: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Another request is at work on it; Retry-After says when to come again. */
        423: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many tries: Retry-After says when to come again. Or too many things: some have to go first. */
        429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request's target and headers have more than 16 KiB. */
        431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not that of the checksum. */
        460: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server failed; the message names the request's id in its log. */
        500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server behind a mount is down, refused the login, or shows another host key. */
        502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too much is under way; Retry-After says when to come again. */
        503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server behind a mount did not answer in time. */
        504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server's disk is full, or too small. Reading and deleting go on. */
        507: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setup"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    completeSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description From the link that the server printed when it started.
                     * @example 00000000000000000000000000000000
                     */
                    token: string;
                    /**
                     * @description The name to sign in with: 1 to 64 of a-z, 0-9, ".", "_" and "-", beginning with a letter or digit.
                     * @example ann
                     */
                    userName: string;
                    /**
                     * Format: password
                     * @description 8 to 1024 bytes.
                     * @example correct horse
                     */
                    password: string;
                    /**
                     * @description The name shown to people; the user name by default.
                     * @example Ann
                     */
                    displayName?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    showSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The account's name.
                     * @example ann
                     */
                    userName: string;
                    /**
                     * Format: password
                     * @description Its password.
                     * @example correct horse
                     */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEntry"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    showAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description 1 to 100 characters without control characters.
                     * @example Ann
                     */
                    displayName?: string | null;
                    /**
                     * @description Takes the place of the whole object.
                     * @example {
                     *       "view": "grid"
                     *     }
                     */
                    preferences?: Record<string, never> | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: password
                     * @description The password as it is.
                     * @example correct horse
                     */
                    current: string;
                    /**
                     * Format: password
                     * @description 8 to 1024 bytes.
                     * @example battery staple
                     */
                    new: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Label: 1 to 100 characters without control characters.
                     * @example backup
                     */
                    name: string;
                    /**
                     * @description Limits the key to this existing folder and what is below it.
                     * @example documents
                     */
                    folder?: string | null;
                    /**
                     * @description full, or read: then every write is refused, in /api/v1 too.
                     * @example full
                     * @enum {string}
                     */
                    access: "full" | "read";
                    /**
                     * @description A time in the future from when it opens nothing any more, UTC: at the latest when the key ends that makes it.
                     * @example 2027-01-31T00:00:00
                     */
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /**
                 * @description What becomes of the keys and links that were made with it, and with those: stays, the default, or ends, also where the key itself, or one in between, is revoked already. The 33rd of a chain and later ones end nothing else: the 32nd does.
                 * @example ends
                 */
                made?: "stays" | "ends";
            };
            header?: never;
            path: {
                /**
                 * @description The key's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    listFolder: {
        parameters: {
            query?: {
                /**
                 * @description The folder; empty or missing means the root.
                 * @example holiday
                 */
                path?: string;
                /**
                 * @description What the items are in order of: name (natural order, without regard to case; the default), size or modified. Folders come first, then mounts, then files, each in this order.
                 * @example name
                 */
                sort?: "name" | "size" | "modified";
                /**
                 * @description asc, from the smallest or oldest on, which is the default; or desc.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description How many items at most: 1 to 10,000. 200 where it is missing.
                 * @example 200
                 */
                limit?: number;
                /**
                 * @description The `next` of the page before, with the same sort and order.
                 * @example bmFtZQphc2MKZm9sZGVyCjAKYmVhY2g
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The state of what is answered. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderPage"];
                };
            };
            /** @description The client has it, as its condition says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    renameItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The item; not the root.
                     * @example holiday/photo.jpg
                     */
                    path: string & unknown;
                    /**
                     * @description 1 to 255 bytes of UTF-8 without slashes, backslashes and control characters; not . or ..; at the root not beginning with __adm_ or __conn_.
                     * @example sunset.jpg
                     */
                    newName: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    makeFolder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The new folder; what is missing on the way is made too.
                     * @example holiday/beach
                     */
                    path: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    readContent: {
        parameters: {
            query: {
                /**
                 * @description The file.
                 * @example holiday/photo.jpg
                 */
                path: string & unknown;
                /**
                 * @description attachment, the default, has a browser save the file; inline has it show what it can, without running what is in it.
                 * @example inline
                 */
                disposition?: "attachment" | "inline";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. The content type goes by its name. */
            200: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            /** @description The ranges asked for; several as multipart/byteranges. */
            206: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            /** @description The client has it, as its condition says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            412: components["responses"]["412"];
            416: components["responses"]["416"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    writeContent: {
        parameters: {
            query: {
                /**
                 * @description The file, whose folder must exist. The last component must be a name that can be made.
                 * @example holiday/notes.txt
                 */
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The file. */
        requestBody: {
            content: {
                "application/octet-stream": string;
                "*/*": string;
            };
        };
        responses: {
            /** @description There is a new file. */
            201: {
                headers: {
                    /** @description The state in which it was stored, where known. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The file was replaced. */
            204: {
                headers: {
                    /** @description The state in which it was stored, where known. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    readContentByAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As the call that made it answered.
                 * @example AAAA
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. The content type goes by its name. */
            200: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            /** @description The ranges asked for; several as multipart/byteranges. */
            206: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            /** @description The client has it, as its condition says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            412: components["responses"]["412"];
            416: components["responses"]["416"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    makeContentAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The file.
                     * @example holiday/film.mp4
                     */
                    path: string & unknown;
                    /**
                     * @description attachment, the default, or inline.
                     * @example inline
                     * @enum {string|null}
                     */
                    disposition?: "attachment" | "inline" | null;
                    /**
                     * @description 1 to 3600, which it is where it is missing.
                     * @example 3600
                     */
                    expiresInSeconds?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentAddress"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description How many bytes the file will have.
                 * @example 1048576
                 */
                "Upload-Length": number;
                /**
                 * @description Names and values in Base64: filename; folder, an existing one, the root by default; onConflict, what to do where the name is taken: fail (by default), replace or keepBoth, which stores it as "a (2).txt"; modified, a time in UTC such as 2027-01-31T00:00:00Z. At most 32, others are kept and told again.
                 * @example filename YS50eHQ=,folder ZG9jcw==
                 */
                "Upload-Metadata": string;
                /**
                 * @description sha1 or sha256 of the body, a space, and the digest in Base64.
                 * @example sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=
                 */
                "Upload-Checksum"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            460: components["responses"]["460"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    overrideUploadMethod: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description The method that is meant.
                 * @example PATCH
                 */
                "X-HTTP-Method-Override": "PATCH" | "DELETE";
            };
            path: {
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            460: components["responses"]["460"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    endUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    showUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    appendToUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description How many bytes came before.
                 * @example 0
                 */
                "Upload-Offset": number;
                /**
                 * @description sha1 or sha256 of the body, a space, and the digest in Base64.
                 * @example sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=
                 */
                "Upload-Checksum"?: string;
            };
            path: {
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            460: components["responses"]["460"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    listTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    beginTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description copy, move, delete, restore or unpack.
                     * @example copy
                     * @enum {string}
                     */
                    kind: "copy" | "move" | "delete" | "restore" | "unpack";
                    /**
                     * @description The items, each once, for restore their identifiers in the bin, for unpack archives: zip, 7z, or tar, which may be packed by gzip, bzip2, xz, zstd or lz4. The whole body has at most 64 KiB.
                     * @example [
                     *       "holiday"
                     *     ]
                     */
                    sources: string[];
                    /**
                     * @description The existing folder where they go, the root if it is empty: copy, move and unpack need it, restore may have it instead of where the items were, and delete has none.
                     * @example backup
                     */
                    destination?: string | null;
                    /**
                     * @description Where a name is taken: fail, as if nothing is said, ends the task, before anything is done if it was taken then; replace lets a file take a file's place, and what a folder holds go into the folder there; skip does the same, but leaves the files that are there; keepBoth gives another name. What restore replaces goes into the bin. Unpacking with fail looks at the names at the archive's top beforehand in a zip or a tar that is not packed, and on the way in others; a name that an archive has twice is taken the second time. Not for delete.
                     * @example skip
                     * @enum {string|null}
                     */
                    onConflict?: "fail" | "replace" | "skip" | "keepBoth" | null;
                    /**
                     * @description For delete only: true deletes for good, else it goes into the bin, which needs a place with one.
                     * @example null
                     */
                    permanent?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    showTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    endTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    listBin: {
        parameters: {
            query?: {
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["BinItem"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    emptyBin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    discardBinItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The item's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    downloadArchive: {
        parameters: {
            query: {
                /**
                 * @description A file or folder; given several times for several of them. Empty means the root.
                 * @example [
                 *       "holiday"
                 *     ]
                 */
                path: string[];
                /**
                 * @description zip, which is the default, tar or tar.zst.
                 * @example zip
                 */
                format?: "zip" | "tar" | "tar.zst";
                /**
                 * @description What the archive is called, 1 to 255 bytes: its extension is added where it is missing. Without it the only item's name, or `files`.
                 * @example holiday.zip
                 */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * @description What is looked for in names, without regard to case. With * for anything or ? for one character it is to fit the whole name.
                 * @example *.jpg
                 */
                q: string;
                /**
                 * @description The folder to look in, with all below it; empty or missing means everywhere.
                 * @example holiday
                 */
                path?: string;
                /**
                 * @description file or folder; both where it is missing.
                 * @example file
                 */
                kind?: "file" | "folder";
                /**
                 * @description Only what was modified then or later, UTC.
                 * @example 2026-01-01T00:00:00
                 */
                modifiedAfter?: string;
                /**
                 * @description Only what was modified earlier, UTC.
                 * @example 2027-01-01T00:00:00
                 */
                modifiedBefore?: string;
                /**
                 * @description Bytes that a file has at least; a folder has 0.
                 * @example 1000000
                 */
                minSize?: number;
                /**
                 * @description Bytes that a file has at most.
                 * @example 2000000
                 */
                maxSize?: number;
                /**
                 * @description How many items at most: 1 to 10,000. 1,000 where it is missing.
                 * @example 1000
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines, each of them a JSON text as described. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["FileEntry"] | components["schemas"]["SearchEnd"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    listLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The file or folder; not the root.
                     * @example holiday
                     */
                    path: string & unknown;
                    /**
                     * @description read, the default, or upload: into a folder of which guests see nothing.
                     * @example read
                     * @enum {string|null}
                     */
                    mode?: "read" | "upload" | null;
                    /**
                     * Format: password
                     * @description What guests have to know: 8 to 1024 bytes. Without it they need none.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * @description A time in the future from when it opens nothing any more, UTC: at the latest when the key ends that makes it.
                     * @example 2027-01-31T00:00:00
                     */
                    expiresAt?: string | null;
                    /**
                     * @description How many answers with content it is good for, 1 to 1000000: of a file, of a part of it, or of an archive.
                     * @example 10
                     */
                    maxDownloads?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    endLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    showGuestLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuestLink"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    letGuestIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: password
                     * @description The link's password.
                     * @example correct horse
                     */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    listGuestFolder: {
        parameters: {
            query?: {
                /**
                 * @description The folder; empty or missing means the root.
                 * @example holiday
                 */
                path?: string;
                /**
                 * @description What the items are in order of: name (natural order, without regard to case; the default), size or modified. Folders come first, then mounts, then files, each in this order.
                 * @example name
                 */
                sort?: "name" | "size" | "modified";
                /**
                 * @description asc, from the smallest or oldest on, which is the default; or desc.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description How many items at most: 1 to 10,000. 200 where it is missing.
                 * @example 200
                 */
                limit?: number;
                /**
                 * @description The `next` of the page before, with the same sort and order.
                 * @example bmFtZQphc2MKZm9sZGVyCjAKYmVhY2g
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The state of what is answered. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderPage"];
                };
            };
            /** @description The client has it, as its condition says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    readGuestContent: {
        parameters: {
            query?: {
                /**
                 * @description The file, from the shared folder; empty or missing for a shared file.
                 * @example photo.jpg
                 */
                path?: string;
                /**
                 * @description attachment, the default, has a browser save the file; inline has it show what it can, without running what is in it.
                 * @example inline
                 */
                disposition?: "attachment" | "inline";
            };
            header?: never;
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. The content type goes by its name. */
            200: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            /** @description The ranges asked for; several as multipart/byteranges. */
            206: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            /** @description The client has it, as its condition says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            412: components["responses"]["412"];
            416: components["responses"]["416"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    downloadGuestArchive: {
        parameters: {
            query: {
                /**
                 * @description A file or folder; given several times for several of them. Empty means the root.
                 * @example [
                 *       "holiday"
                 *     ]
                 */
                path: string[];
                /**
                 * @description zip, which is the default, tar or tar.zst.
                 * @example zip
                 */
                format?: "zip" | "tar" | "tar.zst";
                /**
                 * @description What the archive is called, 1 to 255 bytes: its extension is added where it is missing. Without it the only item's name, or `files`.
                 * @example holiday.zip
                 */
                name?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    createGuestUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description How many bytes the file will have.
                 * @example 1048576
                 */
                "Upload-Length": number;
                /**
                 * @description Names and values in Base64: filename; folder, an existing one, the root by default; onConflict, what to do where the name is taken: fail (by default), replace or keepBoth, which stores it as "a (2).txt"; modified, a time in UTC such as 2027-01-31T00:00:00Z. At most 32, others are kept and told again.
                 * @example filename YS50eHQ=,folder ZG9jcw==
                 */
                "Upload-Metadata": string;
                /**
                 * @description sha1 or sha256 of the body, a space, and the digest in Base64.
                 * @example sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=
                 */
                "Upload-Checksum"?: string;
            };
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            460: components["responses"]["460"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    overrideGuestUploadMethod: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description The method that is meant.
                 * @example PATCH
                 */
                "X-HTTP-Method-Override": "PATCH" | "DELETE";
            };
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            460: components["responses"]["460"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    endGuestUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    showGuestUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    appendToGuestUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of tus.
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description How many bytes came before.
                 * @example 0
                 */
                "Upload-Offset": number;
                /**
                 * @description sha1 or sha256 of the body, a space, and the digest in Base64.
                 * @example sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=
                 */
                "Upload-Checksum"?: string;
            };
            path: {
                /**
                 * @description The link's token.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                token: string;
                /**
                 * @description The end of the upload's Location.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            410: components["responses"]["410"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            423: components["responses"]["423"];
            431: components["responses"]["431"];
            460: components["responses"]["460"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    readThumbnail: {
        parameters: {
            query: {
                /**
                 * @description The file.
                 * @example holiday/photo.jpg
                 */
                path: string & unknown;
                /**
                 * @description The side of the square that it fits into, in pixels.
                 * @example 256
                 */
                size: "64" | "256" | "1024";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    /** @description attachment, with the file's name (RFC 6266). */
                    "Content-Disposition"?: string;
                    /** @description Strong; changes whenever the file does. Of files on FTP and SFTP servers as far as their size and time tell. */
                    ETag?: string;
                    /** @description When the file was modified. */
                    "Last-Modified"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "*/*": string;
                };
            };
            /** @description The client has it, as its condition says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    listConnectors: {
        parameters: {
            query?: {
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["Connector"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createConnector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is, for people: up to 1000 characters.
                     * @example
                     */
                    description?: string | null;
                    /**
                     * @description Whether nothing can be changed through it; false by default.
                     * @example true
                     */
                    readOnly?: boolean | null;
                    /**
                     * @description The folder on the server or drive; by default where a login leads, or the drive's top.
                     * @example team
                     */
                    root?: string | null;
                    /**
                     * @description The server's name or address.
                     * @example files.example.org
                     */
                    host?: string | null;
                    /**
                     * @description Its port; 21, 990 or 22 by default, as the kind and tls say.
                     * @example 22
                     */
                    port?: number | null;
                    /**
                     * @description Whom to log in as, on a server: 1 to 255 bytes.
                     * @example ann
                     */
                    user?: string | null;
                    /**
                     * @description For FTP: none, which is the default, explicit (asked for after connecting) or implicit (from the first byte).
                     * @example explicit
                     * @enum {string|null}
                     */
                    tls?: "none" | "explicit" | "implicit" | null;
                    /**
                     * @description The SFTP server's key, as ssh-keygen -l prints it.
                     * @example SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                     */
                    hostKey?: string | null;
                    /**
                     * @description Trust the key that the SFTP server shows now; false by default.
                     * @example false
                     */
                    trustHostKey?: boolean | null;
                    /**
                     * Format: password
                     * @description The server's password. Another host, port or the end of TLS needs it again.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * Format: password
                     * @description A private key's text, for SFTP, in the place of a password.
                     * @example
                     */
                    privateKey?: string | null;
                    /**
                     * Format: password
                     * @description Of the private key beside it.
                     * @example correct horse
                     */
                    passphrase?: string | null;
                    /**
                     * @description A drive's parameters by name, as GET /api/v2/connectors/providers tells them: at most 100, of 16 KiB together. An empty value removes one. Another address needs the secrets again.
                     * @example {
                     *       "url": "https://dav.example.org"
                     *     }
                     */
                    parameters?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description How it is called: a name that a folder could have, unique for the account.
                     * @example NAS
                     */
                    name: string;
                    /**
                     * @description What it leads to.
                     * @example sftp
                     * @enum {string}
                     */
                    kind: "ftp" | "sftp" | "drive";
                    /**
                     * @description Of a drive: the type of one of GET /api/v2/connectors/providers.
                     * @example webdav
                     */
                    provider?: string | null;
                    /**
                     * @description Log in and look into the folder before it is stored; true by default. Changes of a drive are not tried.
                     * @example true
                     */
                    test?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    testConnector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is, for people: up to 1000 characters.
                     * @example
                     */
                    description?: string | null;
                    /**
                     * @description Whether nothing can be changed through it; false by default.
                     * @example true
                     */
                    readOnly?: boolean | null;
                    /**
                     * @description The folder on the server or drive; by default where a login leads, or the drive's top.
                     * @example team
                     */
                    root?: string | null;
                    /**
                     * @description The server's name or address.
                     * @example files.example.org
                     */
                    host?: string | null;
                    /**
                     * @description Its port; 21, 990 or 22 by default, as the kind and tls say.
                     * @example 22
                     */
                    port?: number | null;
                    /**
                     * @description Whom to log in as, on a server: 1 to 255 bytes.
                     * @example ann
                     */
                    user?: string | null;
                    /**
                     * @description For FTP: none, which is the default, explicit (asked for after connecting) or implicit (from the first byte).
                     * @example explicit
                     * @enum {string|null}
                     */
                    tls?: "none" | "explicit" | "implicit" | null;
                    /**
                     * @description The SFTP server's key, as ssh-keygen -l prints it.
                     * @example SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                     */
                    hostKey?: string | null;
                    /**
                     * @description Trust the key that the SFTP server shows now; false by default.
                     * @example false
                     */
                    trustHostKey?: boolean | null;
                    /**
                     * Format: password
                     * @description The server's password. Another host, port or the end of TLS needs it again.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * Format: password
                     * @description A private key's text, for SFTP, in the place of a password.
                     * @example
                     */
                    privateKey?: string | null;
                    /**
                     * Format: password
                     * @description Of the private key beside it.
                     * @example correct horse
                     */
                    passphrase?: string | null;
                    /**
                     * @description A drive's parameters by name, as GET /api/v2/connectors/providers tells them: at most 100, of 16 KiB together. An empty value removes one. Another address needs the secrets again.
                     * @example {
                     *       "url": "https://dav.example.org"
                     *     }
                     */
                    parameters?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description A connector of the account: what else is said takes the place of what it has. Without it, a new one is tried.
                     * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                     */
                    id?: string | null;
                    /**
                     * @description How it is called: a name that a folder could have, unique for the account.
                     * @example NAS
                     */
                    name?: string | null;
                    /**
                     * @description What it leads to; needed without an id.
                     * @example sftp
                     * @enum {string|null}
                     */
                    kind?: "ftp" | "sftp" | "drive" | null;
                    /**
                     * @description Of a drive: the type of one of GET /api/v2/connectors/providers.
                     * @example webdav
                     */
                    provider?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorTrial"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    showConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connector's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    removeConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connector's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    changeConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connector's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is, for people: up to 1000 characters.
                     * @example
                     */
                    description?: string | null;
                    /**
                     * @description Whether nothing can be changed through it; false by default.
                     * @example true
                     */
                    readOnly?: boolean | null;
                    /**
                     * @description The folder on the server or drive; by default where a login leads, or the drive's top.
                     * @example team
                     */
                    root?: string | null;
                    /**
                     * @description The server's name or address.
                     * @example files.example.org
                     */
                    host?: string | null;
                    /**
                     * @description Its port; 21, 990 or 22 by default, as the kind and tls say.
                     * @example 22
                     */
                    port?: number | null;
                    /**
                     * @description Whom to log in as, on a server: 1 to 255 bytes.
                     * @example ann
                     */
                    user?: string | null;
                    /**
                     * @description For FTP: none, which is the default, explicit (asked for after connecting) or implicit (from the first byte).
                     * @example explicit
                     * @enum {string|null}
                     */
                    tls?: "none" | "explicit" | "implicit" | null;
                    /**
                     * @description The SFTP server's key, as ssh-keygen -l prints it.
                     * @example SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                     */
                    hostKey?: string | null;
                    /**
                     * @description Trust the key that the SFTP server shows now; false by default.
                     * @example false
                     */
                    trustHostKey?: boolean | null;
                    /**
                     * Format: password
                     * @description The server's password. Another host, port or the end of TLS needs it again.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * Format: password
                     * @description A private key's text, for SFTP, in the place of a password.
                     * @example
                     */
                    privateKey?: string | null;
                    /**
                     * Format: password
                     * @description Of the private key beside it.
                     * @example correct horse
                     */
                    passphrase?: string | null;
                    /**
                     * @description A drive's parameters by name, as GET /api/v2/connectors/providers tells them: at most 100, of 16 KiB together. An empty value removes one. Another address needs the secrets again.
                     * @example {
                     *       "url": "https://dav.example.org"
                     *     }
                     */
                    parameters?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description How it is called: a name that a folder could have, unique for the account.
                     * @example NAS
                     */
                    name?: string | null;
                    /**
                     * @description Log in and look into the folder before it is stored; true by default. Changes of a drive are not tried.
                     * @example true
                     */
                    test?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["ManagedAccount"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: password
                     * @description 8 to 1024 bytes. A new one ends the account's sessions; its keys stay.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * @description The name shown to people: 1 to 100 characters; the user name by default.
                     * @example Ann
                     */
                    displayName?: string | null;
                    /**
                     * @description admin or user, which is the default. Another one ends the account's sessions.
                     * @example user
                     * @enum {string|null}
                     */
                    role?: "user" | "admin" | null;
                    /**
                     * @description The quota in bytes; 0 means unlimited and is the default.
                     * @example 10737418240
                     */
                    storageLimit?: number | null;
                    /**
                     * @description The name to sign in with: 1 to 64 of a-z, 0-9, ".", "_" and "-", beginning with a letter or digit.
                     * @example ann
                     */
                    userName: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    showManagedAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The account's user name.
                 * @example ann
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    removeAccount: {
        parameters: {
            query?: {
                /**
                 * @description keep leaves its own files on the server's disk, where no other account gets them, and is the default; purge deletes them for good, which may take long.
                 * @example keep
                 */
                files?: "keep" | "purge";
            };
            header?: never;
            path: {
                /**
                 * @description The account's user name.
                 * @example ann
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    changeManagedAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The account's user name.
                 * @example ann
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: password
                     * @description 8 to 1024 bytes. A new one ends the account's sessions; its keys stay.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * @description The name shown to people: 1 to 100 characters; the user name by default.
                     * @example Ann
                     */
                    displayName?: string | null;
                    /**
                     * @description admin or user, which is the default. Another one ends the account's sessions.
                     * @example user
                     * @enum {string|null}
                     */
                    role?: "user" | "admin" | null;
                    /**
                     * @description The quota in bytes; 0 means unlimited and is the default.
                     * @example 10737418240
                     */
                    storageLimit?: number | null;
                    /**
                     * @description true ends its sessions and refuses its keys; false accepts these.
                     * @example true
                     */
                    disabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    listShares: {
        parameters: {
            query?: {
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["Share"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createShare: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is, for people: up to 1000 characters.
                     * @example
                     */
                    description?: string | null;
                    /**
                     * @description Whether nothing can be changed in it; false by default.
                     * @example true
                     */
                    readOnly?: boolean | null;
                    /**
                     * @description Whether every account sees it; false by default.
                     * @example false
                     */
                    everyone?: boolean | null;
                    /**
                     * @description The accounts that see it, all of them and no others, by name. Either these or everyone.
                     * @example [
                     *       "ann"
                     *     ]
                     */
                    accounts?: string[] | null;
                    /**
                     * @description How it is called: a name that a folder could have, unique.
                     * @example Team
                     */
                    name: string;
                    /**
                     * @description An existing folder beneath the setting share_roots, by its absolute path. Another one revokes the keys that are limited to the share's folders.
                     * @example /srv/team
                     */
                    folder: string & unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    showShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The share's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    removeShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The share's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    changeShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The share's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is, for people: up to 1000 characters.
                     * @example
                     */
                    description?: string | null;
                    /**
                     * @description Whether nothing can be changed in it; false by default.
                     * @example true
                     */
                    readOnly?: boolean | null;
                    /**
                     * @description Whether every account sees it; false by default.
                     * @example false
                     */
                    everyone?: boolean | null;
                    /**
                     * @description The accounts that see it, all of them and no others, by name. Either these or everyone.
                     * @example [
                     *       "ann"
                     *     ]
                     */
                    accounts?: string[] | null;
                    /**
                     * @description How it is called: a name that a folder could have, unique.
                     * @example Team
                     */
                    name?: string | null;
                    /**
                     * @description An existing folder beneath the setting share_roots, by its absolute path. Another one revokes the keys that are limited to the share's folders.
                     * @example /srv/team
                     */
                    folder?: ((string & unknown) | null) & unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    listServerFolders: {
        parameters: {
            query?: {
                /**
                 * @description A folder by its absolute path, beneath the setting share_roots; without it, the folders of that setting are listed.
                 * @example /srv
                 */
                path?: string & unknown;
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["FolderChoice"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listAllConnectors: {
        parameters: {
            query?: {
                /**
                 * @description Only this account's connectors, by its user name.
                 * @example ann
                 */
                account?: string;
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["ManagedConnector"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    giveConnector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is, for people: up to 1000 characters.
                     * @example
                     */
                    description?: string | null;
                    /**
                     * @description Whether nothing can be changed through it; false by default.
                     * @example true
                     */
                    readOnly?: boolean | null;
                    /**
                     * @description The folder on the server or drive; by default where a login leads, or the drive's top.
                     * @example team
                     */
                    root?: string | null;
                    /**
                     * @description The server's name or address.
                     * @example files.example.org
                     */
                    host?: string | null;
                    /**
                     * @description Its port; 21, 990 or 22 by default, as the kind and tls say.
                     * @example 22
                     */
                    port?: number | null;
                    /**
                     * @description Whom to log in as, on a server: 1 to 255 bytes.
                     * @example ann
                     */
                    user?: string | null;
                    /**
                     * @description For FTP: none, which is the default, explicit (asked for after connecting) or implicit (from the first byte).
                     * @example explicit
                     * @enum {string|null}
                     */
                    tls?: "none" | "explicit" | "implicit" | null;
                    /**
                     * @description The SFTP server's key, as ssh-keygen -l prints it.
                     * @example SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                     */
                    hostKey?: string | null;
                    /**
                     * @description Trust the key that the SFTP server shows now; false by default.
                     * @example false
                     */
                    trustHostKey?: boolean | null;
                    /**
                     * Format: password
                     * @description The server's password. Another host, port or the end of TLS needs it again.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * Format: password
                     * @description A private key's text, for SFTP, in the place of a password.
                     * @example
                     */
                    privateKey?: string | null;
                    /**
                     * Format: password
                     * @description Of the private key beside it.
                     * @example correct horse
                     */
                    passphrase?: string | null;
                    /**
                     * @description A drive's parameters by name, as GET /api/v2/connectors/providers tells them: at most 100, of 16 KiB together. An empty value removes one. Another address needs the secrets again.
                     * @example {
                     *       "url": "https://dav.example.org"
                     *     }
                     */
                    parameters?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description How it is called: a name that a folder could have, unique for the account.
                     * @example NAS
                     */
                    name: string;
                    /**
                     * @description What it leads to.
                     * @example sftp
                     * @enum {string}
                     */
                    kind: "ftp" | "sftp" | "drive";
                    /**
                     * @description Of a drive: the type of one of GET /api/v2/connectors/providers.
                     * @example webdav
                     */
                    provider?: string | null;
                    /**
                     * @description Log in and look into the folder before it is stored; true by default. Changes of a drive are not tried.
                     * @example true
                     */
                    test?: boolean | null;
                    /**
                     * @description The account that gets it.
                     * @example ann
                     */
                    userName: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedConnector"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    showAnyConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connector's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedConnector"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    removeAnyConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connector's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    changeAnyConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connector's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is, for people: up to 1000 characters.
                     * @example
                     */
                    description?: string | null;
                    /**
                     * @description Whether nothing can be changed through it; false by default.
                     * @example true
                     */
                    readOnly?: boolean | null;
                    /**
                     * @description The folder on the server or drive; by default where a login leads, or the drive's top.
                     * @example team
                     */
                    root?: string | null;
                    /**
                     * @description The server's name or address.
                     * @example files.example.org
                     */
                    host?: string | null;
                    /**
                     * @description Its port; 21, 990 or 22 by default, as the kind and tls say.
                     * @example 22
                     */
                    port?: number | null;
                    /**
                     * @description Whom to log in as, on a server: 1 to 255 bytes.
                     * @example ann
                     */
                    user?: string | null;
                    /**
                     * @description For FTP: none, which is the default, explicit (asked for after connecting) or implicit (from the first byte).
                     * @example explicit
                     * @enum {string|null}
                     */
                    tls?: "none" | "explicit" | "implicit" | null;
                    /**
                     * @description The SFTP server's key, as ssh-keygen -l prints it.
                     * @example SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                     */
                    hostKey?: string | null;
                    /**
                     * @description Trust the key that the SFTP server shows now; false by default.
                     * @example false
                     */
                    trustHostKey?: boolean | null;
                    /**
                     * Format: password
                     * @description The server's password. Another host, port or the end of TLS needs it again.
                     * @example correct horse
                     */
                    password?: string | null;
                    /**
                     * Format: password
                     * @description A private key's text, for SFTP, in the place of a password.
                     * @example
                     */
                    privateKey?: string | null;
                    /**
                     * Format: password
                     * @description Of the private key beside it.
                     * @example correct horse
                     */
                    passphrase?: string | null;
                    /**
                     * @description A drive's parameters by name, as GET /api/v2/connectors/providers tells them: at most 100, of 16 KiB together. An empty value removes one. Another address needs the secrets again.
                     * @example {
                     *       "url": "https://dav.example.org"
                     *     }
                     */
                    parameters?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description How it is called: a name that a folder could have, unique for the account.
                     * @example NAS
                     */
                    name?: string | null;
                    /**
                     * @description Log in and look into the folder before it is stored; true by default. Changes of a drive are not tried.
                     * @example true
                     */
                    test?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedConnector"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    listAllSessions: {
        parameters: {
            query?: {
                /**
                 * @description Only this account's sessions, by its user name.
                 * @example ann
                 */
                account?: string;
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["ManagedSession"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    endAnySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's identifier, as the list shows it.
                 * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
            507: components["responses"]["507"];
        };
    };
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only what happened so.
                 * @example account.created
                 */
                event?: "account.created" | "account.changed" | "account.removed" | "key.created" | "key.revoked" | "share.created" | "share.changed" | "share.removed" | "connector.created" | "connector.changed" | "connector.removed" | "session.created" | "session.refused" | "session.ended" | "link.created" | "link.ended";
                /**
                 * @description Only what this account did, or what was done to what has its name.
                 * @example ann
                 */
                account?: string;
                /**
                 * @description Only what happened then or later, UTC.
                 * @example 2026-01-01T00:00:00
                 */
                from?: string;
                /**
                 * @description Only what happened earlier, UTC.
                 * @example 2027-01-01T00:00:00
                 */
                to?: string;
                /**
                 * @description How many entries the answer has at most; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description To go on: `next` of the answer before.
                 * @example ann
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["AuditEvent"][];
                        /** @description To be sent as `cursor` for what follows; null at the end. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only what happened so.
                 * @example account.created
                 */
                event?: "account.created" | "account.changed" | "account.removed" | "key.created" | "key.revoked" | "share.created" | "share.changed" | "share.removed" | "connector.created" | "connector.changed" | "connector.removed" | "session.created" | "session.refused" | "session.ended" | "link.created" | "link.ended";
                /**
                 * @description Only what this account did, or what was done to what has its name.
                 * @example ann
                 */
                account?: string;
                /**
                 * @description Only what happened then or later, UTC.
                 * @example 2026-01-01T00:00:00
                 */
                from?: string;
                /**
                 * @description Only what happened earlier, UTC.
                 * @example 2027-01-01T00:00:00
                 */
                to?: string;
                /**
                 * @description jsonl, which is the default, or csv.
                 * @example csv
                 */
                format?: "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines of JSON as described, or CSV (RFC 4180) with the same columns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["AuditEvent"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    watchEvents: {
        parameters: {
            query?: {
                /**
                 * @description A folder that is to be watched, which need not exist; given several times for several of them. Empty means the root.
                 * @example [
                 *       "holiday"
                 *     ]
                 */
                folder?: string[];
            };
            header?: {
                /**
                 * @description The id of the last event that the client has: what it missed since is told by one resync, or nothing if it missed nothing.
                 * @example 1b2c3d4e-5f0c2a9d1b7e4c38-7
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events (the WHATWG's HTML standard), without an end. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriveProvider"][];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    authorizeConnector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description To begin a login to a drive of the account: what else is said takes the place of what it has, its secrets stay.
                     * @example 5f0c2a9d1b7e4c385f0c2a9d1b7e4c38
                     */
                    id?: string | null;
                    /**
                     * @description To begin one to a new drive: as POST /api/v2/connectors takes it.
                     * @example dropbox
                     */
                    provider?: string | null;
                    /**
                     * @description The drive's, with client_id, and perhaps client_secret, of a client that was made at the provider and may send people back to the redirect address.
                     * @example {
                     *       "client_id": "abc123"
                     *     }
                     */
                    parameters?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description To end a login: what it was begun with.
                     * @example c2VhbGVk
                     */
                    login?: string | null;
                    /**
                     * @description What came back with the code.
                     * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw
                     */
                    state?: string | null;
                    /**
                     * @description What the provider gave. One is good once.
                     * @example 4/0AX4XfWh
                     */
                    code?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriveLogin"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
}
