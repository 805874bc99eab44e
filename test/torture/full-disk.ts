import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './harness.ts';

interface Failure {
  readonly name: string;
  readonly recovery: string;
}

/** Ids of changes, in order. */
export interface FullDiskStory {
  readonly acked: readonly string[];
  readonly error?: Failure;
  readonly readBeside: readonly string[];
  readonly errorAgain?: Failure;
  readonly readAgain: readonly string[];
  /** Absent when the append after freeing space went well. */
  readonly afterwards?: Failure;
  readonly readAtLast: readonly string[];
}

/** Fills a disk of 2 MB. Undefined where this user may not mount one. */
export async function fillDisk(store: 'sqlite' | 'file'): Promise<FullDiskStory | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-full-disk-'));
  try {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status === 0;
    if (!mounted) return undefined;
    try {
      const child = startChild('full-disk-child.mjs', [folder, store]);
      const ended = await child.ended;
      if (ended !== 0) throw new Error(`The writer on the full disk ended with ${ended}.`);
      return JSON.parse(child.lines[0] ?? '') as FullDiskStory;
    } finally {
      spawnSync('umount', [folder]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
