import { CARD_PATH, DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { type AnsweredDocument, isFound, type SeenDocument } from '../../../codecs/primitives/seen-document.ts';
import { TlsError } from '../../../errors/fetch-error.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { retryAfterMs } from '../../../fetch/response-headers.ts';
import type { Checked } from '../../checker.ts';
import { type DocumentSource, type FailedRead, isInItsPlace } from '../../document-source.ts';
import { checkSurface, type SurfaceCheckParts } from './check-surface.ts';
import type { SeenSurface } from './seen-surface.ts';

type SurfaceSource = Pick<DocumentSource, 'name' | 'live' | 'url' | 'read'>;

const MEBIBYTE = 1024 * 1024;
const ARTIFACTS = [
  { name: 'did', path: DID_PATH, maxBodyBytes: 4 * MEBIBYTE },
  { name: 'feed', path: FEED_PATH, maxBodyBytes: 64 * MEBIBYTE },
  { name: 'card', path: CARD_PATH, maxBodyBytes: 16 * MEBIBYTE },
] as const;

/**
 * Requests the three documents of an origin, each once, and checks them against the clauses.
 *
 * Throws if no document can be requested now, or if a folder holds none of the three.
 */
export async function checkAgentFeed(source: SurfaceSource, parts: SurfaceCheckParts): Promise<Checked> {
  const { unread, refusal, ...seen } = await readSurface(source, parts.now());
  const documents = [seen.did, seen.feed, seen.card];
  if (refusal !== undefined && documents.every((document) => document === undefined)) throw refusal;
  if (!source.live && !documents.some(isFound)) {
    const what = ARTIFACTS.map(({ path }) => path.slice(1)).join(', ');
    throw new UnreadableTargetError(source.name, `it holds no agent-feed: none of ${what}`, 'fix-input');
  }
  const outcome = checkSurface(seen, parts);
  return { ...outcome, notes: [...outcome.notes, ...elsewhere(source.url)], unread };
}

/** A note if the user named a document at another path: readers look only at the well-known path. */
function elsewhere(url: URL | undefined): string[] {
  const named = ARTIFACTS.find(({ path }) => url?.pathname.endsWith(path.replace('/.well-known', '')));
  if (url === undefined || named === undefined || url.pathname === named.path) return [];
  return [`${url.pathname} was not looked at: readers ask for ${named.path} and for nothing else.`];
}

interface ReadSurface extends SeenSurface {
  readonly unread: readonly string[];
  /** Why the first unreadable document could not be read. */
  readonly refusal: UnreadableTargetError | undefined;
}

/** Stops after a server asks for a pause or does not answer at all. */
async function readSurface(source: SurfaceSource, nowMs: number): Promise<ReadSurface> {
  const { url } = source;
  const asked = url === undefined ? undefined : new URL(url.origin);
  const documents: { did?: SeenDocument; feed?: SeenDocument; card?: SeenDocument } = {};
  const unread: string[] = [];
  let refusal: UnreadableTargetError | undefined;
  for (const [at, { name, path, maxBodyBytes }] of ARTIFACTS.entries()) {
    const document = await source.read(asked === undefined ? path : new URL(path, asked).href, { maxBodyBytes });
    if (document.kind === 'unread' && document.cause instanceof TlsError) {
      return { asked, untrusted: document.failure, unread, refusal };
    }
    const problem = problemOf(document, nowMs);
    if (problem === undefined) {
      documents[name] = isMisplaced(document, source, path) ? { ...document, status: 404 } : document;
      continue;
    }
    unread.push(`${path}: ${problem.reason}`);
    refusal ??= new UnreadableTargetError(source.name, problem.reason, problem.recovery, problem.cause);
    if (!problem.isLasting) continue;
    unread.push(...ARTIFACTS.slice(at + 1).map((left) => `${left.path}: it was not asked for`));
    break;
  }
  return { asked, ...documents, unread, refusal };
}

interface Problem {
  readonly reason: string;
  readonly recovery: FailedRead['recovery'];
  readonly cause?: unknown;
  /** True if further requests are useless now. */
  readonly isLasting: boolean;
}

/** Why a document cannot be judged now. A permanent answer is no problem, whatever it says. */
function problemOf(document: AnsweredDocument | FailedRead, nowMs: number): Problem | undefined {
  if (document.kind === 'unread') {
    const { failure: reason, recovery, cause } = document;
    return recovery === 'fix-input' ? undefined : { reason, recovery, cause, isLasting: true };
  }
  const { status, headers = {}, where } = document;
  if (status !== 429 && status < 500) return undefined;
  const pauseMs = retryAfterMs(headers, nowMs);
  const asking = pauseMs === undefined ? '' : ` and asks for a pause of ${Math.ceil(pauseMs / 1000)} s`;
  const isLasting = status === 429 || status === 503;
  return { reason: `${where} answers with status ${status}${asking}`, recovery: 'retry-later', isLasting };
}

/** A file that the folder has at another path: these documents have a fixed path. */
function isMisplaced(
  document: AnsweredDocument | FailedRead,
  source: SurfaceSource,
  path: string,
): document is AnsweredDocument {
  return !source.live && document.kind === 'answered' && !isInItsPlace(source, path, document.where);
}
