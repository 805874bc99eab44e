import { accept, type Result } from '../primitives/result.ts';
import { decodeJsonObject, setJsonMembers } from './json-members.ts';
import type { FeedStatus } from './wire.ts';

const CARD_MEMBER = 'agentFeed';

/** The snapshot beside a feed, as a member of the card. The schema of the rest is up to its author (§21). */
export interface CardSnapshot {
  readonly feed: string;
  readonly did: string;
  readonly feedStatus?: Exclude<FeedStatus, 'active'>;
  readonly endpoints: readonly CardEndpoint[];
}

export interface CardEndpoint {
  readonly 'endpoint-id': string;
  readonly protocol: string;
  readonly url: string;
  readonly version: string;
  readonly deprecated?: { readonly sunset: string; readonly replacement?: string };
}

/** A card with the snapshot in it. In an existing card only our member is written; everything else keeps its bytes. */
export function encodeCard(name: string, snapshot: CardSnapshot, existing?: string): Result<string> {
  if (existing === undefined) return accept(`${JSON.stringify({ name, [CARD_MEMBER]: snapshot }, null, 2)}\n`);
  const decoded = decodeJsonObject(existing);
  if (!decoded.ok) return decoded;
  if (JSON.stringify(decoded.value[CARD_MEMBER]) === JSON.stringify(snapshot)) return accept(existing);
  return accept(setJsonMembers(existing, { [CARD_MEMBER]: snapshot }));
}

/** What is in the place of the snapshot but is not one, as JSON. Undefined if there is nothing else. */
export function foreignMember(card: string): string | undefined {
  const decoded = decodeJsonObject(card);
  if (!(decoded.ok && CARD_MEMBER in decoded.value)) return undefined;
  const member = decoded.value[CARD_MEMBER];
  const isSnapshot =
    typeof member === 'object' && member !== null && ['feed', 'did', 'endpoints'].every((key) => key in member);
  return isSnapshot ? undefined : JSON.stringify(member);
}

/** The JSON Pointers of texts in a card that are among `texts`, outside of our member. */
export function findInCard(card: string, texts: ReadonlySet<string>): string[] {
  const decoded = decodeJsonObject(card);
  if (!decoded.ok) return [];
  const { [CARD_MEMBER]: _, ...others } = decoded.value;
  const found: string[] = [];
  walk(others, '');
  return found;

  function walk(value: unknown, path: string): void {
    if (typeof value === 'string' && texts.has(value)) found.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      walk(member, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  }
}
