/** The files of a project that is being set up. Paths are relative to its folder, with `/`. */
export interface ProjectFiles {
  /** The text of a file. Undefined if it does not exist; an unreadable file is reported once and counts as unreadable. */
  read(path: string): Promise<string | undefined>;
  /** What is at a path, without following links. */
  kindOf(path: string): Promise<'file' | 'folder' | 'other' | undefined>;
  /** The names of the files in a folder, sorted; empty if there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** The first of some paths at which a file exists. */
export async function firstFile(files: ProjectFiles, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await files.read(path)) !== undefined) return path;
  return undefined;
}
