import { hash } from 'node:crypto';
import type { BuiltSite, SiteListing } from '../model/folder.ts';
import type { ReadingTurns } from './site-source.ts';
import { takeTurn } from './take-turn.ts';

/** A file of a built site by its bytes alone. */
export interface LookedFile {
  /** Their SHA-256, base64url. */
  readonly file: string;
  readonly bytes: number;
}

/** A built site at one moment: which files there are, and what those are that could be read. */
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

/** One text for all files: two that are the same show that no file came, went or changed. Undefined where one could not be read. */
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
    // Whoever wants its page reads it again, and says why that cannot be done.
    return undefined;
  }
}
