/** Asks for files, or a folder, by the browser's own dialog. */
export function chooseAgain(isFolder: boolean, onChoose: (files: FileList) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = !isFolder;
  input.webkitdirectory = isFolder;
  input.onchange = () => {
    if (input.files) onChoose(input.files);
  };
  input.click();
}
