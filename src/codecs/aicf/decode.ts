import { canParseUrl } from '../primitives/can-parse-url.ts';
import { accept, type Issue, type LineIssue, type Result, refuse } from '../primitives/result.ts';
import { shorten } from '../primitives/shorten.ts';
import { sectionName } from './boundary.ts';
import { decodeHints } from './hints.ts';
import { utcTime } from './utc-time.ts';
import type { AicfAction, AicfDiscovery, AicfEvent } from './wire.ts';

/** Longer lines are refused unread: no event needs them, and a hostile line could fill the memory. */
export const MAX_LINE_LENGTH = 1024 * 1024;

/** A lone surrogate is not valid Unicode. In UTF-8 it becomes U+FFFD, so two different ids could become equal. */
const LONE_SURROGATE = /\p{Cs}/u;
const ACTIONS: readonly AicfAction[] = ['create', 'update', 'delete'];

/** The value of an own key, or undefined if the object does not have it. */
type Fields = (key: string) => unknown;

export interface DecodedEvents {
  readonly events: AicfEvent[];
  readonly issues: LineIssue[];
  /** The unterminated last line, if it is not yet an event: prepend it to the text that follows. */
  readonly rest: string;
}

/**
 * Reads a discovery document. Leaves out unknown fields, `archives` and `capabilities` of the wrong shape, and entries of
 * `archives` that are not URLs.
 *
 * @example
 * const discovery = decodeDiscovery('{"aicf_version":"0.1","self":"https://docs.example/ai-changes.ndjson"}');
 * if (discovery.ok) console.log(discovery.value.self);
 */
export function decodeAicfDiscovery(text: string): Result<AicfDiscovery> {
  const fields = parseObject(withoutBom(text));
  if (fields === undefined) return refuse('AICF-D3', 'The discovery document is not one JSON object.');

  const version = fields('aicf_version');
  const self = fields('self');
  const license = fields('license');
  const about = fields('about');
  const ttl = fields('ttl_seconds');
  const issues: Issue[] = [];
  const versionOk = typeof version === 'string';
  if (!versionOk) issues.push(issueOf('AICF-D4', 'aicf_version', version, 'must be a string such as "0.1"'));
  const selfOk = isAbsoluteHttpUrl(self);
  if (!selfOk) issues.push(issueOf('AICF-D5', 'self', self, 'must be the absolute http(s) URL of the feed'));
  const licenseOk = isOptionalString(license);
  if (!licenseOk) issues.push(issueOf('AICF-D6', 'license', license, 'must be a string where it is given'));
  const aboutOk = isOptionalString(about);
  if (!aboutOk) issues.push(issueOf('AICF-D7', 'about', about, 'must be a string where it is given'));
  const ttlOk = ttl === undefined || isSeconds(ttl);
  if (!ttlOk) issues.push(issueOf('AICF-D9', 'ttl_seconds', ttl, 'must be an integer of at least 0'));
  if (!versionOk || !selfOk || !licenseOk || !aboutOk || !ttlOk) return refuseAll(issues);

  const named = fields('archives');
  const archives = Array.isArray(named) ? named.filter(isAbsoluteHttpUrl) : undefined;
  const capabilities = arrayOf(fields('capabilities'), isString);
  return accept({
    aicf_version: version,
    self,
    ...(license !== undefined && { license }),
    ...(about !== undefined && { about }),
    ...(ttl !== undefined && { ttl_seconds: ttl }),
    ...(archives !== undefined && { archives }),
    ...(capabilities !== undefined && { capabilities }),
  });
}

/** True for `0.1` and `0.1.x`: minor versions below 1.0 may break (T-AICF-14). */
export function isCompatibleVersion(version: string): boolean {
  return /^0\.1(?:\.\d+)?$/.test(version);
}

/** Reads one line, without its LF. Converts `time` to UTC and `anchor` to a plain name; an empty `anchor` is left out. */
export function decodeEvent(line: string): Result<AicfEvent> {
  if (line.length > MAX_LINE_LENGTH) {
    return refuse('AICF-F4', `The line has ${line.length} characters; at most ${MAX_LINE_LENGTH} are read.`);
  }
  const fields = parseObject(line);
  if (fields === undefined)
    return refuse('AICF-F4', `${shorten(JSON.stringify(line.slice(0, 81)), 80)} is not one JSON object.`);

  const id = fields('id');
  const action = fields('action');
  const url = fields('url');
  const time = fields('time');
  const utc = typeof time === 'string' ? utcTime(time) : undefined;
  const issues: Issue[] = [];
  const idOk = isId(id);
  if (!idOk) issues.push(issueOf('AICF-E1', 'id', id, 'must be a Unicode string of at least one character'));
  const actionOk = isAction(action);
  if (!actionOk) issues.push(issueOf('AICF-E5', 'action', action, 'must be "create", "update" or "delete"'));
  const urlOk = isAbsoluteHttpUrl(url);
  if (!urlOk) issues.push(issueOf('AICF-E6', 'url', url, 'must be an absolute http(s) URL'));
  if (utc === undefined) issues.push(issueOf('AICF-E8', 'time', time, 'must be an RFC 3339 time in UTC'));
  for (const key of ['anchor', 'checksum', 'note']) {
    const value = fields(key);
    if (!isOptionalString(value)) issues.push(issueOf('AICF-E13', key, value, 'must be a string or be left out'));
  }
  if (!idOk || !actionOk || !urlOk || utc === undefined || issues.length > 0) return refuseAll(issues);

  const anchor = sectionName(optionalString(fields('anchor')));
  const checksum = optionalString(fields('checksum'));
  const note = optionalString(fields('note'));
  const hints = decodeHints(fields);
  const via = fields('via');
  return accept({
    id,
    action,
    url,
    time: utc,
    ...(anchor !== undefined && { anchor }),
    ...(anchor !== undefined && fields('anchorIs') === 'key' && { anchorIs: 'key' as const }),
    ...(checksum !== undefined && { checksum }),
    ...(note !== undefined && { note }),
    ...(hints !== undefined && { hints }),
    // An extension never makes an event invalid (AICF-E14).
    ...(typeof via === 'string' && via !== '' && { via }),
  });
}

/**
 * Reads a feed, or the part of it that has arrived. A bad line is reported and skipped, an id that was
 * already seen is dropped, and an unterminated last line counts only if it is a complete event (T-AICF-9, T-AICF-10).
 *
 * @example
 * const { events, issues, rest } = decodeEvents(await (await fetch('https://docs.example/ai-changes.ndjson')).text());
 * for (const { line, clause, message } of issues) console.error(`line ${line}: ${clause}: ${message}`);
 */
export function decodeEvents(text: string): DecodedEvents {
  const events: AicfEvent[] = [];
  const issues: LineIssue[] = [];
  const seen = new Set<string>();
  const take = (event: AicfEvent) => {
    if (seen.has(event.id)) return;
    seen.add(event.id);
    events.push(event);
  };

  const lines = withoutBom(text).split('\n');
  const unterminated = lines.pop() ?? '';
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const decoded = decodeEvent(line);
    if (decoded.ok) take(decoded.value);
    else issues.push(...decoded.issues.map((issue) => ({ line: index + 1, ...issue })));
  });

  const last = decodeEvent(unterminated);
  if (last.ok) take(last.value);
  return { events, issues, rest: last.ok ? '' : unterminated };
}

export function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

export function isAbsoluteHttpUrl(value: unknown): value is string {
  // `URL` would silently repair blanks, control characters, "https:x" and a missing slash.
  return isString(value) && /^https?:\/\/[^/?#\s][^\s\p{Cc}]*$/iu.test(value) && canParseUrl(value);
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return (key) => (Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined);
  } catch {
    return undefined;
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || isString(value);
}

function optionalString(value: unknown): string | undefined {
  return isString(value) ? value : undefined;
}

export function isId(value: unknown): value is string {
  return isString(value) && value !== '' && !LONE_SURROGATE.test(value);
}

export function isAction(value: unknown): value is AicfAction {
  return ACTIONS.some((action) => action === value);
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function arrayOf<T>(value: unknown, is: (item: unknown) => item is T): T[] | undefined {
  return Array.isArray(value) && value.every(is) ? value : undefined;
}

function issueOf(clause: string, key: string, value: unknown, demand: string): Issue {
  const seen = value === undefined ? 'is missing; it' : `is ${shorten(JSON.stringify(value), 80)}; it`;
  return { clause, message: `\`${key}\` ${seen} ${demand}.` };
}

function refuseAll(issues: readonly Issue[]): Result<never> {
  const [first, ...others] = issues;
  if (first === undefined) throw new Error('A refusal needs an issue.');
  return { ok: false, issues: [first, ...others] };
}
