import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One per test process, so that no run sees the pauses or pages of another. */
export const CACHE = mkdtempSync(join(tmpdir(), 'tidings-cache-'));
process.once('exit', () => rmSync(CACHE, { recursive: true, force: true }));

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Runs the built command line like a user: another process, real pipes. */
export function tidings(...args: string[]): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      timeout: 110_000,
      env: { PATH: process.env.PATH, TIDINGS_CACHE: CACHE },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
