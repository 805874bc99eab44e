import { createHash } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import { LogLockedError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { IssuedToken, TokenStore } from '../../verify/token-store.ts';
import { codeOf } from '../files/folder.ts';
import { syncFolder } from '../files/growth.ts';
import { makeFolder } from '../files/make-folder.ts';
import { lockFile, type WriterLock } from '../sqlite/writer-lock.ts';

const FILE = 'verification-tokens.json';
/** Each of them waits a little by itself. */
const LOCK_ATTEMPTS = 20;

interface Tokens {
  readonly current: Map<string, IssuedToken>;
  /** SHA-256, in hex, of every token that was ever issued. */
  readonly issued: Set<string>;
}

/**
 * Tokens in one JSON file of mode 0600, which is replaced as a whole:
 *
 *     {"version":1,"current":[{"domain":"example.com","token":"8a93…","issuedAt":"2026-…"}],"issued":["5f1c…"]}
 */
export function createFileTokenStore(folder: string): TokenStore {
  const file = join(folder, FILE);
  return {
    name: folder,

    async current(domain) {
      return (await readTokens(file)).current.get(domain);
    },

    async issue(token) {
      await using _ = await lockStore(folder);
      const tokens = await readTokens(file);
      const hash = createHash('sha256').update(token.token).digest('hex');
      if (tokens.issued.has(hash)) return false;
      tokens.issued.add(hash);
      tokens.current.set(token.domain, token);
      await replaceTokens(file, tokens);
      await syncFolder(folder);
      return true;
    },
  };
}

async function lockStore(folder: string): Promise<AsyncDisposable> {
  try {
    makeFolder(folder);
  } catch (error) {
    throw explain(folder, error);
  }
  for (let attempt = 1; attempt <= LOCK_ATTEMPTS; attempt += 1) {
    const lock: WriterLock | undefined = await lockFile(join(folder, '.verification-tokens.lock'));
    if (lock !== undefined) return { [Symbol.asyncDispose]: () => lock.release() };
  }
  throw new LogLockedError(folder, 'issue a token');
}

async function readTokens(file: string): Promise<Tokens> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { current: new Map(), issued: new Set() };
    throw explain(file, error);
  }
  const tokens = decode(text);
  if (tokens !== undefined) return tokens;
  throw new StateCorruptError(file, 'This is no list of tokens.', 'Restore it, or name another --state.');
}

/** Temp, fsync, rename. A temporary file that a killed run left is replaced, whatever its mode was. */
async function replaceTokens(file: string, { current, issued }: Tokens): Promise<void> {
  const temporary = `${file}.next`;
  try {
    await rm(temporary, { force: true });
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(
        `${JSON.stringify({ version: 1, current: [...current.values()], issued: [...issued] })}\n`,
      );
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw explain(file, error);
  }
}

function decode(text: string): Tokens | undefined {
  const wire = parseObject(text);
  if (wire?.version !== 1 || !Array.isArray(wire.current) || !Array.isArray(wire.issued)) return undefined;
  const current = wire.current.filter(isIssuedToken);
  const issued = wire.issued.filter((hash) => typeof hash === 'string');
  if (current.length !== wire.current.length || issued.length !== wire.issued.length) return undefined;
  return { current: new Map(current.map((token) => [token.domain, token])), issued: new Set(issued) };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isIssuedToken(value: unknown): value is IssuedToken {
  if (typeof value !== 'object' || value === null) return false;
  const { domain, token, issuedAt } = value as Record<string, unknown>;
  return [domain, token, issuedAt].every((text) => typeof text === 'string' && text !== '');
}

function explain(path: string, error: unknown): FolderError {
  const code = codeOf(error);
  const what =
    code === 'EEXIST' || code === 'ENOTDIR'
      ? 'a file is where a folder should be. --state (or TIDINGS_STATE) names the folder for tokens.'
      : `it cannot be read or written (${code}). Check its permissions, or name another folder with --state.`;
  return new FolderError(path, what, error);
}
