import type { Ledger } from '../primitives/ledger.ts';
import {
  type AnsweredDocument,
  documentText,
  looksLikeHtml,
  mediaTypeOf,
  type SeenDocument,
} from '../primitives/seen-document.ts';
import { type CheckedLine, checkEvents } from './check-events.ts';
import { FEED_MEDIA_TYPE } from './wire.ts';

/** Checks the feed as served: that it exists, is NDJSON and has complete lines; then its events. */
export function checkAicfFeed(feed: SeenDocument | undefined, ledger: Ledger): void {
  if (feed === undefined) return;
  if (feed.kind === 'unread' || feed.status !== 200) {
    const seen = feed.kind === 'unread' ? feed.failure : `The answer has status ${feed.status}.`;
    const remedy = 'Serve the feed at the URL that `self` names, whole and with status 200.';
    ledger.note({ clause: 'AICF-F1', where: feed.where, seen, remedy });
    return;
  }

  const { text, isUtf8 } = documentText(feed);
  if (looksLikeHtml(text)) {
    const remedy =
      'Let `self` name the NDJSON file itself; many hosts answer a missing file with a page and status 200.';
    ledger.note({ clause: 'AICF-F1', where: feed.where, seen: 'It is an HTML page.', remedy });
    return;
  }
  checkMediaType(feed, ledger);
  ledger.looked('AICF-F4');
  if (!isUtf8) noteText(feed, ledger, 'Its bytes are not UTF-8.', 'Write the feed in UTF-8.');
  checkEvents({ where: feed.where, lines: linesOf(feed, text, ledger) }, ledger);
}

function checkMediaType(feed: AnsweredDocument, ledger: Ledger): void {
  if (feed.headers === undefined) {
    ledger.skipped('Nothing in the folder says its media type; check the live site.', 'AICF-F1');
    return;
  }
  ledger.looked('AICF-F1');
  const mediaType = mediaTypeOf(feed);
  if (mediaType === FEED_MEDIA_TYPE) return;
  ledger.note({
    clause: 'AICF-F1',
    where: feed.where,
    seen: mediaType === undefined ? 'It has no Content-Type.' : `Its Content-Type is ${mediaType}.`,
    remedy: `Send Content-Type: ${FEED_MEDIA_TYPE}; many servers do not know the extension .ndjson.`,
  });
}

/** The lines that are not empty, with their numbers. */
function linesOf(feed: AnsweredDocument, text: string, ledger: Ledger): CheckedLine[] {
  const hasBom = text.startsWith('\uFEFF');
  if (hasBom) {
    noteText(feed, ledger, 'It begins with a byte order mark, which JSON forbids.', 'Write UTF-8 without one.');
  }
  const lines = (hasBom ? text.slice(1) : text).split('\n');
  const last = lines.at(-1) ?? '';
  if (last.trim() !== '') {
    ledger.note({
      clause: 'AICF-F4',
      where: `${feed.where}:${lines.length}`,
      seen: 'The last line has no line feed at its end: it may be half an event.',
      remedy: 'Append each event together with its line feed in one write, or replace the file by a rename.',
    });
  }
  const withCarriageReturn = lines.filter((line) => line.endsWith('\r')).length;
  if (withCarriageReturn > 0) {
    ledger.note({
      clause: 'AICF-F4',
      level: 'SHOULD',
      where: feed.where,
      seen: `${withCarriageReturn} of ${lines.length} lines end with CR LF.`,
      remedy: 'End lines with LF alone; from now on only, as past lines must not change.',
    });
  }
  return lines.map((line, index) => ({ text: line, number: index + 1 })).filter((line) => line.text.trim() !== '');
}

function noteText({ where }: AnsweredDocument, ledger: Ledger, seen: string, remedy: string): void {
  ledger.note({ clause: 'AICF-F4', where, seen, remedy });
}
