import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { parseTime } from '../primitives/time.ts';
import { checkAicf } from './check.ts';
import { encodeDiscovery, encodeEvent } from './encode.ts';

type Schema = Readonly<Record<string, unknown>>;

const SPECS = new URL('../../../specs/aicf/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, SPECS), 'utf8');
const DISCOVERY: Schema = JSON.parse(read('discovery.schema.json'));
const EVENT: Schema = JSON.parse(read('event.schema.json'));

/** The keywords that the two schemas use, with formats asserted. A keyword it does not know is an error, not a pass. */
function validates(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, argument]) => holds(keyword, argument, value));
}

function holds(keyword: string, argument: unknown, value: unknown): boolean {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  switch (keyword) {
    case '$schema':
    case 'title':
      return true;
    case 'type':
      if (argument === 'object') return object !== undefined;
      return argument === 'integer' ? Number.isInteger(value) : typeof value === argument;
    case 'required':
      return object === undefined || (argument as string[]).every((key) => Object.hasOwn(object, key));
    case 'properties':
      return Object.entries(argument as Record<string, Schema>).every(
        ([key, schema]) =>
          object === undefined || !Object.hasOwn(object, key) || validates(schema, Reflect.get(object, key)),
      );
    case 'additionalProperties':
      return argument === true;
    case 'enum':
      return (argument as unknown[]).includes(value);
    case 'minLength':
      return typeof value !== 'string' || value.length >= Number(argument);
    case 'minimum':
      return typeof value !== 'number' || value >= Number(argument);
    case 'format':
      return typeof value !== 'string' || hasFormat(String(argument), value);
    default:
      throw new Error(`This validator does not know the keyword "${keyword}".`);
  }
}

function hasFormat(format: string, value: string): boolean {
  if (format === 'date-time') return parseTime(value) !== undefined;
  if (format === 'uri')
    return /^[a-z][a-z0-9+.-]*:/i.test(value) && /^(?:[!#$&-;=?-Z[\]_a-z~]|%[0-9a-f]{2})+$/i.test(value);
  throw new Error(`This validator does not know the format "${format}".`);
}

function seen(where: string, mediaType: string, text: string) {
  const headers = { 'content-type': mediaType };
  return { kind: 'answered', where, status: 200, headers, bytes: new TextEncoder().encode(text) } as const;
}
const discoveryOf = (value: unknown) => seen('discovery', 'application/json', JSON.stringify(value));
const feedOf = (...values: unknown[]) =>
  seen('feed', 'application/x-ndjson', values.map((value) => `${JSON.stringify(value)}\n`).join(''));
const GOOD_DISCOVERY = { aicf_version: '0.1', self: 'https://docs.example/ai-changes.ndjson' };

test('the schema files are those of the specification, §8.1 and §8.2', () => {
  const blocks = [...read('aicf-v0.1.md').matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json.trim());
  const schemas = blocks.filter((json) => json.includes('"$schema"'));
  expect(schemas).toEqual([read('discovery.schema.json').trim(), read('event.schema.json').trim()]);
});

test('the validator refuses what the schemas forbid', () => {
  const event = { id: 'a', action: 'create', url: 'https://h.example/', time: '2025-08-21T10:15:00Z' };
  expect(validates(EVENT, { ...event, chunk_id: 1 })).toBe(true);
  const bad = [
    { id: '' },
    { id: 0 },
    { action: 'move' },
    { url: '/x' },
    { url: 'https://h/é' },
    { time: 'now' },
    { note: null },
  ];
  for (const fields of bad) expect(validates(EVENT, { ...event, ...fields })).toBe(false);
  expect(validates(EVENT, [])).toBe(false);
  expect(validates(EVENT, { id: 'a' })).toBe(false);
  expect(() => validates({ pattern: 'x' }, 'x')).toThrow('keyword "pattern"');
});

clause('AICF-S2', 'every event that is encoded validates against the schema of §8.2', () => {
  const text = fc.string({ unit: anyCharacter, minLength: 1 });
  const change = fc.record(
    {
      id: text,
      action: fc.constantFrom('create' as const, 'update' as const),
      url: fc.webUrl({ withFragments: true, withQueryParameters: true }),
      time: fc.constantFrom('2025-08-21T10:15:00Z', '2025-08-21T12:15:00.5+02:00'),
      anchor: text,
      checksum: text,
      note: text,
      title: text,
    },
    { requiredKeys: ['id', 'action', 'url', 'time'] },
  );
  fc.assert(fc.property(change, (value) => validates(EVENT, JSON.parse(encodeEvent(value)))));
  const deleted = { id: 'a', action: 'delete', url: 'https://h.example/', time: '2025-08-21T10:15:00Z' } as const;
  expect(validates(EVENT, JSON.parse(encodeEvent(deleted)))).toBe(true);
});

clause('AICF-S1', 'every discovery document that is encoded validates against the schema of §8.1', () => {
  const discovery = fc.record(
    {
      aicf_version: fc.constant('0.1'),
      self: fc.webUrl(),
      license: fc.string(),
      about: fc.webUrl(),
      ttl_seconds: fc.nat(),
      archives: fc.array(fc.webUrl()),
      capabilities: fc.array(fc.string()),
    },
    { requiredKeys: ['aicf_version', 'self'] },
  );
  fc.assert(fc.property(discovery, (value) => validates(DISCOVERY, JSON.parse(encodeDiscovery(value)))));
});

const anything = fc.constantFrom<unknown>(
  '',
  'x',
  '0.1',
  'https://h.example/p',
  'https://h.example/é',
  '/p',
  'create',
  60,
  -1,
  1.5,
  null,
  {},
  [],
  true,
);

clause('AICF-S1', 'a check finds exactly the discovery documents that do not validate', () => {
  const fields = fc.record(
    { aicf_version: anything, self: anything, license: anything, about: anything, ttl_seconds: anything, x: anything },
    { requiredKeys: [] },
  );
  let invalid = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fields,
        fields.map((some) => ({ ...GOOD_DISCOVERY, ...some })),
        anything,
      ),
      (value) => {
        const { findings } = checkAicf({ discovery: discoveryOf(value) });
        const found = findings.some((finding) => finding.clause === 'AICF-S1');
        if (found) invalid += 1;
        expect(found).toBe(!validates(DISCOVERY, value));
      },
    ),
    { numRuns: 500 },
  );
  expect(invalid).toBeGreaterThan(50);
});

clause('AICF-S2', 'a check finds exactly the lines that do not validate', () => {
  const good = {
    id: '01K35T3R0000000000000000A0',
    action: 'create',
    url: 'https://h.example/p',
    time: '2025-08-21T10:15:00Z',
  };
  const fields = fc.record(
    {
      id: anything,
      action: anything,
      url: anything,
      time: anything,
      anchor: anything,
      checksum: anything,
      note: anything,
      x: anything,
    },
    { requiredKeys: [] },
  );
  let valid = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fields,
        fields.map((some) => ({ ...good, ...some })),
        fields.map(({ x, note }) => ({ ...good, x, note })),
        anything,
      ),
      (value) => {
        const event: unknown = JSON.parse(JSON.stringify(value));
        const { findings } = checkAicf({ discovery: discoveryOf(GOOD_DISCOVERY), feed: feedOf(event) });
        const found = findings.some((finding) => finding.clause === 'AICF-S2');
        if (!found) valid += 1;
        expect(found).toBe(!validates(EVENT, event));
      },
    ),
    { numRuns: 500 },
  );
  expect(valid).toBeGreaterThan(20);
});
