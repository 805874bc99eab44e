import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hubHistory } from './hub-history.ts';
import { PinFile } from './pinned.ts';
import { openSteadyWorld, type SteadyWorld } from './steady-world.ts';

/**
 * What a hub serves is pinned byte for byte, with the headers that readers count on. A mismatch is a change of what readers
 * get: where it is meant, record the pins anew with TIDINGS_PIN=record and say in the commit what changes and why.
 */
const pins = new PinFile(new URL('hub.pin.json', import.meta.url));
/** An end for what hangs, also beside others that need all of the machine. */
const LONGEST_MS = 600_000;
let root: string;
let world: SteadyWorld;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tidings-pin-'));
});

afterAll(() => {
  world.leave();
  rmSync(root, { recursive: true, force: true });
  pins.close();
});

test(
  'every document of a hub with a source of each kind is the one that is pinned, round by round',
  async () => {
    const differences: string[] = [];
    world = openSteadyWorld();
    for await (const { round, found } of hubHistory(join(root, 'hub'), world)) {
      differences.push(...pins.compare('hub', round, found));
    }
    expect(differences.join('\n')).toBe('');
  },
  LONGEST_MS,
);
