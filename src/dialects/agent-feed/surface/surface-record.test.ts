import { expect, test } from 'vitest';
import { decodeSurfaceRecord, encodeSurfaceRecord, type SurfaceLine, surfaceRecord } from './surface-record.ts';

const TIME = '2026-04-27T12:00:00Z';
const KEY: SurfaceLine = { kind: 'key', id: 'did:web:a.example#key-1', publicKey: 'x', time: TIME };
const ENTRY: SurfaceLine = {
  kind: 'entry',
  id: 'urn:af:a.example:1',
  updated: TIME,
  type: 'deprecation',
  content: '{}',
  signature: 's',
  signer: 'did:web:a.example#key-1',
  time: TIME,
};

test('a record says what is served, what is archived, and how the feed stands', () => {
  const lines: SurfaceLine[] = [
    KEY,
    ENTRY,
    { ...ENTRY, id: 'urn:af:a.example:2' },
    { kind: 'archive', ids: ['urn:af:a.example:1'], time: TIME },
    { kind: 'status', status: 'migrated', to: 'https://b.example/', time: '2026-04-28T12:00:00Z' },
  ];
  const decoded = decodeSurfaceRecord(encodeSurfaceRecord(surfaceRecord(lines)));
  expect(decoded).toEqual({ ok: true, value: surfaceRecord(lines) });
  expect(decoded).toMatchObject({
    value: {
      served: [{ id: 'urn:af:a.example:2' }],
      archived: [{ id: 'urn:af:a.example:1' }],
      status: 'migrated',
      migratedTo: 'https://b.example/',
      updated: '2026-04-28T12:00:00Z',
    },
  });
});

test('an end after a migration leads nowhere', () => {
  const ended = surfaceRecord([
    { kind: 'status', status: 'migrated', to: 'https://b.example/', time: TIME },
    { kind: 'status', status: 'terminated', time: TIME },
  ]);
  expect(ended).toMatchObject({ status: 'terminated' });
  expect(ended.migratedTo).toBeUndefined();
});

test('what is not ours is refused, with its line', () => {
  const bad: readonly unknown[] = [
    null,
    [],
    {},
    { ...KEY, kind: 'other' },
    { ...KEY, time: 'now' },
    { ...KEY, publicKey: 7 },
    { ...ENTRY, updated: '2026' },
    { ...ENTRY, content: undefined },
    { kind: 'status', status: 'active', time: TIME },
    { kind: 'status', status: 'migrated', time: TIME },
    { kind: 'archive', ids: 'x', time: TIME },
    { kind: 'archive', ids: ['urn:unknown'], time: TIME },
    ENTRY,
  ];
  for (const line of bad) {
    const text = `${JSON.stringify(KEY)}\n${JSON.stringify(ENTRY)}\n${JSON.stringify(line)}\n`;
    expect(decodeSurfaceRecord(text), JSON.stringify(line)).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining('Line 3') }],
    });
  }
  expect(decodeSurfaceRecord(JSON.stringify(KEY))).toMatchObject({
    ok: false,
    issues: [{ message: expect.stringContaining('cut short') }],
  });
});
