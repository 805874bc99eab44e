import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { decodeDidDocument, methodFor } from '../../../codecs/agent-feed/did-document.ts';
import { ENTRY_TYPES, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { decodeBase64url } from '../../../codecs/primitives/base64url.ts';
import type { Change, ChangeDraft } from '../../../model/change.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { createSurfaceChanges } from '../../../surface/surface-changes.ts';
import type { SignedEntry, SurfaceCopy } from './surface-copy.ts';

const ENDS: readonly string[] = ['terminated', 'migrated'];

export interface DraftContext {
  readonly site: URL;
  /** The whole log so far. */
  readonly changes: readonly Change[];
  /** Whether the URL is a page of the site. */
  readonly isPage: (url: string) => boolean;
  /** `sha256:<hex>` of the feed after this publish. */
  readonly feedChecksum: string;
}

/**
 * What the surface says and the log does not have yet: each fact once, and the end of each endpoint when its feed ends.
 *
 * The entries are already verified. Entries of an unknown key are left out.
 */
export function surfaceDrafts(surface: SurfaceCopy, context: DraftContext): ChangeDraft[] {
  const { site, changes, isPage } = context;
  const source = sourceIdOf(site);
  const feedUrl = new URL(FEED_PATH, site).href;
  const told = changes.filter(isSurfaceChange);
  const known = new Set(told.map(({ provenance }) => provenance.originId));
  const telling = createSurfaceChanges({ source, feedUrl });
  const keyOf = keysOf(surface, site);
  const drafts: ChangeDraft[] = [];
  const said = new Set<string>();
  for (const entry of surface.entries) {
    const isKnown = known.has(entry.id.toWellFormed());
    const key = keyOf(entry.signer);
    if (key === undefined) continue;
    const fact = factOf(entry);
    if (fact === undefined) continue;
    // A fact that is repeated after a key was revoked is no news (AF-D1).
    const words = JSON.stringify(fact);
    if (said.has(words)) continue;
    said.add(words);
    const applied = { entryId: entry.id, fact, signer: key.id };
    if (isKnown) telling.recall(applied);
    else drafts.push(...telling.tell(applied));
  }
  const last = new Map([...told, ...drafts].map((change) => [endpointOf(change), change]));
  if (surface.status !== 'active') {
    drafts.push(...telling.end(surface.status).filter((end) => !ENDS.includes(last.get(endpointOf(end))?.note ?? '')));
  }
  // The log never said that an endpoint was at the address of a page, so it does not say that the endpoint left it.
  const isToTell = ({ note, url }: ChangeDraft) => note !== 'moved' || !isPage(url);
  return drafts.filter(isToTell).map((draft) => apartFromPages(draft, feedUrl, context));
}

/** Counts the facts that the log mentions. Called when no place has the feed any more. */
export function countLostFacts(changes: readonly Change[]): number {
  return changes.filter((change) => isSurfaceChange(change) && change.provenance.originId !== undefined).length;
}

function isSurfaceChange({ kind, provenance }: Change): boolean {
  return kind === 'endpoint' && provenance.by === 'agent-feed';
}

function endpointOf({ provenance = {} }: ChangeDraft): string {
  return JSON.stringify([provenance.endpointId, provenance.protocol]);
}

/**
 * For followers of the site, an address names one thing. If a page has the address of an endpoint, the endpoint is published as a
 * part of the feed, so its end never deletes the page. The removal of a part carries the checksum of the feed without it.
 */
function apartFromPages(
  draft: ChangeDraft,
  feedUrl: string,
  { isPage, feedChecksum }: Pick<DraftContext, 'isPage' | 'feedChecksum'>,
): ChangeDraft {
  if (draft.anchor === undefined && !isPage(draft.url)) return draft;
  const part = { ...draft, url: feedUrl, anchor: draft.anchor ?? String(draft.provenance?.endpointId ?? '') };
  if (draft.action !== 'delete') return part;
  return { ...part, provenance: { ...draft.provenance, pageChecksum: feedChecksum } };
}

interface FoundKey {
  readonly id: string;
  readonly publicKey: Uint8Array;
}

/** The keys to verify a copy with: those of its record, or those of the did.json beside its feed. */
export function keysOf(
  { record, files }: SurfaceCopy,
  site: URL,
): (signer: string | undefined) => FoundKey | undefined {
  if (record !== undefined) {
    const keys = new Map(record.keys.map(({ id, publicKey }) => [id, decodeBase64url(publicKey)]));
    return (signer = '') => {
      const publicKey = keys.get(signer);
      return publicKey && { id: signer, publicKey };
    };
  }
  const document = files.did && decodeDidDocument(new TextDecoder().decode(files.did), site.origin);
  return (signer) => {
    const found = document?.ok ? methodFor(document.value, signer) : undefined;
    return found?.ok ? { id: found.method.id, publicKey: found.method.publicKey } : undefined;
  };
}

function factOf({ type, content }: SignedEntry) {
  const known = ENTRY_TYPES.find((one) => one === type);
  const decoded = known && decodePayload(known, content);
  return decoded?.ok ? decoded.value : undefined;
}
