import { isBotUrl } from '../../fetch/user-agent.ts';
import type { HubConfig } from './hub-config.ts';

/** The page about the crawler, relative to the hub. */
const BOT_PAGE = 'bot';

/** Names that lead nowhere, or to a different place for each client (RFC 2606, 6761, 6762, 8375, and `.internal`). */
const RESERVED =
  /(?:^|\.)(?:test|example|invalid|localhost|local|internal|home\.arpa|onion|example\.(?:com|net|org))\.?$/i;

/** Whether the name alone shows that everybody reaches the same host under it. */
export function isPublicName(hostname: string, isPrivateName: (hostname: string) => boolean): boolean {
  const isWhole = hostname.includes('.') || hostname.startsWith('[');
  return isWhole && !RESERVED.test(hostname) && !isPrivateName(hostname);
}

/** Fills in the page that the User-Agent names: the one in the settings, else the hub's own page if it is public. If there is neither, requests name none. */
export function withBotUrl(config: HubConfig, isPrivateName: (hostname: string) => boolean): HubConfig {
  const { botUrl, baseUrl } = config;
  if (botUrl !== undefined || baseUrl === undefined) return config;
  const own = `${baseUrl}${BOT_PAGE}`;
  return isPublicName(new URL(baseUrl).hostname, isPrivateName) && isBotUrl(own) ? { ...config, botUrl: own } : config;
}
