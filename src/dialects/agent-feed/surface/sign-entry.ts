import { encodeSignature } from '../../../codecs/agent-feed/signature-text.ts';
import { decodeBase64url } from '../../../codecs/primitives/base64url.ts';
import { createSigner } from '../../../surface/ed25519.ts';
import type { SurfaceRecord } from './surface-record.ts';
import type { SurfaceSite } from './surface-site.ts';

/** §24: `urn:af:<host>:<unix-millis>`. If the id for this millisecond is taken, the next free one is used. */
export function createEntryIds({ entries }: SurfaceRecord, { did }: SurfaceSite, nowMs: number): () => string {
  const taken = new Set(entries.map(({ id }) => id));
  let millis = Math.floor(nowMs);
  return () => {
    for (; ; millis += 1) {
      const id = `urn:af:${did.slice('did:web:'.length)}:${millis}`;
      if (taken.has(id)) continue;
      taken.add(id);
      return id;
    }
  };
}

/** Returns a function that signs a content and gives the signature as text. */
export function createContentSigner(seed: string): (content: string) => string {
  const bytes = decodeBase64url(seed);
  if (bytes === undefined) throw new Error('A seed is decoded when it is read.');
  const sign = createSigner(bytes);
  return (content) => encodeSignature(sign(new TextEncoder().encode(content)));
}
