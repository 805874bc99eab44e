import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { type CardSnapshot, encodeCard, findInCard } from './encode-card.ts';

const SNAPSHOT: CardSnapshot = {
  feed: 'https://api.example/.well-known/agent-feed.xml',
  did: 'did:web:api.example',
  endpoints: [{ 'endpoint-id': 'a', protocol: 'rest', url: 'https://api.example/a', version: '1' }],
};

function encode(existing?: string): string {
  const encoded = encodeCard('api.example', SNAPSHOT, existing);
  if (!encoded.ok) throw new Error(encoded.issues[0].message);
  return encoded.value;
}

test('a new card is a name and the snapshot', () => {
  expect(JSON.parse(encode())).toEqual({ name: 'api.example', agentFeed: SNAPSHOT });
});

clause('AF-SN1', 'all of a card but our member keeps its bytes, however it is laid out', () => {
  const cards = [
    '{}',
    '{ }',
    '{\n}\n',
    '{"n":1.0,"big":12345678901234567890}',
    '{"10":1,"9":2,"b":{"agentFeed":1},"s":"}\\"]\\\\"}',
    '{\n\t"name": "A",\n\t"list": [1, {"x": "y"}]\n}\n',
    '  {"a":true , "agentFeed" : {"old": [1]} , "z":null}  ',
    '{"agentFeed":"x"}',
    '{"__proto__":{"a":1},"agentFeed":-1.5e3}',
  ];
  for (const card of cards) {
    const merged = encode(card);
    const { agentFeed, ...others } = JSON.parse(merged);
    const { agentFeed: _, ...before } = JSON.parse(card);
    expect(agentFeed, card).toEqual(SNAPSHOT);
    expect(others, card).toEqual(before);
    expect(encode(merged), card).toBe(merged);
    const digits = /[\d.]{15,}|1\.0/g;
    expect(merged.match(digits), card).toEqual(card.match(digits));
  }
  expect(encode('  {"a":true , "agentFeed" : {"old": [1]} , "z":null}  ')).toBe(
    `  {"a":true , "agentFeed" : ${JSON.stringify(SNAPSHOT)} , "z":null}  `,
  );
});

test('what is no card is refused', () => {
  for (const card of ['', 'x', '[]', '1', '"x"', '{"a":1,"a":1}', '{"a":', '['.repeat(500)]) {
    expect(encodeCard('x', SNAPSHOT, card), card.slice(0, 20)).toMatchObject({ ok: false });
  }
});

test('texts are found anywhere but in our member', () => {
  const card = '{"url":"u","a/b":[{"~":"u"},"v"],"agentFeed":{"url":"u"},"u":"w"}';
  expect(findInCard(card, new Set(['u']))).toEqual(['/url', '/a~1b/0/~0']);
});
