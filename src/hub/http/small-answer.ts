import { hash } from 'node:crypto';
import type { ServedArtifact } from './answer-artifact.ts';
import type { HubResponse } from './route.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A text as an artifact that readers cache and revalidate each time. */
export function smallArtifact(text: string, mediaType: string, headers?: ServedArtifact['headers']): ServedArtifact {
  const bytes = new TextEncoder().encode(text);
  return { etag: strongEtag(text), bytes, mediaType, cacheControl: 'no-cache', ...(headers && { headers }) };
}

/** The same text always has the same ETag. */
export function strongEtag(text: string): string {
  return `"${hash('sha256', text, 'hex').slice(0, 32)}"`;
}

/** For answers that only the admin may see, or that hold only for this moment. */
export function uncachedJson(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HubResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...headers },
    body: `${JSON.stringify(value)}\n`,
  };
}
