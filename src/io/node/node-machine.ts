import { lookup } from 'node:dns/promises';
import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type FolderAccess = 'writable' | 'read-only' | 'missing' | 'no folder';

export async function folderAccess(folder: string): Promise<FolderAccess> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'no folder';
    await access(folder, constants.W_OK | constants.X_OK);
    return 'writable';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return 'missing';
    return code === 'ENOTDIR' ? 'no folder' : 'read-only';
  }
}

/** What is left for users on the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** How many files this process may have open; undefined if unknown. */
export async function openFileLimit(): Promise<number | undefined> {
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
    return soft === undefined ? undefined : soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return undefined;
  }
}

/** `free`, or the code of the error that listening there meets, like `EADDRINUSE`. */
export function portState(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error) ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

export type NameResolution =
  | { readonly is: 'addresses'; readonly addresses: readonly string[] }
  | { readonly is: 'failed'; readonly because: string };

/** As the system resolves names, in no more than `timeoutMs`. */
export async function resolveName(name: string, timeoutMs: number): Promise<NameResolution> {
  const found = lookup(name, { all: true }).then(
    (answers): NameResolution => ({ is: 'addresses', addresses: answers.map(({ address }) => address) }),
    (error: unknown): NameResolution => ({ is: 'failed', because: codeOf(error) ?? String(error) }),
  );
  const late: NameResolution = { is: 'failed', because: `no answer within ${timeoutMs / 1000} s` };
  const ended = new AbortController();
  const deadline = pause(timeoutMs, late, { signal: ended.signal, ref: false }).catch(() => late);
  try {
    return await Promise.race([found, deadline]);
  } finally {
    ended.abort();
  }
}

/** Whether a package can be loaded from here. */
export function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
