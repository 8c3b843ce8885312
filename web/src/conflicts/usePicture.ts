import { useEffect, useState } from "react";

/** Larger ones would be read whole for a picture of a thumb's size. */
const LARGEST_BYTES = 32 * 1024 * 1024;

function isPicture(file: File): boolean {
  return file.type.startsWith("image/") && file.size <= LARGEST_BYTES;
}

/** The address of a small picture: the server's of a path, or of a file of this device. */
export function usePicture(picture: string | File | null): string | null {
  const [own, setOwn] = useState<string | null>(null);
  useEffect(() => {
    if (!(picture instanceof File) || !isPicture(picture)) return;
    const url = URL.createObjectURL(picture);
    setOwn(url);
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  if (typeof picture === "string") {
    return `/api/v2/thumbnails?${new URLSearchParams({ path: picture, size: "256" })}`;
  }
  return own;
}
