import { withoutFragment } from '../primitives/without-fragment.ts';
import { sectionName } from './boundary.ts';
import { isAbsoluteHttpUrl, isAction, isId } from './decode.ts';
import { orderedHints } from './hints.ts';
import { utcTime } from './utc-time.ts';
import type { AicfDiscovery, AicfEvent } from './wire.ts';

/** What nearly every URL looks like; it needs no parser to be told from nonsense. */
const PLAIN_URL = /^https?:\/\/[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)+\/[\w.~%/-]*$/;

/**
 * One line of the feed, with its LF.
 *
 * The bytes are fixed for ever: a feed is derived anew from the log on every run, and past lines must not change
 * (AICF-P1). Takes anything that has the fields of an event and writes no other ones. Throws rather than write a line
 * that no reader would take.
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
  // Another client may take it for a delete of the whole page (T-AICF-2).
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
  // A whole feed is written at each publish, and nearly all lines have neither: to spread them costs as much as the rest.
  const more = hints === undefined && via === undefined ? event : { ...event, ...orderedHints(hints), via };
  return `${JSON.stringify(more)}\n`;
}

/**
 * The discovery document, ready to be served.
 *
 * @example
 * const json = encodeDiscovery({ aicf_version: '0.1', self: 'https://docs.example/ai-changes.ndjson', ttl_seconds: 60 });
 */
export function encodeDiscovery(discovery: AicfDiscovery): string {
  const { aicf_version, self, license, about, ttl_seconds, archives, capabilities } = discovery;
  const document = { aicf_version, self, license, about, ttl_seconds, archives, capabilities };
  return `${JSON.stringify(document, null, 2)}\n`;
}
