import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../torture/harness.ts';
import { CACHE } from './cli.ts';

const MAIN = join(projectRoot(), 'dist', 'cli', 'main.js');

export const TOKEN = 'a-token-of-the-tests-0123456789';

/** A process of a hub, started like an operator does. */
export interface HubProcess extends SpawnedTidings, AsyncDisposable {
  /** Its first output, as JSON. */
  readonly said: { readonly url: string; readonly sources: number };
}

export interface SpawnedTidings {
  readonly child: ChildProcessWithoutNullStreams;
  /** All its output on stderr. */
  stderr(): string;
}

/** The built command line in a process. */
export function spawnTidings(args: readonly string[], env: Readonly<Record<string, string>> = {}): SpawnedTidings {
  const child = spawn(process.execPath, [MAIN, ...args, '--json'], {
    env: { PATH: process.env.PATH, TIDINGS_CACHE: CACHE, TIDINGS_TOKEN: TOKEN, TIDINGS_ALLOW_PRIVATE: '1', ...env },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { child, stderr: () => stderr };
}

/** Resolves when it reports that it runs. */
export async function startTidings(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HubProcess> {
  const { child, stderr } = spawnTidings(args, env);
  const said = await new Promise<string>((resolve, reject) => {
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.includes('\n')) resolve(stdout);
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${stderr()}`)));
  });
  return {
    child,
    said: JSON.parse(said),
    stderr,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
