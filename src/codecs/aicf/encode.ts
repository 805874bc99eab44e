import { withoutFragment } from '../primitives/without-fragment.ts';
import { sectionName } from './boundary.ts';
import { isAbsoluteHttpUrl, isAction, isId } from './decode.ts';
import { orderedHints } from './hints.ts';
import { utcTime } from './utc-time.ts';
import type { AicfDiscovery, AicfEvent } from './wire.ts';

/** Matches nearly every valid URL, so that most URLs need no parser. */
const PLAIN_URL = /^https?:\/\/[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)+\/[\w.~%/-]*$/;

/**
 * One line of the feed, with its LF.
 *
 * The bytes must never change: every run derives the feed from the log again, and past lines must stay the same
 * (AICF-P1). Accepts any object with the fields of an event and writes only those. Throws rather than write a line
 * that readers would refuse.
 *
 * @example
 * const line = encodeEvent({
 *   id: '01J3Z6A6M7A0CAXT3M5N8P2Q4R',
 *   action: 'update',
 *   url: 'https://docs.example/pricing',
 *   anchor: 'tiers',
 *   time: '2025-08-21T10:15:00Z',
 * });
 */
export function encodeEvent(change: AicfEvent): string {
  if (!isId(change.id)) throw new Error(`${JSON.stringify(change.id)} is not an id.`);
  if (!isAction(change.action)) throw new Error(`${JSON.stringify(change.action)} is not an action.`);
  if (!PLAIN_URL.test(change.url) && !isAbsoluteHttpUrl(change.url)) {
    throw new Error(`${JSON.stringify(change.url)} is not an absolute http(s) URL.`);
  }
  const anchor = sectionName(change.anchor);
  const deleted = change.action === 'delete';
  // Other clients may read it as a delete of the whole page (T-AICF-2).
  if (deleted && anchor !== undefined) throw new Error(`A delete of the section ${change.url}#${anchor} is not AICF.`);

  const time = utcTime(change.time);
  if (time === undefined) throw new Error(`"${change.time}" is not an RFC 3339 time.`);

  const event = {
    id: change.id,
    action: change.action,
    url: withoutFragment(change.url),
    time,
    anchor,
    anchorIs: anchor === undefined ? undefined : change.anchorIs,
    checksum: deleted ? undefined : change.checksum,
    note: change.note,
  };
  const { hints, via } = change;
  // Each publish writes the whole feed, and nearly all lines have neither: spreading them would cost as much as the rest.
  const more = hints === undefined && via === undefined ? event : { ...event, ...orderedHints(hints), via };
  return `${JSON.stringify(more)}\n`;
}

/**
 * Encodes the discovery document, ready to be served.
 *
 * @example
 * const json = encodeDiscovery({ aicf_version: '0.1', self: 'https://docs.example/ai-changes.ndjson', ttl_seconds: 60 });
 */
export function encodeDiscovery(discovery: AicfDiscovery): string {
  const { aicf_version, self, license, about, ttl_seconds, archives, capabilities } = discovery;
  const document = { aicf_version, self, license, about, ttl_seconds, archives, capabilities };
  return `${JSON.stringify(document, null, 2)}\n`;
}
