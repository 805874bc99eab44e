import { isSameBytes } from '../primitives/bytes.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { type AnsweredDocument, isFound } from '../primitives/seen-document.ts';
import { parseTime } from '../primitives/time.ts';
import { readChecked } from './check-document.ts';
import { checkContent } from './check-feed.ts';
import { isSameCursor } from './check-stop.ts';
import { valueInMessage } from './read-object.ts';
import { type FeedFacts, feedFactsOf, type SeenLink, type SeenSource } from './seen.ts';

const NEVER = 'Never change or delete an archive: clients that slept read what they missed from there.';
const FILE = /\/archive\/([^/]+)\/(\d{4})\/(\d\d)\/(\d\d)\/(\d{8}T\d{6}Z)_([0-9a-f]+)\.json$/;
const SHOWN_DIGITS = 12;

/** Checks the archive of the last change, and the chain of earlier archives. */
export function checkArchives(seen: SeenSource, ledger: Ledger): void {
  const { latest, archive, archivePath = '', strangers } = seen;
  for (const [field, address] of Object.entries(strangers)) {
    if (field === 'latest_url') continue;
    const seenThere = `\`${field}\` leads to another origin, ${address}: clients do not follow.`;
    const remedy = 'Keep archives beside the feeds and name them by their path.';
    ledger.note({ clause: 'DD-R4', where: latest?.where ?? address, seen: seenThere, remedy });
  }
  if (archive !== undefined) {
    const read = readChecked(archive, { place: 'DD-R4', form: 'DD-A1', name: 'archive' }, ledger);
    if (read !== undefined && isFound(archive)) {
      checkCopy(archive, seen, ledger);
      checkName({ where: archive.where, path: archivePath, facts: feedFactsOf(archive) }, seen.id, ledger);
      checkStill(archive, seen, ledger);
      // The same bytes have the same faults, and those of the feed are already reported.
      if (!isFound(latest) || !isSameBytes(archive.bytes, latest.bytes))
        checkContent(read, { id: seen.id, place: 'DD-R4' }, ledger);
    }
  }
  checkChain(feedFactsOf(archive) ?? feedFactsOf(latest), seen, ledger);
}

/** Later files with the same cursor only update the status of sources; the archive is the file that changed something. */
function checkCopy(archive: AnsweredDocument, { latest }: SeenSource, ledger: Ledger): void {
  const [kept, served] = [feedFactsOf(archive), feedFactsOf(latest)];
  if (!isFound(latest) || kept === undefined || served === undefined) return;
  ledger.looked('DD-A1');
  const { where } = archive;
  const remedy = 'Write the archive with the very bytes of the feed.';
  if (!isSameCursor(kept.cursor, served.cursor)) {
    const seen = `Its cursor is ${valueInMessage(kept.cursor)}, that of ${latest.where} is ${valueInMessage(served.cursor)}.`;
    ledger.note({ clause: 'DD-A1', where, seen, remedy });
    return;
  }
  if (served.changed !== true || kept.generatedAt !== served.generatedAt) return;
  if (isSameBytes(archive.bytes, latest.bytes)) return;
  ledger.note({ clause: 'DD-A1', where, seen: `Its bytes are not those of ${latest.where}.`, remedy });
}

function checkStill(archive: AnsweredDocument, { archiveAgain: again }: SeenSource, ledger: Ledger): void {
  if (again === undefined) return;
  ledger.looked('DD-A2');
  if (isFound(again) && isSameBytes(archive.bytes, again.bytes)) return;
  const what = isFound(again) ? 'its bytes are others' : 'it is not there';
  ledger.note({
    clause: 'DD-A2',
    where: archive.where,
    seen: `Asked for twice, ${what} the second time.`,
    remedy: NEVER,
  });
}

/** `/archive/docs/2026/02/05/20260205T120000Z_9bab0adf65dd.json` */
function checkName({ where, path, facts }: SeenLink, id: string | undefined, ledger: Ledger): void {
  ledger.looked('DD-R4', 'DD-A3');
  const remedy = 'Name it /archive/{source}/{YYYY}/{MM}/{DD}/{YYYYMMDDTHHMMSSZ}_{12 digits of the cursor}.json.';
  const match = FILE.exec(path);
  if (match === null) {
    ledger.note({ clause: 'DD-R4', where, seen: `Its path is ${valueInMessage(path)}.`, remedy });
    return;
  }
  const [, source, year, month, day, stamp, digits = ''] = match;
  const isItsSource = id === undefined || source === encodeURIComponent(id);
  if (!isItsSource || stamp?.slice(0, 8) !== `${year}${month}${day}` || !isTimeOf(stamp, facts?.generatedAt)) {
    const seen = `Its path is ${valueInMessage(path)}; source or time are not those of the feed, made at ${valueInMessage(facts?.generatedAt)}.`;
    ledger.note({ clause: 'DD-R4', where, seen, remedy });
  }
  const expected = typeof facts?.cursor === 'string' ? facts.cursor.slice(7, 7 + SHOWN_DIGITS) : '';
  if (digits === expected) return;
  const seen = `Its name ends with ${digits}, its cursor begins with ${expected}.`;
  ledger.note({ clause: 'DD-A3', where, seen, remedy });
}

function isTimeOf(stamp: string, generatedAt: unknown): boolean {
  const ms = typeof generatedAt === 'string' ? parseTime(generatedAt) : undefined;
  if (ms === undefined) return false;
  return new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '') === stamp.slice(0, -1);
}

function checkChain(start: FeedFacts | undefined, { id, chain }: SeenSource, ledger: Ledger): void {
  let after = start;
  for (const link of chain) {
    ledger.looked('DD-P2', 'DD-A2');
    if (link.isLoop) {
      const seen = 'The chain of archives comes back to it: a client would walk for ever.';
      const remedy = 'Let `prev_archive_url` lead to an earlier run.';
      ledger.note({ clause: 'DD-P2', where: link.where, seen, remedy });
      return;
    }
    if (link.failure !== undefined) {
      ledger.note({ clause: 'DD-A2', where: link.where, seen: link.failure, remedy: NEVER });
      return;
    }
    if (!isSameCursor(link.facts?.cursor, after?.prevCursor)) {
      const seen = `Its cursor is ${valueInMessage(link.facts?.cursor)}; the archive after it names ${valueInMessage(after?.prevCursor)} as \`prev_cursor\`.`;
      const remedy = 'Let `prev_archive_url` lead to the run that `prev_cursor` is of.';
      ledger.note({ clause: 'DD-P2', where: link.where, seen, remedy });
    }
    checkName(link, id, ledger);
    after = link.facts;
  }
}
