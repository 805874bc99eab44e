/**
 * The log of a published site in files of bounded size: `log.ndjson`, then `log-2.ndjson`, `log-3.ndjson` … Each later file names the change that
 * precedes it:
 *
 *     {"tidings":"log/1","site":"https://docs.example/","after":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}
 *
 * A file that names another change is not part of the log: an interrupted run left it. Changes that fill several files are therefore written from the
 * last file to the first, and become visible all at once with the first file.
 */
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import type { Change } from '../model/change.ts';
import type { Place } from '../model/folder.ts';
import { decodeLogFile, encodeLogHeader, encodeLogLines, LOG_REMEDY, type LogFile } from './log-file.ts';
import { readIfThere } from './read-if-there.ts';

/** A file of the log. */
export interface LogPart {
  readonly path: string;
  /** Header included. */
  readonly text: string;
}

export const LOG_FILE = 'log.ndjson';

/** The maximum size of a file of the log, unless a single change is longer. */
export const LOG_BYTES = 1024 * 1024;

export function logPartPath(number: number): string {
  return number === 1 ? LOG_FILE : LOG_FILE.replace('.', `-${number}.`);
}

/** The files of the log at a place, in order; empty if there is no log. */
export async function readLogParts(place: Place): Promise<readonly LogPart[]> {
  const first = await place.read(LOG_FILE);
  if (first === undefined) return [];
  const parts: LogPart[] = [{ path: LOG_FILE, text: textOf(first, `${place.name}/${LOG_FILE}`) }];
  for (;;) {
    const last = lastIdOf(parts.at(-1)?.text ?? '');
    const path = logPartPath(parts.length + 1);
    const bytes = last === undefined ? undefined : await readIfThere(place, path);
    if (bytes === undefined) return parts;
    const text = textOf(bytes, `${place.name}/${path}`);
    if (!text.slice(0, text.indexOf('\n')).endsWith(`,"after":"${last}"}`)) return parts;
    parts.push({ path, text });
  }
}

/** The whole log as one text, no matter how many files it is in. */
export function logTextOf(parts: readonly LogPart[]): string {
  return parts.map(({ text }, at) => (at === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('');
}

/** Throws {@link StateCorruptError} as `decodeLogFile` does. `name` is the name of the place. */
export function decodeLogParts(parts: readonly LogPart[], name: string): LogFile {
  const changes: Change[] = [];
  let site: string | undefined;
  for (const { path, text } of parts) {
    const part = decodeLogFile(text, `${name}/${path}`, changes.at(-1));
    site ??= part.site;
    for (const change of part.changes) changes.push(change);
  }
  return { site: site ?? '', changes };
}

/** What an append adds to the files of a log. */
export interface LogGrowth {
  /** Counts from 1. */
  readonly number: number;
  /** Lines to append to the file, or the whole content of a new file. */
  readonly text: string;
  readonly isNew: boolean;
}

/**
 * How to add changes after `last`, in write order: those of the first file last. `number` and `bytes` describe the last file of the log; it has no
 * change yet if `last` is undefined.
 */
export function growLogParts(
  changes: readonly Change[],
  log: { readonly site: string; readonly last: Change | undefined; readonly number: number; readonly bytes: number },
  maxBytes: number,
): readonly LogGrowth[] {
  let number = log.number;
  let used = log.bytes;
  let isEmpty = log.last === undefined;
  let after = log.last?.id;
  const growths = new Map<number, { readonly head: string; lines: string }>();
  for (const change of changes) {
    const line = encodeLogLines([change]);
    const bytes = Buffer.byteLength(line);
    if (used + bytes > maxBytes && !isEmpty) {
      number += 1;
      growths.set(number, { head: encodeLogHeader(log.site, after), lines: '' });
      used = 0;
    }
    const growth = growths.get(number) ?? { head: '', lines: '' };
    growths.set(number, growth);
    growth.lines += line;
    used += bytes;
    isEmpty = false;
    after = change.id;
  }
  return Array.from(growths, ([at, { head, lines }]) => ({
    number: at,
    text: head + lines,
    isNew: head !== '',
  })).reverse();
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new StateCorruptError(name, 'it is not UTF-8 text.', LOG_REMEDY);
  }
}

/** The id of the last change in a file. Undefined if there is no readable change: then no other file can follow it. */
function lastIdOf(text: string): string | undefined {
  const start = text.lastIndexOf('\n', text.length - 2);
  if (start === -1) return undefined;
  const [, id] = /^\{"seq":\d+,"id":"(\w+)"/.exec(text.slice(start + 1, start + 80)) ?? [];
  return id;
}
