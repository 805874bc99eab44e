import { problem } from './problem.ts';
import type { HubResponse } from './route.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const IS_LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

export interface OwnHostSettings {
  /** The address that it listens on. */
  readonly host: string;
  readonly baseUrl?: string;
  readonly hosts?: readonly string[];
}

/**
 * The host names under which a hub answers; undefined for any.
 *
 * A hub on loopback is for this machine. A foreign web page whose name resolves to this machine could read it with the operator's browser (DNS rebinding); but
 * that browser sends the page's host, which is none of these.
 */
export function ownHosts({ host, baseUrl, hosts = [] }: OwnHostSettings): readonly string[] | undefined {
  if (!IS_LOOPBACK.test(host)) return undefined;
  const own = host.includes(':') ? `[${host}]` : host;
  const shown = baseUrl === undefined ? [] : [new URL(baseUrl).hostname];
  return [...new Set([...LOOPBACK_HOSTS, own, ...shown, ...hosts].map((name) => name.toLowerCase()))];
}

/**
 * Whether scripts of a web page of this origin may send requests: one of the hub's own names, on any port. A hub that does not listen on loopback has only the
 * names in its settings.
 */
export function isOwnOrigin(origin: string, settings: OwnHostSettings): boolean {
  if (!/^https?:\/\/[^/?#@]+$/i.test(origin)) return false;
  const { host, baseUrl, hosts = [] } = settings;
  const named = [host, ...hosts, ...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname])];
  const own = ownHosts(settings) ?? named.map((name) => name.toLowerCase());
  return own.includes(hostNameOf(origin.replace(/^https?:\/\//i, '')));
}

export interface ReachSettings extends OwnHostSettings {
  readonly trustProxies: readonly string[];
}

/** Whether only this machine can send requests: it listens on loopback, without a proxy in front of it. */
export function isForThisMachine({ host, baseUrl, hosts = [], trustProxies }: ReachSettings): boolean {
  const isShownHere = baseUrl === undefined || LOOPBACK_HOSTS.includes(new URL(baseUrl).hostname);
  return IS_LOOPBACK.test(host) && isShownHere && hosts.length === 0 && trustProxies.length === 0;
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
