/** What may be seen of a project that is set up. Paths are relative to its folder, with `/`. */
export interface ProjectFiles {
  /** The text of a file. Undefined where there is none; what is there and cannot be read is told once and counts as unreadable. */
  read(path: string): Promise<string | undefined>;
  /** What stands at a path, without following links. */
  kindOf(path: string): Promise<'file' | 'folder' | 'other' | undefined>;
  /** The names of the files of a folder, sorted; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** The first of some paths where a file stands. */
export async function firstFile(files: ProjectFiles, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await files.read(path)) !== undefined) return path;
  return undefined;
}
