import type { HttpClient } from '../fetch/http-client.ts';
import { USER_AGENT } from '../fetch/user-agent.ts';
import { readAuthority } from '../io/file-authority.ts';

export interface HttpOptions {
  /** Reach private addresses too: for local work only. */
  readonly allowPrivate?: boolean;
  /** A PEM file with certificate authorities to trust beside the usual ones. */
  readonly ca?: string;
}

/** The one way out, for every door. */
export async function openHttp({ allowPrivate = false, ca }: HttpOptions): Promise<HttpClient> {
  // Loaded when it is needed: it costs more CPU than the rest of a small publish.
  const { createUndiciHttpClient } = await import('../io/undici-http-client.ts');
  return createUndiciHttpClient({
    allowPrivate,
    userAgent: USER_AGENT,
    ca: ca === undefined ? undefined : await readAuthority(ca),
  });
}
