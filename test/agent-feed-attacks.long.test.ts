import { expect, test } from 'vitest';
import { createReader } from '../src/dialects/agent-feed/read/create-reader.ts';
import { MemoryReaderState } from '../src/dialects/agent-feed/read/memory-reader-state.ts';
import { SIGNATURES, SIGNED_TEXT } from './agent-feed-attacks/on-signatures.ts';
import { ANSWERS } from './agent-feed-attacks/with-answers.ts';
import { IDENTITY, PAYLOADS } from './agent-feed-attacks/with-identity.ts';
import { MARKUP } from './agent-feed-attacks/with-markup.ts';
import { TOLD_OTHERWISE } from './agent-feed-attacks/with-signed-words.ts';
import { STATUS } from './agent-feed-attacks/with-status.ts';
import { clause } from './clause.ts';
import { type Attack, effectsOf } from './support/agent-feed-attacks.ts';
import { announcement, openAgentFeedLab } from './support/agent-feed-origin.ts';
import { PLANTED } from './support/agent-feed-planted.ts';

const GROUPS: readonly (readonly [string, readonly Attack[]])[] = [
  ['on the signed text', SIGNED_TEXT],
  ['on the signature and the signer', SIGNATURES],
  ['with what the publisher did sign', TOLD_OTHERWISE],
  ['with markup', MARKUP],
  ['with what the feed says of itself', STATUS],
  ['with did.json', IDENTITY],
  ['with payloads that mean nothing', PAYLOADS],
  ['with the answers of a server', ANSWERS],
];

clause(['AF-V7', 'AF-U1'], 'there are attacks on every part of what is not signed', () => {
  const names = GROUPS.flatMap(([group, attacks]) => attacks.map(({ name }) => `${group}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(150);
});

test.each(GROUPS)('nothing is wrongly applied by attacks %s', async (_, attacks) => {
  const lab = await openAgentFeedLab();
  const effects: Record<string, readonly string[]> = {};
  for (const attack of attacks) {
    const problems = await effectsOf(lab, attack);
    if (problems.length > 0) effects[attack.name] = problems;
  }
  expect(effects).toEqual({});
});

test.each([1, 2])('of a large feed nothing but what is signed is applied, with cores: %i', async (cores) => {
  const lab = await openAgentFeedLab();
  const origin = lab.origin('api.example');
  const entries = Array.from({ length: 600 }, (_, at) => {
    const entry = announcement(`urn:${at}`, { 'endpoint-id': `api-${at}`, endpoint: `/${at}` });
    return at % 3 === 0 ? { ...entry, key: 'stranger', signer: '#key-1' } : entry;
  });
  origin.publish({ entries });
  const state = new MemoryReaderState();
  await using reader = createReader({ http: lab.http, state, now: () => lab.clock.nowMs, cores });
  const report = await reader.ingest(origin.url);
  expect(report).toMatchObject({ applied: 400, skipped: 200 });
  const learned = (await state.factsOf(report.feedUrl, 0, 1000)).map(({ entryId }) => entryId);
  expect(learned).toEqual(entries.flatMap(({ id }, at) => (at % 3 === 0 ? [] : id)));
});

test('an id that an attacker used for an old payload is still free for the entry of the publisher', async () => {
  const lab = await openAgentFeedLab();
  const origin = lab.origin('api.example');
  const reader = lab.reader();
  const first = announcement('urn:1');
  const next = announcement('urn:2', { version: '2.0' });
  origin.publish({ entries: [first, { ...first, id: next.id }] });
  expect((await reader.ingest(origin.url)).events).toMatchObject([{ event: 'repeated-payload', entryId: 'urn:2' }]);
  origin.publish({ entries: [first, next] });
  const report = await reader.ingest(origin.url, { refresh: true });
  expect(report).toMatchObject({ applied: 1, lastSeen: 'urn:2', endpoints: [{ version: '2.0' }] });
});

/** Which of the attacks finds out that a defence is lacking. */
const FOUND_OUT: readonly (readonly [string, string])[] = [
  ['verifies no signature', 'another URL in the payload'],
  ['takes loose Base64', 'padding'],
  ['trims the signed text', 'a blank before the payload'],
  ['passes over comments', 'a comment in the payload'],
  ['guesses the type', 'a deprecation as an announcement'],
  ['sorts by date', 'the dates of entries turned round'],
  ['takes every status for active', 'terminated'],
  ['takes every version for its own', 'a version to come'],
  ['takes the DID document of anybody', 'that of the same host at another port'],
  ['finds entries wherever they stand', 'an entry inside a foreign element'],
  ['forgets which payloads it had', 'an old payload under a fresh id, last'],
  ['forgets which entries it had', 'a byte-order mark'],
];

test.each(FOUND_OUT)('a reader that %s is found out', async (defect, name) => {
  const lab = await openAgentFeedLab();
  const attack = GROUPS.flatMap(([, attacks]) => attacks).find((each) => each.name === name);
  const makeReader = PLANTED[defect];
  if (attack === undefined || makeReader === undefined) throw new Error('There is no such attack or no such reader.');
  expect(await effectsOf(lab, {}, makeReader)).toEqual([]);
  expect(await effectsOf(lab, attack, makeReader)).not.toEqual([]);
});
