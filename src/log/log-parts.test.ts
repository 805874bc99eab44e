import { expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import type { Place } from '../model/folder.ts';
import { encodeLogHeader } from './log-file.ts';
import { decodeLogParts, growLogParts, logPartPath, logTextOf, readLogParts } from './log-parts.ts';
import { placeChanges } from './place-changes.ts';

const SITE = 'https://docs.example/';
const MAX_BYTES = 900;

function changes(count: number, last?: Change): Change[] {
  const drafts = Array.from({ length: count }, (_, at) => ({
    source: 'docs',
    action: 'update' as const,
    url: `${SITE}${at}`,
  }));
  return placeChanges(drafts, { last, nowMs: 1_772_366_400_000, random: (size) => new Uint8Array(size).fill(7) });
}

class MemoryPlace implements Place {
  readonly name = 'site';
  readonly files = new Map<string, string>();

  async read(path: string) {
    const text = this.files.get(path);
    return text === undefined ? undefined : Buffer.from(text);
  }

  /** Writes no more than `writes` files, as a run that is cut off. */
  append(added: readonly Change[], last: Change | undefined, writes = Number.POSITIVE_INFINITY): void {
    const number = Math.max(1, this.files.size);
    const bytes = Buffer.byteLength(this.files.get(logPartPath(number)) ?? '');
    for (const growth of growLogParts(added, { site: SITE, last, number, bytes }, MAX_BYTES).slice(0, writes)) {
      const path = logPartPath(growth.number);
      const before = growth.isNew ? '' : (this.files.get(path) ?? encodeLogHeader(SITE));
      this.files.set(path, before + growth.text);
    }
  }
}

test('a log that grows too large goes on in further files, and reads as one', async () => {
  const place = new MemoryPlace();
  const first = changes(3);
  place.append(first, undefined);
  const second = changes(20, first.at(-1));
  place.append(second, first.at(-1));
  expect(place.files.size).toBeGreaterThan(3);
  for (const text of place.files.values()) expect(text.length).toBeLessThanOrEqual(MAX_BYTES + 120);

  const parts = await readLogParts(place);
  expect(parts.map(({ path }) => path)).toEqual(Array.from({ length: parts.length }, (_, at) => logPartPath(at + 1)));
  expect(decodeLogParts(parts, 'site')).toEqual({ site: SITE, changes: [...first, ...second] });
  expect(logTextOf(parts).split('\n')).toHaveLength(25);
});

test('changes that fill several files are there all at once, whatever write a run is cut off before', async () => {
  const first = changes(3);
  const second = changes(20, first.at(-1));
  const files = growLogParts(second, { site: SITE, last: first.at(-1), number: 1, bytes: 700 }, MAX_BYTES).length;
  expect(files).toBeGreaterThan(3);
  for (let writes = 0; writes <= files; writes += 1) {
    const place = new MemoryPlace();
    place.append(first, undefined);
    place.append(second, first.at(-1), writes);
    const { changes: read } = decodeLogParts(await readLogParts(place), 'site');
    expect(read).toHaveLength(writes < files ? 3 : 23);
  }
});

test('a broken line is told with its own file', () => {
  const [text = ''] = [encodeLogHeader(SITE)];
  const parts = [
    { path: 'log.ndjson', text },
    { path: 'log-2.ndjson', text: `${text}{"seq":\n` },
  ];
  expect(() => decodeLogParts(parts, 'site')).toThrow(/site\/log-2\.ndjson:2/);
});
