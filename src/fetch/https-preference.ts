/**
 * Uses https if a host has said that it can (AIWebIndex 2.0 §7): by Strict-Transport-Security, or by a permanent redirect.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc6797
 */

import type { HostMemory } from './host-memory.ts';
import type { HttpResponse } from './http-client.ts';

/** A redirect names no lifetime; it is checked again after this time. */
const REDIRECT_MS = 24 * 3600_000;
const LONGEST_MS = 2 * 365 * 24 * 3600_000;

/** The same URL over https if the host is known to support it. An explicit port belongs to its scheme and stays. */
export async function preferHttps(url: URL, memory: HostMemory, nowMs: number): Promise<URL> {
  if (url.protocol !== 'http:' || url.port !== '') return url;
  if ((await memory.until('https', url.hostname)) <= nowMs) return url;
  const secure = new URL(url);
  secure.protocol = 'https:';
  return secure;
}

export async function rememberHttps(
  asked: URL,
  { url, headers }: HttpResponse,
  { memory, nowMs }: { readonly memory: HostMemory; readonly nowMs: number },
): Promise<void> {
  if (url.protocol !== 'https:' || url.port !== '') return;
  const seconds = /(?:^|[\s;])max-age\s*=\s*"?(\d{1,12})/i.exec(headers['strict-transport-security'] ?? '')?.[1];
  if (seconds === '0') return await memory.forget('https', url.hostname);
  if (seconds !== undefined) {
    return await memory.extend('https', url.hostname, nowMs + Math.min(Number(seconds) * 1000, LONGEST_MS));
  }
  const wasRedirected = asked.protocol === 'http:' && asked.hostname === url.hostname;
  if (wasRedirected) await memory.extend('https', url.hostname, nowMs + REDIRECT_MS);
}
