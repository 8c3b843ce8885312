// What other parts use of this one.
export { folderLink, keptSearch } from "./folder-link";
export { Locations } from "./Locations";
export { type Location, locationOf, locationsQuery } from "./query";
export { useFolderName } from "./useFolderName";
export { useIsReadOnly } from "./useIsReadOnly";
