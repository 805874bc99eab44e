import { canonicalJson } from '../../../codecs/primitives/canonical-json.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';
import { type SurfaceParts, write } from './change-surface.ts';
import { chooseKey } from './choose-key.ts';
import { keysIfThere } from './end-surface.ts';
import { loadSurface, refuseContradiction } from './load-surface.ts';
import { createContentSigner, createEntryIds } from './sign-entry.ts';
import type { EntryLine, SurfaceLine } from './surface-record.ts';
import type { SurfaceReport } from './surface-report.ts';

/**
 * Removes a key from `did.json` for good. What the feed says stays the same: the current key signs the entries of that key again,
 * under new ids and with the same payloads (AF-D1). So a reader that knew them, and one that believed a thief in between, ends up
 * like a new reader.
 *
 * All entries after the first of them are repeated, too, because the order of entries counts. Repeating an entry of the current key
 * would be a replay under another id, so its payload also says when it was repeated.
 */
export async function revokeKey(
  parts: SurfaceParts,
  keyId: string,
): Promise<SurfaceReport & { readonly saidAgain: number; readonly publicKey: string }> {
  const { folder, site, force } = parts;
  const loaded = await loadSurface(folder, site);
  refuseContradiction(loaded, folder);
  const { record } = loaded;
  const keys = await keysIfThere(parts);
  const own = keys?.keys.find((key) => key.id === keyId.replace(/^#/, ''));
  const published = record.keys.find(({ publicKey }) => publicKey === own?.publicKey)?.id;
  const id = published ?? (keyId.startsWith('did:') ? keyId : `${site.did}#${keyId.replace(/^#/, '')}`);
  const publicKey = record.keys.find((key) => key.id === id)?.publicKey;
  if (publicKey === undefined) {
    const known = record.keys.map((key) => key.id).join(', ') || 'none';
    throw new SurfaceRefusedError('The key', `${id} is none of this site. It has had: ${known}.`);
  }
  if (record.revoked.has(id)) {
    return { ...(await write(parts, loaded, [], [`${id} was revoked before. It stays so.`])), saidAgain: 0, publicKey };
  }
  const nowMs = parts.now();
  const time = formatTime(nowMs);
  const { signer, seed, lines } = chooseKey(record, await parts.keys(), {
    did: site.did,
    time,
    force,
    document: loaded.existing.did,
  });
  if (signer === id) {
    throw new SurfaceRefusedError('The key', `${id} signs now. Add another with "tidings keys rotate" before.`);
  }
  const first = record.served.findIndex((entry) => entry.signer === id);
  const old = first === -1 ? [] : record.served.slice(first);
  const sign = createContentSigner(seed);
  const nextId = createEntryIds(record, site, nowMs);
  const again = old.map((entry): EntryLine => {
    const content = entry.signer === signer ? withTime(entry.content, time) : entry.content;
    return { ...entry, id: nextId(), content, signature: sign(content), signer, time };
  });
  const archive: SurfaceLine = { kind: 'archive', ids: old.map((entry) => entry.id), time };
  const added = [...lines, ...again, ...(old.length === 0 ? [] : [archive]), { kind: 'revoke' as const, id, time }];
  return { ...(await write(parts, loaded, added, [])), saidAgain: again.length, publicKey };
}

function withTime(content: string, time: string): string {
  const payload: unknown = JSON.parse(content);
  return canonicalJson({ ...(payload as object), 'said-again-at': time });
}
