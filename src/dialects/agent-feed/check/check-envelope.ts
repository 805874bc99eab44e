import { type DecodedEntry, ENTRY_TYPES } from '../../../codecs/agent-feed/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { type SurfaceContext, shownValue } from './seen-surface.ts';

const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[!-~]+$/;
const RECOMMENDED = /^urn:af:([^:]+):(?:\d{13}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** Checks the fields around the signed text: id, updated, title, type (§24). */
export function checkEnvelope(entry: DecodedEntry, where: string, context: SurfaceContext): void {
  const { ledger } = context;
  ledger.looked('AF-EN1', 'AF-EN2', 'AF-EN4', 'AF-EN5', 'AF-EN6', 'AF-EN7');
  checkId(entry.id, where, context);
  checkUpdated(entry.updated, where, context);
  checkType(entry, where, context);
  for (const name of entry.unknownElements.slice(0, 20)) {
    const seen = `It has an element ${shownValue(name)} of the af namespace, which v0 does not know.`;
    ledger.note({ clause: 'AF-NS3', where, seen, remedy: 'Take it out, or put it into a namespace of your own.' });
  }
}

/** The clause that an entry breaks if it has this flaw. Readers believe nothing in such an entry. */
export function clauseOfFlaw(flaw: string): string {
  if (/\baf:sig\b(?!ner)/.test(flaw)) return 'AF-EN10';
  if (/\baf:signer\b/.test(flaw)) return 'AF-EN11';
  if (/\baf:type\b/.test(flaw)) return 'AF-EN1';
  return /\bcontent\b/.test(flaw) ? 'AF-EN9' : 'AF-EN2';
}

function checkId(id: string | undefined, where: string, { ledger, origin }: SurfaceContext): void {
  const remedy = 'Give it a URI of its own, such as urn:af:api.example:1745755200000, that never changes.';
  if (!id) {
    ledger.note({ clause: 'AF-EN2', where, seen: 'It has no id.', remedy });
    return;
  }
  if (!URI.test(id)) {
    ledger.note({ clause: 'AF-EN2', where, seen: `Its id ${shownValue(id)} is no URI.`, remedy });
    return;
  }
  const [, host] = RECOMMENDED.exec(id) ?? [];
  const form = 'urn:af:<origin-host>:<unix-millis> or urn:af:<origin-host>:<uuid>';
  if (host === undefined) {
    const seen = `Its id ${shownValue(id)} is not of the form ${form}.`;
    ledger.note({ clause: 'AF-EN4', where, seen, remedy: 'Use that form for new entries; leave the ids of old ones.' });
  } else if (origin !== undefined && !isHostOf(host, origin)) {
    const seen = `Its id ${shownValue(id)} names another host than ${origin.host}.`;
    ledger.note({ clause: 'AF-EN4', where, seen, remedy: 'Name this host in new entries; leave the ids of old ones.' });
  }
}

/** The host may be followed by its port in any spelling, because an id cannot contain the colon. */
function isHostOf(host: string, { hostname }: URL): boolean {
  if (hostname.startsWith('[')) return true;
  const name = host.toLowerCase();
  return name.startsWith(hostname) && /^(?:[^a-z0-9.]\w*)?$/.test(name.slice(hostname.length));
}

function checkUpdated(updated: string | undefined, where: string, { ledger }: SurfaceContext): void {
  if (updated !== undefined && parseTime(updated) !== undefined && updated.endsWith('Z')) return;
  const seen =
    updated === undefined
      ? 'It has no updated.'
      : `Its updated ${shownValue(updated)} is no RFC 3339 date-time with Z.`;
  const remedy = 'Write when the fact became true, in UTC, such as 2026-04-27T12:00:00Z.';
  ledger.note({ clause: 'AF-EN5', where, seen, remedy });
}

function checkType({ type, title }: DecodedEntry, where: string, { ledger }: SurfaceContext): void {
  const isKnown = ENTRY_TYPES.some((known) => known === type);
  if (!isKnown) {
    const seen = type === undefined ? 'It has no af:type.' : `Its af:type is ${shownValue(type)}.`;
    ledger.note({ clause: 'AF-EN1', where, seen, remedy: `Write one of ${ENTRY_TYPES.join(', ')}.` });
  }
  if (!title) ledger.note({ clause: 'AF-EN6', where, seen: 'It has no title.', remedy: 'Write its af:type as title.' });
  else if (isKnown && title !== type) {
    const seen = `Its title is ${shownValue(title)}, its af:type ${shownValue(type)}.`;
    ledger.note({ clause: 'AF-EN7', where, seen, remedy: 'Write its af:type as title.' });
  }
}
