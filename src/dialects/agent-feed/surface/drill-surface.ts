import { hash } from 'node:crypto';
import { CARD_PATH, DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { KeyFileError } from '../../../errors/surface-error.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';
import type { Folder } from '../../../model/folder.ts';
import { createReader } from '../read/create-reader.ts';
import { MemoryReaderState } from '../read/memory-reader-state.ts';
import type { IngestReport } from '../read/reader.ts';
import type { SurfaceParts } from './change-surface.ts';
import { copiedFolder } from './copied-folder.ts';
import { endSurface } from './end-surface.ts';
import { folderWeb } from './folder-web.ts';
import { RECORD_PATH } from './surface-record.ts';

/** The report of a rehearsal of the kill switch, step by step. */
export interface DrillReport {
  readonly site: string;
  readonly at: string;
  readonly steps: readonly DrillStep[];
  /** Whether a reader that trusted the feed and a reader that never saw it both end up untrusted. */
  readonly untrusted: boolean;
  /** Whether the files of the feed are still the same bytes. */
  readonly unchanged: boolean;
}

export interface DrillStep {
  /** What was done. */
  readonly step: string;
  /** What the result was. */
  readonly seen: string;
  readonly ok: boolean;
}

const HOUR_MS = 3600_000;
const SERVED = [FEED_PATH, DID_PATH, CARD_PATH].map((path) => path.slice(1));

/** Ends a copy of the feed and checks that readers obey. Nothing is written to the folder, and no key is needed. */
export async function drillSurface(parts: Omit<SurfaceParts, 'keys'>): Promise<DrillReport> {
  const { folder, site } = parts;
  const before = await fingerprint(folder);
  const copy = copiedFolder(folder);
  const readers = openReaders(folderWeb(site.origin, copy), parts);
  await using known = readers();
  const first = await known.ingest();
  const trusts = first.trust && first.feedStatus === 'active' && first.suspended === undefined;
  const { feedStatus } = await endSurface({ ...parts, folder: copy, keys: noKeys });
  const again = await known.ingest();
  await using fresh = readers();
  const stranger = await fresh.ingest();
  const answers: string[] = [];
  for (const { endpointId } of first.endpoints) answers.push(...((await known.resolve(endpointId)) ?? []));
  const unchanged = before === (await fingerprint(folder));
  const steps: DrillStep[] = [
    { step: 'A reader reads the feed as it is.', seen: standing(first), ok: trusts },
    { step: 'The copy of the feed is terminated.', seen: `it says ${feedStatus}`, ok: feedStatus === 'terminated' },
    { step: 'The same reader reads the copy.', seen: standing(again), ok: isUntrusted(again) },
    {
      step: 'It is asked where the endpoints are.',
      seen: `${answers.length} of ${first.endpoints.length} are named`,
      ok: answers.length === 0,
    },
    { step: 'A reader that never saw the feed reads the copy.', seen: standing(stranger), ok: isUntrusted(stranger) },
    { step: 'The feed itself is looked at.', seen: unchanged ? 'it is as it was' : 'it changed', ok: unchanged },
  ];
  const untrusted = trusts && isUntrusted(again) && isUntrusted(stranger) && answers.length === 0;
  return { site: site.origin.href, at: formatTime(parts.now()), steps, untrusted, unchanged };
}

/** Each reader starts empty. Every ingest is an hour later than the one before, so no poll is too early. */
function openReaders(http: HttpClient, { site, now }: Pick<SurfaceParts, 'site' | 'now'>) {
  let hours = 0;
  const policy = site.origin.protocol === 'http:' ? { insecureLoopback: true } : {};
  return () => {
    const reader = createReader({
      http,
      state: new MemoryReaderState(),
      now: () => now() + hours * HOUR_MS,
      cores: 1,
      policy,
    });
    return {
      ingest(): Promise<IngestReport> {
        hours += 1;
        return reader.ingest(site.origin, { refresh: true });
      },
      async resolve(endpointId: string): Promise<readonly string[] | undefined> {
        const url = await reader.resolveUrl(site.origin, endpointId);
        return url === undefined ? undefined : [url];
      },
      [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
    };
  };
}

function isUntrusted({ trust, endpoints }: IngestReport): boolean {
  return !trust && endpoints.length === 0;
}

function standing({ trust, feedStatus = 'unread', endpoints, problem, suspended }: IngestReport): string {
  const why = problem ?? suspended;
  const word = trust ? 'trusted' : 'untrusted';
  return `${word}, the feed is ${feedStatus}, ${endpoints.length} endpoints${why === undefined ? '' : `; ${why}`}`;
}

async function fingerprint(folder: Folder): Promise<string> {
  const prints: string[] = [];
  for (const path of [...SERVED, RECORD_PATH]) {
    const bytes = await folder.read(path);
    prints.push(bytes === undefined ? '' : hash('sha256', bytes, 'hex'));
  }
  return prints.join(' ');
}

async function noKeys(): Promise<never> {
  throw new KeyFileError('key', 'A drill asks for no key.');
}
