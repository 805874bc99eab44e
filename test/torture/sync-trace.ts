import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './harness.ts';

export interface SyncTrace {
  readonly acks: number;
  /** Acknowledgements that no fsync came before, since the one before. */
  readonly unsynced: number;
}

const ACK = /\bwrite\(1, "ack /;
const SYNCED = /\b(?:fsync|fdatasync)(?:\(\d+\)| resumed>\)?).*= 0$/;

/** Reads what strace wrote: every acknowledgement must have a finished fsync between itself and the one before. */
export function readSyncTrace(trace: string): SyncTrace {
  let [acks, unsynced, synced] = [0, 0, false];
  for (const line of trace.split('\n')) {
    if (SYNCED.test(line)) synced = true;
    if (!ACK.test(line)) continue;
    acks += 1;
    if (!synced) unsynced += 1;
    synced = false;
  }
  return { acks, unsynced };
}

/** Undefined where this machine has no strace, or does not let it trace. */
export async function traceAppends(
  store: 'sqlite' | 'file',
  options: { readonly appends: number; readonly flaw?: 'no-sync' },
): Promise<SyncTrace | undefined> {
  if (spawnSync('strace', ['-o', '/dev/null', 'true']).status !== 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'tidings-trace-'));
  try {
    const place = store === 'file' ? join(folder, 'log.ndjson') : folder;
    const output = join(folder, 'trace');
    const strace = ['strace', '-f', '-e', 'trace=fsync,fdatasync,write,pwrite64', '-o', output];
    const args = [place, '1', `${options.appends}`, '1', options.flaw ?? ''];
    const ended = await startChild('append-child.mjs', args, strace).ended;
    if (ended !== 0) throw new Error(`The traced writer ended with ${ended}.`);
    return readSyncTrace(await readFile(output, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
