import { encodeHubLinks } from '../codecs/websub/links.ts';
import type { ShelfWorld } from './shelf.ts';

/** What answers for a topic say: where to subscribe, and to what. Undefined where nobody can. */
export function topicLinks(
  { hubUrl, baseUrl }: Pick<ShelfWorld, 'hubUrl' | 'baseUrl'>,
  path: string,
): { readonly link: string } | undefined {
  if (hubUrl === undefined) return undefined;
  return { link: encodeHubLinks({ hub: hubUrl(), self: new URL(path, baseUrl()).href }) };
}
