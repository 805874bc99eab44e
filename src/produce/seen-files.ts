import { hash } from 'node:crypto';
import type { Folder, NearPlace, Place } from '../model/folder.ts';

/** A file as it was seen: its size, and its digest if it was read. `null` if it does not exist. */
export type SeenFile = readonly [place: string, path: string, bytes: number | null, sha256?: string];

interface Look {
  readonly place: string;
  readonly path: string;
  readonly size: number | null;
  /** Present if it was read, not only measured. */
  readonly bytes?: Uint8Array | undefined;
  readonly isRead: boolean;
}

/**
 * Everything that a publish reads in its folders, and what it writes there.
 *
 * If all of it is the same, a publish has nothing else to do than the previous one, so this class need not know the purpose of any file. It keeps
 * bytes until their digests are requested or it is told to forget.
 */
export class SeenFiles {
  #looks: Map<string, Look> | undefined = new Map();

  watchPlace(name: string, place: Place): Place {
    return { name: place.name, read: (path) => this.#read(name, place, path) };
  }

  watchFolder(name: string, folder: Folder): Folder {
    return {
      name: folder.name,
      read: (path) => this.#read(name, folder, path),
      sizeOf: (path) => this.#sizeOf(name, folder, path),
      replace: async (path, bytes) => {
        await folder.replace(path, bytes);
        this.#note({ place: name, path, size: bytes.length, bytes, isRead: true });
      },
      remove: async (path) => {
        await folder.remove(path);
        this.#note({ place: name, path, size: null, isRead: true });
      },
    };
  }

  /** Stops recording and drops everything. */
  forget(): void {
    this.#looks = undefined;
  }

  /** Undefined if nothing was recorded, or if a file changed between two reads. */
  files(): readonly SeenFile[] | undefined {
    return this.#looks && Array.from(this.#looks.values(), seenFile);
  }

  async #read(name: string, place: Place, path: string): Promise<Uint8Array | undefined> {
    const bytes = await place.read(path);
    this.#see({ place: name, path, size: bytes?.length ?? null, bytes, isRead: true });
    return bytes;
  }

  #sizeOf(name: string, place: NearPlace, path: string): number | undefined {
    const size = place.sizeOf(path);
    this.#see({ place: name, path, size: size ?? null, isRead: false });
    return size;
  }

  #see(look: Look): void {
    const before = this.#looks?.get(keyOf(look));
    if (before !== undefined && !isSame(before, look)) this.forget();
    else if (before === undefined || !before.isRead) this.#note(look);
  }

  #note(look: Look): void {
    this.#looks?.set(keyOf(look), look);
  }
}

/** Whether a file is as it was seen. */
export async function isAsSeen(
  [, path, bytes, sha256]: SeenFile,
  place: Place & Partial<Pick<NearPlace, 'sizeOf'>>,
): Promise<boolean> {
  if (place.sizeOf !== undefined && (place.sizeOf(path) ?? null) !== bytes) return false;
  if (sha256 === undefined) return place.sizeOf !== undefined;
  const present = await place.read(path);
  return digestOf(present) === sha256;
}

function seenFile({ place, path, size, bytes, isRead }: Look): SeenFile {
  return isRead ? [place, path, size, digestOf(bytes)] : [place, path, size];
}

function keyOf({ place, path }: Look): string {
  return `${place}\n${path}`;
}

function isSame(one: Look, other: Look): boolean {
  if (one.size !== other.size) return false;
  if (one.bytes === undefined || other.bytes === undefined) return true;
  return Buffer.compare(one.bytes, other.bytes) === 0;
}

/** Empty if there is no file. */
function digestOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : hash('sha256', bytes, 'base64url');
}
