import { FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import type { ReaderPolicy } from './reader-parts.ts';

/**
 * The feed URL for an origin, or for the URL of a feed itself. The state of a reader uses it as its key.
 *
 * Throws a {@link SettingRefusedError} for a URL that no feed may be read from.
 */
export function feedUrlOf(target: string | URL, policy: ReaderPolicy = {}): URL {
  const url = canParseUrl(String(target)) ? new URL(target) : undefined;
  const problem = url === undefined ? 'Give an https URL.' : refusalOf(url, policy);
  if (url === undefined || problem !== undefined) throw new SettingRefusedError('origin', target, problem ?? '');
  return feedAt(url);
}

/** Expects a URL that may be read. The feed of a bare origin is at the well-known path. */
export function feedAt(url: URL): URL {
  const feed = new URL(url.pathname === '/' && url.search === '' ? FEED_PATH : url.href, url);
  feed.hash = '';
  return feed;
}

/** The reason why nothing may be read from a URL (AF-I1). Undefined if it may be read. */
export function refusalOf(url: URL, { insecureLoopback = false }: ReaderPolicy): string | undefined {
  if (url.username !== '' || url.password !== '') return 'A URL with a user name or a password is not read.';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && insecureLoopback && isLoopback(url.hostname)) return undefined;
  return 'Only https is read.';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
