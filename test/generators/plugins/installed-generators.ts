import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = resolve(HERE, '../../..');
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E429|E5\d\d)\b/;
const TRIES = 2;
const MOST_TURNS = 3600;

export interface InstalledGenerators {
  /** Where the generators are, and this package beside them. */
  readonly folder: string;
  /** Why they are not. */
  readonly missing?: string;
}

/**
 * The generators of `package-lock.json`, installed once for each state of that file, outside of the tree.
 *
 * Two tests that want them at once install them once. Where the registry cannot be reached the reason is given.
 */
export async function installedGenerators(): Promise<InstalledGenerators> {
  const lock = readFileSync(join(HERE, 'package-lock.json'));
  const cache = join(ROOT, '.tmp', 'generators');
  const folder = join(cache, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  mkdirSync(cache, { recursive: true });
  const release = await takeTurn(`${folder}.lock`);
  try {
    if (existsSync(folder)) return { folder };
    let failure = await install(`${folder}.partial`);
    for (let tries = 1; failure !== undefined && tries < TRIES; tries += 1)
      failure = await install(`${folder}.partial`);
    if (failure !== undefined) return { folder, missing: failure };
    renameSync(`${folder}.partial`, folder);
    return { folder };
  } finally {
    release();
  }
}

async function install(partial: string): Promise<string | undefined> {
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial);
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(HERE, file), join(partial, file));
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', words, { cwd: partial, timeout: 30 * 60_000, maxBuffer: 2 ** 26 });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    rmSync(partial, { recursive: true, force: true });
    if (UNREACHABLE.test(said)) return `the registry of npm cannot be reached: ${UNREACHABLE.exec(said)?.[0]}`;
    throw new Error(`npm ci of the generators failed.\n${said}`, { cause: error });
  }
  // Beside them, as users have it.
  symlinkSync(ROOT, join(partial, 'node_modules', 'tidings'), 'junction');
  return undefined;
}

/** Waits until nobody else installs. A lock whose process is gone is taken over. */
async function takeTurn(lock: string): Promise<() => void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch {
      if (!isAlive(ownerOf(lock))) rmSync(lock, { force: true });
      await wait(500);
    }
  }
  throw new Error(`${lock} is held for too long. Delete it if no test runs.`);
}

function ownerOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  // Not yet written, or just gone: look again.
  if (!(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
