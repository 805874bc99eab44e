import { spawnSync } from 'node:child_process';
import type { Cost } from './harness.ts';

/** The shell measures a process to its very end: an empty Node spends a third of its time after its last output. */
const TIMED = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" 2>/dev/null';

/**
 * One process of Node, including start-up. A run with unexpected output says nothing about its cost. Environment variables are not passed on:
 * NODE_EXTRA_CA_CERTS alone makes an empty Node three times as expensive.
 */
export function runNode(args: readonly string[], says: string): Cost {
  const started = process.hrtime.bigint();
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const shell = ['--norc', '-c', TIMED, process.execPath, ...args];
  const { stdout, stderr } = spawnSync('bash', shell, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  const wallUs = Number(process.hrtime.bigint() - started) / 1000;
  const [, user, system] = stderr.match(/^([\d.]+) ([\d.]+)\n$/) ?? [];
  if (user === undefined || !stdout.includes(says)) throw new Error(`Not what was to be measured: ${stdout}${stderr}`);
  return { cpuUs: (Number(user) + Number(system)) * 1e6, wallUs };
}
