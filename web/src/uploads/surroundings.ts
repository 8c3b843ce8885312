import type { UploadFile } from "./model";
import type { UploadView } from "./view";

/** What only the page around it can do. */
export type Surroundings = {
  show: (views: UploadView[]) => void;
  /** A folder has more in it than before. */
  changed: (folder: string) => void;
  /** Nobody is signed in any more. */
  sessionEnded: () => void;
  /** A name was taken meanwhile; answers by `Engine.resolve`. */
  taken: (file: UploadFile) => void;
  isUploaded: (file: UploadFile) => Promise<boolean>;
};
