import { problem } from './problem.ts';
import type { HubResponse } from './route.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const IS_LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

export interface OwnHostSettings {
  /** What it listens on. */
  readonly host: string;
  readonly baseUrl?: string;
  readonly hosts?: readonly string[];
}

/**
 * The names under which a hub answers, or undefined for any.
 *
 * A hub on loopback is for this machine. A web page elsewhere whose name is made to lead here would read it with the operator's browser; that
 * browser names the page's host (DNS rebinding), which is none of these.
 */
export function ownHosts({ host, baseUrl, hosts = [] }: OwnHostSettings): readonly string[] | undefined {
  if (!IS_LOOPBACK.test(host)) return undefined;
  const own = host.includes(':') ? `[${host}]` : host;
  const shown = baseUrl === undefined ? [] : [new URL(baseUrl).hostname];
  return [...new Set([...LOOPBACK_HOSTS, own, ...shown, ...hosts].map((name) => name.toLowerCase()))];
}

/** Without its port. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** RFC 9110 §15.5.20. */
export function misdirected(host: string, hosts: readonly string[]): HubResponse {
  const detail = `This hub listens on loopback and answers to ${hosts.join(', ')}, not to ${hostNameOf(host)}. Behind a proxy that passes on another name, set "baseUrl", or "hosts", in its settings.`;
  return problem({ status: 421, detail });
}
