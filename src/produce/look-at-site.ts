import { hash } from 'node:crypto';
import type { BuiltSite, SiteListing } from '../model/folder.ts';
import type { ReadingTurns } from './site-source.ts';
import { takeTurn } from './take-turn.ts';

/** A file of a built site, by its bytes alone. */
export interface LookedFile {
  /** Their SHA-256, base64url. */
  readonly file: string;
  readonly bytes: number;
}

/** A built site at one moment: the list of its files, and the hashes of those that could be read. */
export interface SiteLook {
  readonly listing: SiteListing;
  readonly files: ReadonlyMap<string, LookedFile>;
}

/** Reads every file of a built site once. */
export async function lookAtSite(built: BuiltSite, turns: ReadingTurns): Promise<SiteLook> {
  const listing = built.list();
  const files = new Map<string, LookedFile>();
  for (const [index, path] of listing.paths.entries()) {
    const turn = takeTurn(index, listing.paths.length, turns);
    if (turn !== undefined) await turn;
    const looked = lookAtFile(built, path);
    if (looked !== undefined) files.set(path, looked);
  }
  return { listing, files };
}

/** One digest of all files: if it is unchanged, no file was added, removed or changed. Undefined if one could not be read. */
export function digestOfLook({ listing, files }: SiteLook): string | undefined {
  if (files.size < listing.paths.length || listing.failures.length > 0) return undefined;
  const lines = Array.from(files, ([path, { file }]) => `${path}\n${file}\n`);
  return hash('sha256', lines.join(''), 'base64url');
}

function lookAtFile(built: BuiltSite, path: string): LookedFile | undefined {
  try {
    const bytes = built.read(path);
    return { file: hash('sha256', bytes, 'base64url'), bytes: bytes.length };
  } catch {
    // A later read of this page reports the failure.
    return undefined;
  }
}
