import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * What an owner publishes (AIWebIndex 2.0 §5): one of
 *
 *     _aiwebindex-verify.example.com TXT "aiwi-verify=8a93c5f2…"
 *     https://example.com/.well-known/aiwebindex-verify.txt with the line aiwi-verify=8a93c5f2…
 */
export interface Publication {
  readonly dns: { readonly name: string; readonly type: 'TXT'; readonly value: string };
  readonly file: { readonly url: string; readonly body: string };
}

const HTTPS_PORT = 443;

export function publicationOf(domain: string, token: string, httpsPort = HTTPS_PORT): Publication {
  const value = `aiwi-verify=${token}`;
  const port = httpsPort === HTTPS_PORT ? '' : `:${httpsPort}`;
  return {
    dns: { name: `_aiwebindex-verify.${domain}`, type: 'TXT', value },
    file: { url: `https://${domain}${port}/.well-known/aiwebindex-verify.txt`, body: `${value}\n` },
  };
}

/** Compares in constant time. Hashes have one length, whatever was published. */
export function isExactly(published: string, value: string): boolean {
  return timingSafeEqual(sha256(published), sha256(value));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
