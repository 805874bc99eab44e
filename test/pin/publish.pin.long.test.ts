import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_RECORDING, PinFile } from './pinned.ts';
import { API, DOCS, PACKED, publishHistory } from './publish-history.ts';
import { openSteadyWorld, type SteadyWorld } from './steady-world.ts';

/**
 * What a publish writes is pinned byte for byte. A mismatch is a change of what followers get: where it is meant, record the
 * pins anew with TIDINGS_PIN=record and say in the commit what changes and why.
 */
const pins = new PinFile(new URL('publish.pin.json', import.meta.url));
const HISTORIES = [DOCS, API, PACKED];
/** Packages are compressed, and another version of zlib may come to other bytes for the same content. */
const ZLIB_OF_THE_PINS = '1.3.1-e00f703';
const { zlib } = process.versions;
let root: string;
let world: SteadyWorld;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tidings-pin-'));
  world = openSteadyWorld();
});

afterAll(() => {
  world.leave();
  rmSync(root, { recursive: true, force: true });
  pins.close();
});

test.for(HISTORIES)('every publish of the site $name writes the bytes that are pinned', async (history, { skip }) => {
  skip(history === PACKED && zlib !== ZLIB_OF_THE_PINS && !IS_RECORDING, 'zlib is not that of the pins');
  const differences: string[] = [];
  for await (const { step, found } of publishHistory(history, { root: join(root, history.name), world })) {
    differences.push(...pins.compare(history.name, step, found));
  }
  expect(differences.join('\n')).toBe('');
});

test.skipIf(IS_RECORDING)('every pin is of a step that is made', () => {
  expect(pins.steps).toBe(HISTORIES.reduce((sum, { steps }) => sum + steps.length, 0));
});
