import { basename, dirname } from 'node:path';
import {
  type CheckedSpec,
  type CheckReport,
  checkAIDocuments,
  checkFeeds,
  checkListFile,
  checkListsOf,
  checkSurfaceOf,
  checkTarget,
} from '../check/check.ts';
import {
  createFolderSource,
  holdsAgentFeed,
  holdsAicf,
  holdsDiffDelta,
  holdsResourceSync,
} from '../check/folder-source.ts';
import { fetchDocument, readDocuments } from '../check/gather-documents.ts';
import { createHttpSource } from '../check/http-source.ts';
import { KEY_HEADER } from '../codecs/diffdelta/wire.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import type { Finding } from '../codecs/primitives/finding.ts';
import type { SurfaceCheckParts } from '../dialects/agent-feed/check/seen-surface.ts';
import { isPrivateHost } from '../dialects/agent-feed/surface/private-host.ts';
import type { Patience } from '../dialects/diffdelta/check/diffdelta-reader.ts';
import type { PackageReading, ResourceSyncCheckParts } from '../dialects/resourcesync/check/bench.ts';
import { readDumpFrom } from '../dialects/resourcesync/dumps/read-dump.ts';
import { DumpRefusedError } from '../errors/dump-error.ts';
import { FolderError } from '../errors/folder-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { isOnSite } from '../fetch/same-site.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { memorySource } from '../io/files/byte-source.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { openJsonFiles } from '../io/files/json-files.ts';
import { wait } from '../io/node/timer-wait.ts';
import { isPublicAddress } from '../io/undici/public-address.ts';
import { inflate } from '../io/zlib/deflate.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import { type HttpOptions, openHttp } from './open-http.ts';

export type { CheckReport };

export interface CheckOptions extends HttpOptions {
  /** Which specification. Without it `aicf`, and of a folder each of `aicf`, `diffdelta`, `agent-feed` and `resourcesync` that it holds. */
  readonly spec?: CheckedSpec;
  /** Sent to a DiffDelta service, at the origin that is named and nowhere else. */
  readonly apiKey?: string;
  /** Ends the check; the report then says what was not read. */
  readonly signal?: AbortSignal;
  /** Called with a line about what is waited for, and with an empty one when that is over. */
  readonly onStatus?: (line: string) => void;
}

/**
 * What is wrong with the feed of a live site or of a folder with a published one (`aicf`, `diffdelta`,
 * `agent-feed`, `resourcesync`), with one file of ResourceSync by itself, or with the AIDocuments of a file, a folder or a URL
 * (`aiwebindex`). Nothing, when the list is empty.
 *
 * Throws an {@link UnreadableTargetError} when there is nothing to check: no answer, or a folder without a feed or a
 * document; and when a part could not be read, of which {@link checkReport} has the rest.
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
 * The same with every clause of the specification: passed, failed, or not checkable and why. Of a DiffDelta service that
 * stops answering on the way, `unread` says what is missing.
 *
 * @example
 * const { clauses } = await checkReport('https://docs.example/');
 * console.log(clauses.filter(({ status }) => status === 'fail').map(({ id }) => id));
 */
export async function checkReport(target: string, options: CheckOptions = {}): Promise<CheckReport> {
  const { spec } = options;
  if (spec !== undefined && !SPECS.includes(spec)) {
    const known = SPECS.map((name) => `"${name}"`).join(', ');
    throw new UnreadableTargetError(target, `there is no check for "${spec}" (but for ${known})`, 'fix-config');
  }
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(target)) {
    return spec === 'aiwebindex' ? await checkFiles(target) : await checkFolder(target, options);
  }

  const url = canParseUrl(target) ? new URL(target) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UnreadableTargetError(target, 'it is no http or https URL', 'fix-input');
  }
  await using http = await openHttp(options);
  if (spec === 'aiwebindex') return checkAIDocuments(url.href, await fetchDocument(http, url));
  const { apiKey, signal } = options;
  if (spec === 'agent-feed') return await checkSurfaceOf(createHttpSource(http, url, { signal }), surfaceParts(), url);
  if (spec === 'resourcesync') return await checkListsOf(createHttpSource(http, url, { signal }), listParts(), url);
  if (spec !== 'diffdelta') return await checkTarget(createHttpSource(http, url, { signal }));
  const keyHeader = apiKey === undefined ? undefined : { [KEY_HEADER]: apiKey };
  return await checkFeeds(createHttpSource(http, url, { keyHeader, signal }), patienceOf(options), url);
}

const SPECS: readonly CheckedSpec[] = ['aicf', 'diffdelta', 'agent-feed', 'resourcesync', 'aiwebindex'];

const NEVER = new AbortController().signal;

function patienceOf({ signal = NEVER, onStatus = () => {} }: CheckOptions): Patience {
  return { now: Date.now, wait: (ms) => wait(ms, signal), onStatus };
}

async function checkFolder(target: string, options: CheckOptions): Promise<CheckReport> {
  const { spec } = options;
  const file = await readIfFile(target);
  if (file !== undefined && spec !== undefined && spec !== 'resourcesync') {
    const reason = `it is a file, and ${spec} is checked by the folder or the address of the site`;
    throw new UnreadableTargetError(target, reason, 'fix-input');
  }
  if (file !== undefined) return await checkListFile({ name: target, bytes: file }, listParts());
  const folder = createFileFolder(target);
  const source = await createFolderSource(folder);
  if (spec === 'aicf') return await checkTarget(source);
  if (spec === 'diffdelta') return await checkFeeds(source, patienceOf(options));

  if (spec === 'agent-feed') return await checkSurfaceOf(source, surfaceParts());
  if (spec === 'resourcesync') return await checkListsOf(source, folderParts(target));

  const held: CheckReport[] = [];
  if (await holdsAicf(folder)) held.push(await checkTarget(source));
  if (await holdsDiffDelta(folder)) held.push(await checkFeeds(source, patienceOf(options)));
  if (await holdsAgentFeed(folder)) held.push(await checkSurfaceOf(source, surfaceParts()));
  if (await holdsResourceSync(folder)) held.push(await checkListsOf(source, folderParts(target)));
  const [first, ...others] = held;
  if (first === undefined) return await checkTarget(source);
  return others.length === 0 ? first : { ...first, others };
}

async function readIfFile(target: string): Promise<Uint8Array | undefined> {
  const folder = createFileFolder(dirname(target));
  try {
    return folder.sizeOf(basename(target)) === undefined ? undefined : await folder.read(basename(target));
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new UnreadableTargetError(target, error.message, error.recovery, error);
  }
}

function surfaceParts(): SurfaceCheckParts {
  return { nowMs: Date.now(), isPrivateHost: (url) => isPrivateHost(url, isPublicAddress) };
}

function listParts(): ResourceSyncCheckParts {
  return { nowMs: Date.now(), isOnSite, gunzip, readPackage };
}

function folderParts(target: string): ResourceSyncCheckParts {
  return { ...listParts(), listPages: () => createFileBuiltSite(target).list().paths };
}

async function readPackage(bytes: Uint8Array): Promise<PackageReading> {
  try {
    const world = { name: 'The package', source: memorySource(bytes), inflate };
    const { capability, problems } = await readDumpFrom(world);
    return { capability, problems: problems.map(({ message }) => message) };
  } catch (error) {
    if (!(error instanceof DumpRefusedError)) throw error;
    return { problems: [error.message] };
  }
}

async function checkFiles(target: string): Promise<CheckReport> {
  try {
    return checkAIDocuments(target, await readDocuments(target, await openJsonFiles(target)));
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new UnreadableTargetError(target, error.message, error.recovery, error);
  }
}
