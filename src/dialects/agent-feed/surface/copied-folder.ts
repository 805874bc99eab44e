import type { Folder } from '../../../model/folder.ts';

/** A copy of a folder in memory. Files are read from the folder on demand; writes stay in memory. */
export function copiedFolder(folder: Folder): Folder {
  const written = new Map<string, Uint8Array | undefined>();
  return {
    name: `a copy of ${folder.name}`,
    read: async (path) => (written.has(path) ? written.get(path) : await folder.read(path)),
    sizeOf: (path) => (written.has(path) ? written.get(path)?.length : folder.sizeOf(path)),
    async replace(path, bytes) {
      written.set(path, Uint8Array.from(bytes));
    },
    async remove(path) {
      written.set(path, undefined);
    },
  };
}
