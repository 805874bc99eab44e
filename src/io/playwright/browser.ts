import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { wait } from '../node/timer-wait.ts';
import { memoryOfGroup } from './memory.ts';
import { type BrowserPipe, createBrowserPipe } from './pipe.ts';
import { ensureSandbox } from './sandbox.ts';
import { chromiumSwitches } from './switches.ts';

export interface BrowserOptions {
  readonly executable: string;
  readonly userAgent: string;
  readonly maxMemoryBytes: number;
  /** See {@link ensureSandbox}, which throws if needed. */
  readonly allowUnsandboxed?: boolean | undefined;
  /** Called when the browser ended without being asked to, or has to be ended. */
  readonly onBroken: (reason: string) => void;
}

/** One separate Chromium with its own process group and folder, which leaves nothing at the end. */
export interface BrowserProcess {
  readonly pipe: BrowserPipe;
  readonly folder: string;
  /** Ends it and removes its folder. A browser that may be busy with a hostile page is not asked first. */
  end(how: 'ask' | 'kill'): Promise<void>;
}

const MEMORY_LOOK_MS = 200;
const ASKING_MS = 1000;
const KILLING_MS = 1000;
const GROUP_LOOK_MS = 10;
/** Not longer: where nobody buries the dead, they stay in the group for ever. */
const GROUP_LOOKS = 30;
const LAST_WORDS_LENGTH = 2000;
const UNENDED = new AbortController().signal;

export async function startBrowser({
  executable,
  userAgent,
  maxMemoryBytes,
  allowUnsandboxed,
  onBroken,
}: BrowserOptions): Promise<BrowserProcess> {
  const sandbox = ensureSandbox({ allowUnsandboxed });
  const folder = await mkdtemp(join(tmpdir(), `tidings-render-${process.pid}-`));
  const profileFolder = join(folder, 'profile');
  await mkdir(profileFolder);
  const switches = chromiumSwitches({ userAgent, profileFolder, sandbox });
  const child = spawn(executable, switches, {
    cwd: folder,
    env: environment(folder),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const removeAtOnce = () => {
    kill(child);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', removeAtOnce);

  const lastWords = listen(child);
  child.once('error', (error) => onBroken(`the browser does not start (${error.message})`));
  child.once('exit', (code, signal) => onBroken(`the browser ended (${signal ?? `exit ${code}`})${lastWords()}`));
  const memory = setInterval(() => {
    if ((memoryOfGroup(child.pid ?? 0) ?? 0) > maxMemoryBytes) onBroken('it takes too much memory');
  }, MEMORY_LOOK_MS);

  const pipe = createBrowserPipe({ ...endsOf(child), onBroken });
  return {
    pipe,
    folder,
    async end(how) {
      clearInterval(memory);
      if (how === 'ask' && isRunning(child)) {
        pipe.askToClose();
        await within(ASKING_MS, ended(child));
      }
      kill(child);
      await within(KILLING_MS, groupEnded(child));
      process.removeListener('exit', removeAtOnce);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** Nothing of our own environment: it may hold secrets, and settings that would open a way out. */
function environment(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_RUNTIME_DIR: folder,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
}

function endsOf(child: ChildProcess): { read: Readable; write: Writable } {
  const [, , , write, read] = child.stdio;
  if (!(write instanceof Writable) || !(read instanceof Readable))
    throw new Error('The browser was started without its pipe');
  return { read, write };
}

/** What the browser complained of before it ended, for the message; the noise of a desktop that is not there left out. */
function listen(child: ChildProcess): () => string {
  let words = '';
  child.stderr?.on('error', () => {});
  child.stderr?.on('data', (piece: Buffer) => {
    words = (words + piece.toString()).slice(-LAST_WORDS_LENGTH);
  });
  return () => {
    const line = words.split('\n').findLast((text) => /FATAL|sandbox|cannot|error while/i.test(text));
    return line === undefined ? '' : `: ${line.replace(/^\[[^\]]*\]\s*/, '').slice(0, 300)}`;
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function ended(child: ChildProcess): Promise<void> {
  if (isRunning(child)) await once(child, 'exit');
}

/** The others of the group end a moment after the browser, and may write into its folder until then. */
async function groupEnded(child: ChildProcess): Promise<void> {
  await ended(child);
  for (let looks = 0; looks < GROUP_LOOKS && isGroupAlive(child.pid); looks += 1) await wait(GROUP_LOOK_MS, UNENDED);
}

function isGroupAlive(groupId: number | undefined): boolean {
  try {
    return groupId !== undefined && process.kill(-groupId, 0);
  } catch {
    return false;
  }
}

/** The whole group, because a page's own process can outlive the browser's. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
    child.kill('SIGKILL');
  }
}

async function within(ms: number, task: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([task, wait(ms, enough.signal)]).finally(() => enough.abort());
}
