// What other parts use of this one.
export { folderLink } from "./folder-link";
export { Locations } from "./Locations";
export { type Location, locationOf, locationsQuery } from "./query";
export { useFolderName } from "./useFolderName";
