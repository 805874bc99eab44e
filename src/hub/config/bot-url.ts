import { isBotUrl } from '../../fetch/user-agent.ts';
import type { HubConfig } from './hub-config.ts';

/** Below the hub: the page about its crawler. */
const BOT_PAGE = 'bot';

/** Names that lead nowhere, or to another place for each who asks (RFC 2606, 6761, 6762, 8375, and `.internal`). */
const RESERVED =
  /(?:^|\.)(?:test|example|invalid|localhost|local|internal|home\.arpa|onion|example\.(?:com|net|org))\.?$/i;

/** Whether the name alone says that everybody finds the same host under it. */
export function isPublicName(hostname: string, isPrivateName: (hostname: string) => boolean): boolean {
  const isWhole = hostname.includes('.') || hostname.startsWith('[');
  return isWhole && !RESERVED.test(hostname) && !isPrivateName(hostname);
}

/**
 * The settings with the page that stands in the User-Agent: the one that they name, else the hub's own where everybody can reach it. With
 * neither there is none, and requests name none.
 */
export function withBotUrl(config: HubConfig, isPrivateName: (hostname: string) => boolean): HubConfig {
  const { botUrl, baseUrl } = config;
  if (botUrl !== undefined || baseUrl === undefined) return config;
  const own = `${baseUrl}${BOT_PAGE}`;
  return isPublicName(new URL(baseUrl).hostname, isPrivateName) && isBotUrl(own) ? { ...config, botUrl: own } : config;
}
