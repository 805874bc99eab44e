import { type LogPart, logPartPath } from '../log/log-parts.ts';
import type { PagesFile } from '../log/pages-file.ts';
import { layOutPages, pagesPartPath } from '../log/pages-parts.ts';
import type { Folder } from '../model/folder.ts';
import { PAGES_FILE, type PublishedState } from './load-state.ts';
import { isAsWritten } from './write-site.ts';

export interface WrittenPages {
  /** pages.ndjson. */
  readonly head: Uint8Array;
  /** Every file of the state, in the state folder. */
  readonly paths: readonly string[];
  /** The pages are in separate files. */
  readonly isParted: boolean;
}

/** Writes a copy of another place's log, from the last file to the first: the old log is valid until the first is written. */
export async function writeLog(parts: readonly LogPart[], folder: Folder): Promise<void> {
  for (const { path, text } of parts.toReversed()) {
    const bytes = Buffer.from(text);
    if (!isAsWritten(await folder.read(path), bytes)) await folder.replace(path, bytes);
  }
}

/** Writes the pages: parts first, then the file that names them. Parts that are no longer named are removed last. */
export async function writePages(
  file: PagesFile,
  known: Pick<PublishedState, 'ownPages' | 'ownParts' | 'parts' | 'logParts'>,
  { folder, stateBytes }: { readonly folder: Folder; readonly stateBytes: number },
): Promise<WrittenPages> {
  const { head, parts } = layOutPages(file, known.parts, { wholeBytes: stateBytes / 4, partBytes: stateBytes * 4 });
  for (const { name, bytes } of parts) {
    const path = pagesPartPath(name);
    if (folder.sizeOf(path) !== bytes.length) await folder.replace(path, bytes);
  }
  if (!isAsWritten(known.ownPages, head)) await folder.replace(PAGES_FILE, head);
  const named = new Set(parts.map(({ name }) => name));
  for (const name of known.ownParts) if (!named.has(name)) await folder.remove(pagesPartPath(name));
  const paths = [...logPaths(folder), PAGES_FILE, ...parts.map(({ name }) => pagesPartPath(name))];
  return { head, paths, isParted: parts.length > 0 };
}

/** The current files of the log. */
function logPaths(folder: Folder): readonly string[] {
  const paths = [logPartPath(1)];
  for (let number = 2; folder.sizeOf(logPartPath(number)) !== undefined; number += 1) paths.push(logPartPath(number));
  return paths;
}
