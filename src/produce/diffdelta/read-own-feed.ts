import { hashOfText } from '../../codecs/diffdelta/encode.ts';
import type { DiffDeltaFeed } from '../../codecs/diffdelta/wire.ts';

/**
 * A feed that we wrote, from its bytes. Undefined for anything else, and for one of ours that was altered since: the hash
 * in it covers every other byte, so that what has it is what {@link encodeFeed} made.
 */
export function readOwnFeed(bytes: Uint8Array): DiffDeltaFeed | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const hash = hashOfText(text);
  if (hash === undefined || !text.startsWith(`{"hash":"${hash}",`)) return undefined;
  try {
    const parsed = JSON.parse(text) as DiffDeltaFeed;
    const { buckets, sources, generated_at: generatedAt } = parsed;
    const isWhole = [buckets?.new, buckets?.updated, buckets?.removed, buckets?.flagged].every(Array.isArray);
    return isWhole && typeof sources === 'object' && !Number.isNaN(Date.parse(generatedAt)) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
