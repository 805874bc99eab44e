import { CARD_PATH, DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import type { Ledger } from '../../../codecs/primitives/ledger.ts';
import {
  type AnsweredDocument,
  isFound,
  mediaTypeOf,
  type SeenDocument,
} from '../../../codecs/primitives/seen-document.ts';
import { type SeenSurface, shownValue } from './seen-surface.ts';

interface Artifact {
  readonly document: SeenDocument | undefined;
  readonly path: string;
  /** The clause that requires this document. */
  readonly clause: string;
  readonly media: { readonly clause: string; readonly type: string };
}

const DAY_SECONDS = 86_400;
const UNSERVED = 'A folder is not served; check the live site.';
const UNSAID = 'Nothing in the folder says how it is served; check the live site.';

/** Checks that all three documents exist, come from one origin over HTTPS, and have the right headers. */
export function checkResponses(seen: SeenSurface, ledger: Ledger): void {
  const { asked, untrusted } = seen;
  if (untrusted !== undefined && asked !== undefined) {
    const remedy = 'Serve a certificate for this host from an authority that clients trust: readers refuse all others.';
    ledger.note({ clause: 'AF-PB1', level: 'MUST', where: asked.origin, seen: untrusted, remedy });
    return;
  }
  const json = { clause: 'AF-IA2', type: 'application/json' };
  const artifacts: readonly Artifact[] = [
    { document: seen.did, path: DID_PATH, clause: 'AF-ID1', media: json },
    {
      document: seen.feed,
      path: FEED_PATH,
      clause: 'AF-W2',
      media: { clause: 'AF-IA1', type: 'application/atom+xml' },
    },
    { document: seen.card, path: CARD_PATH, clause: 'AF-W1', media: json },
  ];
  for (const artifact of artifacts) checkPresence(artifact, ledger);
  if (asked === undefined) ledger.skipped(UNSERVED, 'AF-O1', 'AF-PB1');
  else checkOrigin(artifacts, asked, ledger);
  for (const { document, media } of artifacts) if (isFound(document)) checkMediaType(document, media, ledger);
  for (const document of [seen.did, seen.feed]) if (isFound(document)) checkCaching(document, ledger);
}

function checkPresence({ document, path, clause }: Artifact, ledger: Ledger): void {
  if (document === undefined) return;
  ledger.looked(clause);
  if (isFound(document)) return;
  const { where } = document;
  const remedy = `Serve it at ${path} with status 200.`;
  if (document.kind === 'unread') ledger.note({ clause, where, seen: document.failure, remedy });
  else if (document.status === 404) ledger.note({ clause, where, seen: 'It is not there.', remedy });
  else ledger.note({ clause, where, seen: `It answers with status ${document.status}.`, remedy });
}

function checkOrigin(artifacts: readonly Artifact[], asked: URL, ledger: Ledger): void {
  const documents = artifacts.map(({ document }) => document);
  const isWhole = documents.every(isFound);
  if (isWhole) ledger.looked('AF-O1');
  else ledger.skipped('Not all three documents could be read.', 'AF-O1');
  ledger.looked('AF-PB1');
  for (const { document } of artifacts) {
    if (!isFound(document) || document.servedBy === undefined) continue;
    const end = new URL(document.servedBy);
    if (end.origin === asked.origin || isUpgrade(asked, end)) continue;
    const remedy = 'Serve it from the origin itself: readers follow no redirect to another one.';
    ledger.note({ clause: 'AF-O1', where: document.where, seen: `It redirects to ${shownValue(end.origin)}.`, remedy });
  }
  const plain = artifacts.filter(({ document }) => isFound(document) && isPlain(document, asked));
  if (plain.length === 0) return;
  const remedy = 'Serve it over https: readers ask for it in no other way.';
  const seenThere = 'It is served over plain http.';
  ledger.note({ clause: 'AF-PB1', where: asked.origin, seen: 'The origin speaks plain http.', remedy });
  ledger.note({ clause: 'AF-O1', where: asked.origin, seen: 'The origin speaks plain http.', remedy });
  for (const { document, clause } of plain) {
    if (clause !== 'AF-W2') ledger.note({ clause, where: document?.where ?? asked.origin, seen: seenThere, remedy });
  }
}

/** Most sites redirect plain http to https on the same host. */
function isUpgrade(asked: URL, end: URL): boolean {
  return asked.protocol === 'http:' && end.protocol === 'https:' && asked.hostname === end.hostname;
}

function isPlain({ servedBy }: AnsweredDocument, asked: URL): boolean {
  return new URL(servedBy ?? asked).protocol === 'http:';
}

function checkMediaType(document: AnsweredDocument, { clause, type }: Artifact['media'], ledger: Ledger): void {
  if (document.headers === undefined) {
    ledger.skipped(UNSAID, clause);
    return;
  }
  ledger.looked(clause);
  const served = mediaTypeOf(document);
  if (served === type) return;
  const seen = served === undefined ? 'It has no Content-Type.' : `Its Content-Type is ${shownValue(served)}.`;
  // The separate media type of DID documents is JSON, too.
  const isOfDid = type === 'application/json' && served === 'application/did+json';
  ledger.note({
    clause,
    ...(isOfDid && { level: 'MAY' as const }),
    where: document.where,
    seen,
    remedy: `Send Content-Type: ${type}.`,
  });
}

function checkCaching({ headers, where }: AnsweredDocument, ledger: Ledger): void {
  if (headers === undefined) {
    ledger.skipped(UNSAID, 'AF-PB2');
    return;
  }
  ledger.looked('AF-PB2');
  const rule = headers['cache-control'];
  const remedy = 'Send Cache-Control with a max-age, such as "public, max-age=60".';
  const [, seconds] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,15})/i.exec(rule ?? '') ?? [];
  if (seconds === undefined) {
    const seen =
      rule === undefined ? 'It has no Cache-Control.' : `Its Cache-Control ${shownValue(rule)} has no max-age.`;
    ledger.note({ clause: 'AF-PB2', where, seen, remedy });
  } else if (Number(seconds) > DAY_SECONDS) {
    const seen = `Its max-age is ${seconds} seconds: readers may act on old facts and old keys for longer than a day.`;
    ledger.note({ clause: 'AF-PB2', level: 'MAY', where, seen, remedy });
  }
}
