import type { FeedEntry } from '../../src/codecs/agent-feed/encode-feed.ts';
import { type Attack, EVIL, type HonestSite } from '../support/agent-feed-attacks.ts';

export const FORGED = `{"asserted-at":"2026-04-27T12:00:00Z","endpoint":"https://${EVIL}.example/","endpoint-id":"orders-api","protocol":"rest","version":"9"}`;

/** Nothing of the feed can be believed. */
export function whole(name: string, edit: (xml: string) => string): Attack {
  return { name, feed: ({ xml }) => edit(xml), leaves: [], event: 'feed-malformed' };
}

export function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

export function entryOf(site: HonestSite, entry: FeedEntry, signer = entry.signer): string {
  return /<entry>.*<\/entry>/s.exec(site.feedOf([{ ...entry, signer }]))?.[0] ?? '';
}

export function insertLast({ xml }: HonestSite, more: string): string {
  return replaced(xml, '</feed>', () => `${more}</feed>`);
}

export function inEntry(
  site: HonestSite,
  at: number,
  from: string | RegExp,
  to: string | ((...groups: string[]) => string),
): string {
  return replaced(site.xml, site.entryXml(at), () => replaced(site.entryXml(at), from, to));
}

/** An attack that finds nothing to attack shows nothing. */
export function replaced(text: string, from: string | RegExp, to: string | ((...groups: string[]) => string)): string {
  const result = typeof to === 'string' ? text.replace(from, to) : text.replace(from, to);
  if (result === text) throw new Error(`There is no ${from} in ${text.slice(0, 200)}`);
  return result;
}
