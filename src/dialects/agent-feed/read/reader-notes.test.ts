import { expect, test } from 'vitest';
import { noteOf } from './reader-notes.ts';

const PLACE = { origin: 'https://api.example', feedUrl: 'https://api.example/.well-known/agent-feed.xml' };

test('a note is one line, and the words of others stand in it in quotes and cut short', () => {
  const entryId = `urn:af:"\n\u001b[31m${'x'.repeat(1000)}`;
  const note = noteOf({ event: 'unverified-entry', ...PLACE, entryId, reason: 'The signature does not verify.' });
  expect(note).toMatch(/^The entry "urn:af:\\" \[31mx+…" is passed over: The signature does not verify\.$/);
  expect(note?.length).toBeLessThan(300);
});

test('what the outcome of a check says is not noted as well', () => {
  expect(noteOf({ event: 'terminated', origin: PLACE.origin, feedStatus: 'terminated' })).toBeUndefined();
  expect(noteOf({ event: 'did-unreachable', origin: PLACE.origin, reason: 'x' })).toBeUndefined();
});

test('what is passed over for a limit says so', () => {
  expect(noteOf({ event: 'limit-exceeded', ...PLACE, entryId: 'c:1000', endpointId: 'orders' })).toBe(
    'The entry "c:1000" says more of "orders" than is kept, and is passed over.',
  );
});

test('a move says where to, or why not', () => {
  const move = { event: 'migrated', origin: PLACE.origin, to: 'https://new.example/' } as const;
  expect(noteOf(move)).toBe('The feed moved to "https://new.example/".');
  expect(noteOf({ ...move, refused: 'It leads in a circle.' })).toBe(
    'The feed moved and is not followed: It leads in a circle.',
  );
});
