// Made by script/generate-client.mjs from the server's description of its API.

export interface paths {
    "/api/v1/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the places that the key reaches
         * @description The account's own files, the folders shared with it and its connectors. A key that is limited to a folder has one location, of kind scoped; 404 where that folder was in a shared folder or connector which the account has no more.
         */
        get: operations["listLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a folder
         * @description The items directly in it: folders first, then files, each in natural order. At the root the mounts stand between them. Names that are not UTF-8 or hold control characters are left out, as no path could name them.
         */
        get: operations["listFolder"];
        put?: never;
        post?: never;
        /**
         * Delete a file, or a folder with all in it
         * @description Cannot be undone. The quota is free at once. Keys limited to the folder or below are revoked.
         */
        delete: operations["deleteItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one item
         * @description Name, size, times and whether it is a folder. The root has an empty name and path.
         */
        get: operations["showInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/folder": {
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
         * @description Missing parents are created too.
         */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an empty file
         * @description Changes nothing if the name is taken.
         */
        post: operations["createFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move an item into a folder
         * @description Keys limited to a folder follow it.
         */
        put: operations["moveItem"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Copy an item into a folder
         * @description Folders are copied with all in them; the copy appears when it is whole.
         */
        put: operations["copyItem"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rename an item where it is
         * @description Keys limited to a folder follow it. The same name changes nothing.
         */
        put: operations["renameItem"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description The bytes themselves, as an attachment. Ranges, several of them too, and conditional requests work as RFC 9110 says, so that downloads can be resumed.
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload files into a folder
         * @description Parts named file and files are stored, others ignored. A file of the same name is replaced in one step: a reader sees the old bytes or the new. A request that fails leaves none of its files. FTP servers, and SFTP servers that cannot replace a file in one step, have the name free for a moment instead; if the connection breaks just then, the old file stays beside it under a name that ends in .replaced- and eight digits.
         */
        post: operations["uploadFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the account that the key belongs to
         * @description Its name, role, storage used and quota, and what the key is limited to.
         */
        get: operations["showAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's API keys
         * @description Without their secrets, by time of creation. A key that is limited to a folder sees the keys limited to that folder or below it.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The secret is in this answer and nowhere else. A key never reaches further than the one that created it.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
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
         * @description When the answer arrives, no request with that key is accepted any more.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @constant */
            success: false;
            /** @description What went wrong. */
            error: string;
        };
        Location: {
            /**
             * @description One of own, shared, ftp, sftp and drive; scoped for a key that is limited to a folder.
             * @example own
             * @enum {string}
             */
            kind: "own" | "shared" | "ftp" | "sftp" | "drive" | "scoped";
            /**
             * @description Display name.
             * @example Own files
             */
            name: string;
            /**
             * @description The prefix of paths in this location; empty for own files and for a scope.
             * @example
             */
            path: string;
            /**
             * @description Where the location points; never a secret or a path of the server.
             * @example Own files
             */
            target: string;
            /**
             * @description Whether writes are refused.
             * @example false
             */
            readOnly: boolean;
        };
        FileEntry: {
            /**
             * @description Name of the item.
             * @example photo.jpg
             */
            name: string;
            /**
             * @description Path from the key's root.
             * @example holiday/photo.jpg
             */
            relativePath: string;
            /**
             * @description True for folders.
             * @example false
             */
            isDirectory: boolean;
            /**
             * @description Bytes; 0 for folders.
             * @example 1536
             */
            size: number;
            /**
             * @description The size for people, 1024-based with one decimal; -- for folders.
             * @example 1.5 KB
             */
            formattedSize: string;
            /**
             * @description UTC. The modification time where the place knows no better.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            modifiedAt: string;
            /**
             * @description From the last dot, with the dot; empty for folders.
             * @example .jpg
             */
            extension: string;
            /**
             * @description What the maker of a mount wrote about it; empty for ordinary items.
             * @example
             */
            description: string;
            /**
             * @description shared, ftp, sftp or clouddrive for a mount; null for ordinary items.
             * @example null
             */
            mount: ("shared" | "ftp" | "sftp" | "clouddrive") | null;
            /**
             * @description Where a mount points; on mounts only.
             * @example sftp://ann@files.example:22/
             */
            mountTarget?: string;
            /**
             * @description Whether writes are refused here.
             * @example false
             */
            readOnly: boolean;
        };
        FileInfo: {
            /**
             * @description Name of the item; empty for the root.
             * @example photo.jpg
             */
            name: string;
            /**
             * @description Path from the key's root; empty for the root.
             * @example holiday/photo.jpg
             */
            path: string;
            /**
             * @description True for folders.
             * @example false
             */
            isDirectory: boolean;
            /**
             * @description Bytes; 0 for folders.
             * @example 1536
             */
            size: number;
            /**
             * @description The size for people; -- for folders.
             * @example 1.5 KB
             */
            formattedSize: string;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            modifiedAt: string;
            /**
             * @description From the last dot, with the dot; empty for folders.
             * @example .jpg
             */
            extension: string;
        };
        Message: {
            /**
             * @description What was done.
             * @example The folder was created.
             */
            message: string;
        };
        Uploaded: {
            /**
             * @description Names of the files, in the order they came.
             * @example [
             *       "photo.jpg"
             *     ]
             */
            uploaded: string[];
            /**
             * @description How many files were stored.
             * @example 1
             */
            count: number;
        };
        Account: {
            /**
             * @description Name of the account.
             * @example ann
             */
            username: string;
            /**
             * @description Name shown to people.
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
             * @description The same for people.
             * @example 1.5 KB
             */
            storageUsedFormatted: string;
            /**
             * @description The quota in bytes; 0 means unlimited.
             * @example 10737418240
             */
            storageLimit: number;
            /**
             * @description The same for people; Unlimited for 0.
             * @example 10.0 GB
             */
            storageLimitFormatted: string;
            /**
             * @description The folder that the calling key is limited to, from the account's root; Full access for an unlimited key.
             * @example Full access
             */
            folderScope: string;
        };
        ApiKey: {
            /**
             * @description Identifier, used to revoke the key.
             * @example 5f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description The first characters of the secret.
             * @example 3f9a1c2e…
             */
            keyPreview: string;
            /**
             * @description Label.
             * @example backup
             */
            name: string;
            /**
             * @description The scope, from the account's root; empty for an unlimited key.
             * @example documents
             */
            folderPath: string;
            /**
             * @description The scope, or Full access.
             * @example documents
             */
            folderScope: string;
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
        };
        CreatedApiKey: {
            /**
             * @description Identifier, used to revoke the key.
             * @example 5f0c2a9d1b7e4c38
             */
            id: string;
            /**
             * @description The secret: a random UUID, told this once.
             * @example 00000000-0000-4000-8000-000000000000
             */
            key: string;
            /**
             * @description Label.
             * @example backup
             */
            name: string;
            /**
             * @description The scope, from the account's root; empty for an unlimited key.
             * @example documents
             */
            folderPath: string;
            /**
             * @description The scope, or Full access.
             * @example documents
             */
            folderScope: string;
            /**
             * @description UTC.
             * @example 2026-11-21T06:14:09
             */
            createdAt: string;
        };
    };
    responses: {
        /** @description Missing or invalid parameters, or an invalid name. */
        400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The parameter \"path\" is missing."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The X-API-Key header is missing or the key is not valid. */
        401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The API key is not valid."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Path traversal, a path outside the key's folder, or a write into a read-only place. */
        403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The path must not contain \"..\"."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such item. */
        404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "There is no such file or folder."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The name is taken. */
        409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The name is already taken."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The storage quota is exceeded. */
        413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The storage quota is exceeded."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There are too many already: some have to go first. */
        429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "There are 10000 API keys: revoke some that nobody needs any more."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request's target and headers have more than 16 KiB. */
        431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The request's headers are too large."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server failed; the message names the request's id in its log. */
        500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Something went wrong in the server."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server behind a mount is down, refused the login, or shows another host key. */
        502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Backup: The server cannot be reached."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too much is under way, as too many open files; Retry-After says when to come again. */
        503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The server has too many files open. Try again soon."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server behind a mount did not answer in time. */
        504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Backup: The server did not answer in time."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server's disk is full, or too small. Reading and deleting go on. */
        507: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "The disk is full."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
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
    listLocations: {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Location"][];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            404: components["responses"]["404"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FileEntry"][];
                    };
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
    deleteItem: {
        parameters: {
            query: {
                /**
                 * @description The item, from the key's root; not the root itself.
                 * @example holiday/photo.jpg
                 */
                path: string & unknown;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
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
            507: components["responses"]["507"];
        };
    };
    showInfo: {
        parameters: {
            query: {
                /**
                 * @description The item, from the key's root; empty means the root.
                 * @example holiday/photo.jpg
                 */
                path: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FileInfo"];
                    };
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
    createFolder: {
        parameters: {
            query: {
                /**
                 * @description The folder to create it in; made too if missing, so that each part of the path must be a name as `name` must. Empty means the root.
                 * @example holiday
                 */
                path?: string;
                /**
                 * @description 1 to 255 bytes of UTF-8 without slashes, backslashes and control characters; not . or ..; at the root not beginning with __adm_ or __conn_.
                 * @example beach
                 */
                name: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
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
    createFile: {
        parameters: {
            query: {
                /**
                 * @description The existing folder to create it in; empty or missing means the root.
                 * @example holiday
                 */
                path?: string;
                /**
                 * @description 1 to 255 bytes of UTF-8 without slashes, backslashes and control characters; not . or ..; at the root not beginning with __adm_ or __conn_.
                 * @example notes.txt
                 */
                name: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
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
            507: components["responses"]["507"];
        };
    };
    moveItem: {
        parameters: {
            query: {
                /**
                 * @description The item, not the root; its name must be one that can be made.
                 * @example holiday/photo.jpg
                 */
                from: string;
                /**
                 * @description The existing folder that it goes into, not the item itself or below it; empty or missing means the root.
                 * @example pictures
                 */
                to?: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    copyItem: {
        parameters: {
            query: {
                /**
                 * @description The item, not the root; its name must be one that can be made.
                 * @example holiday/photo.jpg
                 */
                from: string;
                /**
                 * @description The existing folder that it goes into, not the item itself or below it; empty or missing means the root.
                 * @example pictures
                 */
                to?: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
        };
    };
    renameItem: {
        parameters: {
            query: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
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
    downloadFile: {
        parameters: {
            query: {
                /**
                 * @description The item, from the key's root; not the root itself.
                 * @example holiday/photo.jpg
                 */
                path: string & unknown;
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
            /** @description The file is still as the request's condition says. */
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
            /** @description A precondition of the request is not met. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No range asked for lies within the file. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
        };
    };
    uploadFiles: {
        parameters: {
            query?: {
                /**
                 * @description The existing folder to upload into; empty or missing means the root.
                 * @example holiday
                 */
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The files, each a part named file or files with a file name; at least one, and no name twice. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description One file.
                     */
                    file?: string;
                    /** @description Any number of files, each a part of its own. */
                    files?: string[];
                } & (unknown | unknown);
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Uploaded"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            502: components["responses"]["502"];
            503: components["responses"]["503"];
            504: components["responses"]["504"];
            507: components["responses"]["507"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Account"];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ApiKey"][];
                    };
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createKey: {
        parameters: {
            query: {
                /**
                 * @description Label: 1 to 100 characters without control characters.
                 * @example backup
                 */
                name: string;
                /**
                 * @description Limits the key to this existing folder and what is below it. Empty or missing: the same reach as the calling key.
                 * @example documents
                 */
                folder?: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedApiKey"];
                    };
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
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key's identifier, as the list of keys shows it.
                 * @example 5f0c2a9d1b7e4c38
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
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
            507: components["responses"]["507"];
        };
    };
}
