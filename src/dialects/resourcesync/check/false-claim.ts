import { createHash } from 'node:crypto';
import type { AnsweredDocument } from '../../../codecs/primitives/seen-document.ts';
import type { Claim } from './check-resource-list.ts';
import { shown } from './list-context.ts';

/** What a list claims falsely about a resource; undefined if everything is true. */
export function falseClaim(
  { loc, hash, length }: Claim,
  { bytes }: AnsweredDocument,
): { sort: string; seen: string } | undefined {
  if (length !== undefined && length !== bytes.length) {
    return {
      sort: 'length',
      seen: `${shown(loc)}: the list says length="${length}", and it has ${bytes.length} bytes.`,
    };
  }
  if (hash === undefined) return undefined;
  const { algorithm, hex } = hash;
  const own = createHash(algorithm.replace('-', '')).update(bytes).digest('hex');
  if (own === hex) return undefined;
  return {
    sort: 'hash',
    seen: `${shown(loc)}: the list says ${algorithm}:${hex}, and its bytes have ${algorithm}:${own}.`,
  };
}
