import { basename, dirname } from 'node:path';
import { type CheckWish, checkFile, checkPlace } from '../check/check.ts';
import type { CheckReport } from '../check/check-report.ts';
import { createFolderSource } from '../check/folder-source.ts';
import { createHttpSource } from '../check/http-source.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import type { Finding } from '../codecs/primitives/finding.ts';
import type { CheckParts } from '../dialects/checker.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { FolderError } from '../errors/folder-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { readJsonFiles } from '../io/files/json-files.ts';
import { wait } from '../io/node/timer-wait.ts';
import { isPublicAddress } from '../io/undici/public-address.ts';
import { inflate } from '../io/zlib/deflate.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import { type HttpOptions, openHttp } from './open-http.ts';

export type { CheckReport };

export interface CheckOptions extends HttpOptions {
  /** Which specification: `aicf`, `diffdelta`, `resourcesync`, `agent-feed` or `aiwebindex`. Default: every feed that is found. */
  readonly spec?: string;
  /** The key for a DiffDelta service. It is sent to the named origin only. */
  readonly apiKey?: string;
  /** Whether reports say what to write for each broken clause. */
  readonly fixHints?: boolean;
  /** Ends the check. The report then says what was not read. */
  readonly signal?: AbortSignal;
  /** Called with a line about what the check is waiting for, and with an empty line when the wait is over. */
  readonly onStatus?: (line: string) => void;
}

/**
 * Lists what is wrong with the feeds of a live site or of a folder with a published site: all feeds found, or the one that `spec` names. Also checks a single
 * ResourceSync file, and the AIDocuments of a file, a folder or a URL (`aiwebindex`). An empty list means that nothing is wrong.
 *
 * Throws an {@link UnreadableTargetError} if there is nothing to check (no answer, or a folder without a feed or a document), and if a part could not be read.
 * In that case {@link checkReport} returns the rest.
 *
 * @example
 * for (const { clause, where, seen, remedy } of await check('./site')) {
 *   console.log(`${clause} ${where}: ${seen} ${remedy}`);
 * }
 */
export async function check(target: string, options: CheckOptions = {}): Promise<Finding[]> {
  const report = await checkReport(target, options);
  const [unread] = report.unread ?? [];
  if (unread !== undefined)
    throw new UnreadableTargetError(target, `not all of it could be read: ${unread}`, 'retry-later');
  return [report, ...(report.others ?? [])].flatMap(({ findings }) => findings);
}

/**
 * Like {@link check}, but with every clause of the specification: passed, failed, or not checkable and why. `others` has the reports of further dialects found.
 * If a site stops answering on the way, `unread` says what is missing.
 *
 * @example
 * const { clauses } = await checkReport('https://docs.example/');
 * console.log(clauses.filter(({ status }) => status === 'fail').map(({ id }) => id));
 */
export async function checkReport(target: string, options: CheckOptions = {}): Promise<CheckReport> {
  const { spec } = options;
  if (spec !== undefined && !CHECKED_SPECS.includes(spec)) {
    const known = CHECKED_SPECS.map((name) => `"${name}"`).join(', ');
    throw new UnreadableTargetError(target, `there is no check for "${spec}" (but for ${known})`, 'fix-config');
  }
  const wish = { dialects: DIALECTS, spec, parts: checkParts(options), hints: options.fixHints };
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(target)) return await checkLocal(target, wish);

  const url = canParseUrl(target) ? new URL(target) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UnreadableTargetError(target, 'it is no http or https URL', 'fix-input');
  }
  await using http = await openHttp(options);
  return await checkPlace(createHttpSource(http, url, options.signal), wish);
}

/** The dialects that can be checked, by name. */
export const CHECKED_SPECS: readonly string[] = DIALECTS.filter(({ checker }) => checker !== undefined).map(
  ({ name }) => name,
);

const NEVER = new AbortController().signal;

/** What checks need from outside: clock, timer, network. */
export function checkParts({
  apiKey,
  signal = NEVER,
  onStatus = () => {},
}: Pick<CheckOptions, 'apiKey' | 'signal' | 'onStatus'>): CheckParts {
  return {
    now: Date.now,
    wait: (ms) => wait(ms, signal),
    onStatus,
    ...(apiKey !== undefined && { apiKey }),
    isPublicAddress,
    gunzip,
    inflate,
  };
}

/** A folder with a published site, or one file. */
async function checkLocal(target: string, wish: CheckWish): Promise<CheckReport> {
  try {
    const folder = createFileFolder(dirname(target));
    const isFile = folder.sizeOf(basename(target)) !== undefined;
    const bytes = isFile ? await folder.read(basename(target)) : undefined;
    if (bytes !== undefined) return await checkFile({ name: target, bytes }, wish);
    const listPages = () => createFileBuiltSite(target).list().paths;
    const parts = { ...wish.parts, listPages, jsonFiles: () => readJsonFiles(target) };
    return await checkPlace(await createFolderSource(createFileFolder(target)), { ...wish, parts });
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new UnreadableTargetError(target, error.message, error.recovery, error);
  }
}
