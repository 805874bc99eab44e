/**
 * log.ndjson: the log of a published site, published along with the site.
 *
 *     {"tidings":"log/1","site":"https://docs.example/"}
 *     {"seq":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","source":"docs","kind":"page","action":"create","url":"https://docs.example/",…}
 *
 * One change per line in order of `seq`, every line ended by a line feed. Lines are added, never altered.
 */

import { parseTime } from '../codecs/primitives/time.ts';
import { isUlid } from '../codecs/primitives/ulid.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import type { Change } from '../model/change.ts';

export interface LogFile {
  readonly site: string;
  readonly changes: Change[];
}

const FORMAT = 'log/1';
export const LOG_REMEDY = 'Restore it from the last deployment or a backup, then run again.';
const UPGRADE = 'Upgrade Tidings, then run again.';

/** The first line, with its line end. A file that continues another one names the last change of that file. */
export function encodeLogHeader(site: string, after?: string): string {
  return `${JSON.stringify({ tidings: FORMAT, site, after })}\n`;
}

/** The lines that an append adds. */
export function encodeLogLines(changes: readonly Change[]): string {
  return changes.map((change) => `${JSON.stringify(change)}\n`).join('');
}

/**
 * Throws {@link StateCorruptError} at the first thing that Tidings would not have written. `name` is the name of the file in errors, `before` the
 * change that precedes the first one in the file.
 */
export function decodeLogFile(text: string, name: string, before?: Change): LogFile {
  const lines = text.split('\n');
  const site = decodeHeader(lines[0] ?? '', name);
  if (lines.pop() !== '') {
    throw new StateCorruptError(name, 'the last line is cut short.', LOG_REMEDY, { line: lines.length + 1 });
  }
  const changes: Change[] = [];
  let last = before;
  for (let line = 1; line < lines.length; line += 1) {
    last = decodeLine(lines[line] ?? '', last, { name, line: line + 1 });
    changes.push(last);
  }
  return { site, changes };
}

/** Why a stored value cannot be the change after `last`; undefined if it can. */
function problemWithChange(value: unknown, last: Change | undefined): string | undefined {
  if (typeof value !== 'object' || value === null) return 'this is not a change.';
  const { seq, id, source, kind, action, url, time, provenance } = value as Partial<Record<keyof Change, unknown>>;
  if (seq !== (last?.seq ?? 0) + 1) return `seq is ${seq}, where ${(last?.seq ?? 0) + 1} follows.`;
  if (typeof id !== 'string' || !isUlid(id)) return 'id is not a ULID.';
  if (last !== undefined && id <= last.id) return `id ${id} does not come after ${last.id}.`;
  if (typeof source !== 'string' || typeof url !== 'string') return 'source or url is missing.';
  if (kind !== 'page' && kind !== 'endpoint') return 'kind is not page or endpoint.';
  if (action !== 'create' && action !== 'update' && action !== 'delete')
    return 'action is not create, update or delete.';
  if (typeof provenance !== 'object' || provenance === null) return 'provenance is missing.';
  return problemWithTime(time, last);
}

/** Most changes of one batch share their time, so equal texts need no parsing. */
function problemWithTime(time: unknown, last: Change | undefined): string | undefined {
  if (time === last?.time && time !== undefined) return undefined;
  const timeMs = typeof time === 'string' ? parseTime(time) : undefined;
  if (timeMs === undefined) return 'time is not an RFC 3339 date-time.';
  if (last !== undefined && timeMs < (parseTime(last.time) ?? 0)) return `time ${time} goes back behind ${last.time}.`;
  return undefined;
}

function decodeLine(text: string, last: Change | undefined, at: { name: string; line: number }): Change {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StateCorruptError(at.name, 'this is not JSON.', LOG_REMEDY, { line: at.line, cause: error });
  }
  const problem = problemWithChange(value, last);
  if (problem !== undefined) throw new StateCorruptError(at.name, problem, LOG_REMEDY, { line: at.line });
  return value as Change;
}

function decodeHeader(text: string, name: string): string {
  let header: { readonly tidings?: unknown; readonly site?: unknown } | null;
  try {
    header = JSON.parse(text) as typeof header;
  } catch (error) {
    throw new StateCorruptError(name, 'the first line is not JSON.', LOG_REMEDY, { line: 1, cause: error });
  }
  const format = header?.tidings;
  if (typeof format === 'string' && /^log\/\d+$/.test(format) && format !== FORMAT) {
    throw new StateCorruptError(name, `it is in format "${format}", this Tidings knows "${FORMAT}".`, UPGRADE, {
      line: 1,
    });
  }
  if (format !== FORMAT || typeof header?.site !== 'string') {
    throw new StateCorruptError(name, 'the first line does not say that this is the log of a site.', LOG_REMEDY, {
      line: 1,
    });
  }
  return header.site;
}
