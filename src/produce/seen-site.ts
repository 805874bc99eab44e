/**
 * seen.json, beside pages.ndjson of a large site: what the last publish that found nothing new saw, and all files that it read.
 *
 *     {"tidings":"seen/1","key":"…","digest":"…","pages":20000,"artifacts":["ai-changes.ndjson"],"files":[["out","ai-changes.ndjson",5120,"…"]]}
 *
 * A publish with the same settings and the same files has nothing to do, and need not make everything again to find out. The file only saves time: if
 * it is lost or does not match, a publish runs completely.
 */
import { hash } from 'node:crypto';
import { isRecord } from '../codecs/primitives/json-record.ts';
import { EXTRACTOR } from '../extract/extractor-version.ts';
import type { Place } from '../model/folder.ts';
import type { ProduceOptions } from './produce-options.ts';
import { isAsSeen, type SeenFile } from './seen-files.ts';

export const SEEN_FILE = 'seen.json';
/** Raise this when a publish makes other files from the same site. */
const FORMAT = 'seen/1';

export interface SeenSite {
  /** Of settings and version: see {@link keyOfPublish}. */
  readonly key: string;
  /** Of the files from which the pages are read. */
  readonly digest: string;
  /** The number of pages. */
  readonly pages: number;
  /** Everything that is published. */
  readonly artifacts: readonly string[];
  readonly suggestions?: readonly string[] | undefined;
  readonly files: readonly SeenFile[];
}

/** Equal for two publishes that make the same output from the same files. */
export function keyOfPublish(
  options: ProduceOptions,
  { version, formats }: { readonly version: string; readonly formats: readonly string[] },
): string {
  const settings = { ...options, signal: undefined, onProgress: undefined, dryRun: undefined, allowDeletes: undefined };
  return hash('sha256', JSON.stringify([FORMAT, version, EXTRACTOR, formats, settings]), 'base64url');
}

export function encodeSeen(seen: SeenSite): Uint8Array {
  return Buffer.from(`${JSON.stringify({ tidings: FORMAT, ...seen })}\n`);
}

/** Undefined if the file does not exist or another version wrote it. */
export function decodeSeen(bytes: Uint8Array | undefined): SeenSite | undefined {
  if (bytes === undefined) return undefined;
  try {
    const seen: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isSeen(seen) ? seen : undefined;
  } catch {
    return undefined;
  }
}

/** Whether all files are as they were seen. */
export async function areAsSeen(files: readonly SeenFile[], places: ReadonlyMap<string, Place>): Promise<boolean> {
  for (const file of files) {
    const place = places.get(file[0]);
    if (place === undefined || !(await isAsSeen(file, place))) return false;
  }
  return true;
}

function isSeen(value: unknown): value is SeenSite {
  if (!isRecord(value) || value.tidings !== FORMAT) return false;
  const { key, digest, pages, artifacts, suggestions = [], files } = value;
  const areTexts = [key, digest].every((text) => typeof text === 'string');
  const areLists = [artifacts, suggestions].every(
    (list) => Array.isArray(list) && list.every((text) => typeof text === 'string'),
  );
  return areTexts && areLists && Number.isSafeInteger(pages) && Array.isArray(files) && files.every(isSeenFile);
}

function isSeenFile(file: unknown): file is SeenFile {
  if (!Array.isArray(file) || file.length < 3 || file.length > 4) return false;
  const [place, path, bytes, sha256 = ''] = file;
  return (
    [place, path, sha256].every((text) => typeof text === 'string') && (bytes === null || Number.isSafeInteger(bytes))
  );
}
