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
  /** The pages are in files of their own. */
  readonly isParted: boolean;
}

/** A copy of a log that another place has. From the last file to the first: until that is written, the log is as it was. */
export async function writeLog(parts: readonly LogPart[], folder: Folder): Promise<void> {
  for (const { path, text } of parts.toReversed()) {
    const bytes = Buffer.from(text);
    if (!isAsWritten(await folder.read(path), bytes)) await folder.replace(path, bytes);
  }
}

/** The pages: parts first, then what names them. Parts that nothing names any more go last. */
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

/** The files of the log as they are by now. */
function logPaths(folder: Folder): readonly string[] {
  const paths = [logPartPath(1)];
  for (let number = 2; folder.sizeOf(logPartPath(number)) !== undefined; number += 1) paths.push(logPartPath(number));
  return paths;
}
