export interface PGliteServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * PostgreSQL with pgvector inside this process, behind a real socket. It has one session, which the connections share: whoever begins a transaction has it to
 * the end of it, and a connection that is cut in one is rolled back. In memory unless a folder is named.
 */
export function startPGlite(options?: { readonly folder?: string; readonly port?: number }): Promise<PGliteServer>;
