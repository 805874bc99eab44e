import type { BuiltSite } from '../../model/folder.ts';

/** The state of a folder at one moment: a stamp per file path, and what could not be listed. No file is read. */
export type FileStamps = ReadonlyMap<string, string>;

export function stampsOf(built: BuiltSite): FileStamps {
  const { paths, failures } = built.list();
  const stamps = new Map(paths.map((path) => [path, built.stampOf(path)]));
  for (const { file, message } of failures) stamps.set(`\0${file}`, message);
  return stamps;
}

/** Whether nothing was written between the two. */
export function areSame(before: FileStamps, after: FileStamps): boolean {
  if (before.size !== after.size) return false;
  for (const [path, stamp] of before) if (after.get(path) !== stamp) return false;
  return true;
}

/** The failure in the listing of a folder that is being written: missing files may come back. */
const IN_MOTION = 'files in it are being written, so no page is taken for deleted.';

/** The settled part of a folder that is being written: a file that has changed since is not read, and a missing file proves nothing. */
export function restingSite(built: BuiltSite, stamps: FileStamps): BuiltSite {
  const ensureAtRest = (path: string) => {
    if (built.stampOf(path) !== stamps.get(path))
      throw new Error('it is being written, and is left for the next check');
  };
  return {
    ...built,
    list() {
      const { paths, failures } = built.list();
      return { paths, failures: [...failures, { file: built.name, message: IN_MOTION }] };
    },
    read(path) {
      ensureAtRest(path);
      const bytes = built.read(path);
      ensureAtRest(path);
      return bytes;
    },
  };
}
