import { encodeHubLinks } from '../codecs/websub/links.ts';
import type { ShelfWorld } from './shelf.ts';

/** The `Link` header for a topic: where to subscribe, and to what. Undefined if subscriptions are not possible. */
export function topicLinks(
  { hubUrl, baseUrl }: Pick<ShelfWorld, 'hubUrl' | 'baseUrl'>,
  path: string,
): { readonly link: string } | undefined {
  if (hubUrl === undefined) return undefined;
  return { link: encodeHubLinks({ hub: hubUrl(), self: new URL(path, baseUrl()).href }) };
}
