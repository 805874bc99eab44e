import { decodeAgentFeed } from '../../../codecs/agent-feed/decode-feed.ts';
import { AF_NAMESPACE, type DecodedAgentFeed, FEED_PATH, FEED_STATUSES } from '../../../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { type AnsweredDocument, documentText } from '../../../codecs/primitives/seen-document.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { type SurfaceContext, shownValue } from './seen-surface.ts';

/** The feed in a document, or the reason why it cannot be read. */
export function readCheckedFeed(
  document: AnsweredDocument,
): DecodedAgentFeed | { readonly problem: string; readonly line?: string } {
  const { text, isUtf8 } = documentText(document);
  if (!isUtf8) return { problem: 'It is not UTF-8.' };
  const xml = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const decoded = decodeAgentFeed(xml);
  if (!decoded.ok) {
    const { message } = decoded.issues[0];
    const [, line, rest] = /^Line (\d+): (.*)$/s.exec(message) ?? [];
    return line === undefined || rest === undefined ? { problem: message } : { problem: capital(rest), line };
  }
  const isNamed = [`"${AF_NAMESPACE}"`, `'${AF_NAMESPACE}'`].some((name) => xml.includes(name));
  return isNamed ? decoded.value : { problem: `It does not use the namespace ${AF_NAMESPACE}.` };
}

/** Checks the elements at feed level (§22, §34, §36, §37). */
export function checkFeedLevel(feed: DecodedAgentFeed, document: AnsweredDocument, context: SurfaceContext): void {
  const { ledger } = context;
  const { where } = document;
  ledger.looked('AF-VS1', 'AF-FS1', 'AF-NS3');
  checkAtom(feed, document, context);
  const { specVersion, feedStatus, contradictions, unknownElements } = feed;
  if (specVersion !== '0' || contradictions.includes('spec-version')) {
    const seen = contradictions.includes('spec-version')
      ? 'It has several af:spec-version that differ, or one that is not plain text.'
      : `Its af:spec-version is ${specVersion === undefined ? 'missing' : shownValue(specVersion)}.`;
    ledger.note({
      clause: 'AF-VS1',
      where,
      seen,
      remedy: 'Write <af:spec-version>0</af:spec-version> as a child of feed.',
    });
  }
  const isKnown = FEED_STATUSES.some((status) => status === feedStatus);
  if (!isKnown || contradictions.includes('feed-status')) {
    const seen = contradictions.includes('feed-status')
      ? 'It has several af:feed-status that differ, or one that is not plain text.'
      : `Its af:feed-status is ${feedStatus === undefined ? 'missing' : shownValue(feedStatus)}.`;
    const remedy = 'Write one af:feed-status: active, terminated or migrated. Readers stop to trust any other.';
    ledger.note({ clause: 'AF-FS1', where, seen, remedy });
  }
  checkMigration(feed, where, context);
  for (const name of unknownElements.slice(0, 20)) {
    const seen = `The feed has an element ${shownValue(name)} of the af namespace, which v0 does not know.`;
    ledger.note({ clause: 'AF-NS3', where, seen, remedy: 'Take it out, or put it into a namespace of your own.' });
  }
}

/** RFC 4287 §4.1.1. The example of the draft has neither author nor link, so a missing one is only reported as advice. */
function checkAtom(feed: DecodedAgentFeed, document: AnsweredDocument, { ledger, origin }: SurfaceContext): void {
  const { where } = document;
  const clause = 'AF-W2';
  for (const name of ['id', 'title', 'updated'] as const) {
    const remedy = `Give the feed one ${name}, as Atom wants it.`;
    if (!feed[name]) ledger.note({ clause, where, seen: `The feed has no ${name}.`, remedy });
    else if (feed.contradictions.includes(name)) {
      ledger.note({ clause, where, seen: `The feed has several ${name} that differ.`, remedy });
    } else if (name === 'updated' && parseTime(feed[name]) === undefined) {
      const seen = `Its updated ${shownValue(feed[name])} is no RFC 3339 date-time.`;
      ledger.note({ clause, where, seen, remedy: 'Write a time such as 2026-04-27T12:00:00Z.' });
    }
  }
  const { selfLink } = feed;
  if (feed.author === undefined && !/<(?:[\w.-]{1,50}:)?author[\s/>]/.test(documentText(document).text)) {
    const remedy = 'Give the feed an author: Atom tools want one.';
    ledger.note({ clause, level: 'MAY', where, seen: 'It has no author.', remedy });
  }
  if (selfLink === undefined) {
    const remedy = 'Give it <link rel="self" href="…">: Atom tools want one.';
    ledger.note({ clause, level: 'MAY', where, seen: 'It has no link to itself.', remedy });
  } else if (origin !== undefined && !isAt(selfLink, origin)) {
    const seen = `Its link to itself, ${shownValue(selfLink)}, is at another origin than ${origin.origin}.`;
    ledger.note({ clause, level: 'SHOULD', where, seen, remedy: 'Let it name the URL of this document.' });
  }
}

function checkMigration(
  feed: DecodedAgentFeed,
  where: string,
  { ledger, origin, isPrivateHost }: SurfaceContext,
): void {
  const { feedStatus, migratedTo, contradictions } = feed;
  if (feedStatus !== 'migrated') {
    ledger.skipped('The feed is not migrated.', 'AF-FS5');
    if (migratedTo === undefined) return;
    const seen = `It has af:migrated-to, but its status is ${shownValue(feedStatus)}: readers do not follow it.`;
    const remedy = 'Write the status migrated, or take af:migrated-to out.';
    ledger.note({ clause: 'AF-FS5', level: 'SHOULD', where, seen, remedy });
    return;
  }
  ledger.looked('AF-FS5');
  const remedy = 'Write the https URL of the new feed into one af:migrated-to.';
  const note = (seen: string) => ledger.note({ clause: 'AF-FS5', where, seen, remedy });
  if (!migratedTo) note('It is migrated and does not say where to.');
  else if (contradictions.includes('migrated-to')) note('It has several af:migrated-to that differ.');
  else if (!canParseUrl(migratedTo) || new URL(migratedTo).protocol !== 'https:') {
    note(`Its af:migrated-to ${shownValue(migratedTo)} is no https URL.`);
  } else if (origin !== undefined && new URL(migratedTo).href === new URL(FEED_PATH, origin).href) {
    note(`Its af:migrated-to ${shownValue(migratedTo)} is this feed itself.`);
  } else if (isPrivateHost(new URL(migratedTo)) && !(origin !== undefined && isPrivateHost(origin))) {
    note(`Its af:migrated-to ${shownValue(migratedTo)} is inside of a network.`);
  }
}

function isAt(address: string, origin: URL): boolean {
  return canParseUrl(address, origin.href) && new URL(address, origin).origin === origin.origin;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
