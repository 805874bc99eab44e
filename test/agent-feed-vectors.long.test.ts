import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { decodePayload } from '../src/codecs/agent-feed/decode-payload.ts';
import { decodeDidDocument, methodFor } from '../src/codecs/agent-feed/did-document.ts';
import { decodeSignature, encodeSignature } from '../src/codecs/agent-feed/signature-text.ts';
import type { EntryType } from '../src/codecs/agent-feed/wire.ts';
import { canonicalJson } from '../src/codecs/primitives/canonical-json.ts';
import { createReader } from '../src/dialects/agent-feed/read/create-reader.ts';
import { MemoryReaderState } from '../src/dialects/agent-feed/read/memory-reader-state.ts';
import type { IngestReport } from '../src/dialects/agent-feed/read/reader.ts';
import type { HttpClient } from '../src/fetch/http-client.ts';
import { findDisagreement } from '../src/surface/disagreement.ts';
import { publicKeyOfSeed, signBytes, verifySignature } from '../src/surface/ed25519.ts';
import type { EndpointRecord } from '../src/surface/endpoint-record.ts';
import { shapeOf } from '../src/surface/shape.ts';
import { createSurfaceTable } from '../src/surface/surface-table.ts';
import { clause } from './clause.ts';

const VECTORS = fileURLToPath(new URL('../specs/agent-feed/vectors', import.meta.url));
const GENERATOR = fileURLToPath(new URL('../scripts/make-agent-feed-vectors.mjs', import.meta.url));
const ORIGIN = 'https://api.example';
const FEED_URL = `${ORIGIN}/.well-known/agent-feed.xml`;

interface Manifest {
  readonly version: string;
  readonly date: string;
  readonly specification: string;
  readonly cases: Readonly<Record<string, number>>;
  readonly sha256: Readonly<Record<string, string>>;
}

describe('the vector set', () => {
  const manifest = read<Manifest>('manifest.json');

  clause(
    ['AF-CT9', 'AF-CT10'],
    'has a version and a date, and says how many cases of each kind there are to pass',
    () => {
      expect(manifest).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        specification: 'agent-feed draft-00',
      });
      const lengths = Object.keys(manifest.cases).map((name) => {
        const cases = read<readonly unknown[] | Record<string, readonly unknown[]>>(name);
        return [name, (Array.isArray(cases) ? cases : Object.values(cases).flat()).length];
      });
      expect(Object.fromEntries(lengths)).toEqual(manifest.cases);
      const readme = readFileSync(join(VECTORS, 'README.md'), 'utf8');
      expect(readme).toContain(`Version ${manifest.version} of ${manifest.date}`);
      for (const [name, count] of Object.entries(manifest.cases))
        expect(readme).toContain(`| \`${name}\` | ${count} |`);
    },
  );

  test('is as its manifest says', () => {
    const hashes = Object.keys(manifest.sha256).map((name) => [name, sha256(readFileSync(join(VECTORS, name)))]);
    expect(Object.fromEntries(hashes)).toEqual(manifest.sha256);
    const byHand = ['.gitattributes', 'README.md', 'check.py', 'manifest.json'];
    expect(filesIn(VECTORS)).toEqual([...Object.keys(manifest.sha256), ...byHand].sort());
  });

  test('is made again byte for byte', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
    try {
      execFileSync(process.execPath, [GENERATOR, folder]);
      expect(filesIn(folder)).toEqual([...Object.keys(manifest.sha256), 'manifest.json'].sort());
      for (const name of filesIn(folder)) {
        expect(readFileSync(join(folder, name), 'utf8'), name).toBe(readFileSync(join(VECTORS, name), 'utf8'));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('holds for Python, which shares no line with us', ({ skip }) => {
    let said: string;
    try {
      said = execFileSync('python3', [join(VECTORS, 'check.py')], { encoding: 'utf8' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') skip('python3 is not there');
      throw error;
    }
    expect(said).toMatch(/^\d{3,} hold, 0 do not\n$/);
  });
});

describe('canonicalization', () => {
  const { values, doubles, refused } = read<{
    values: { name: string; input: string; canonical: string; hex: string }[];
    doubles: { name: string; double: string; canonical: string }[];
    refused: { name: string; input?: string; double?: string; within?: string }[];
  }>('canonicalization.json');

  clause(['AF-CT1', 'AF-CJ1', 'AF-CJ3'], 'gives the bytes of each value', () => {
    for (const { name, input, canonical, hex } of values) {
      const text = canonicalJson(JSON.parse(input));
      expect(text, name).toBe(canonical);
      expect(Buffer.from(text).toString('hex'), name).toBe(hex);
    }
    expect(values.length).toBeGreaterThan(55);
  });

  clause(['AF-CJ6', 'AF-CJ7', 'AF-CJ8'], 'writes each double in its shortest form', () => {
    for (const { name, double, canonical } of doubles) expect(canonicalJson(doubleOf(double)), name).toBe(canonical);
  });

  clause(['AF-CT1', 'AF-CJ5'], 'refuses what JSON cannot say', () => {
    for (const { name, input, double = '', within } of refused) {
      const number = doubleOf(double);
      const value: unknown =
        input !== undefined ? JSON.parse(input) : within === undefined ? number : nest(within, number);
      expect(() => canonicalJson(value), name).toThrow(TypeError);
    }
  });
});

describe('signatures', () => {
  const cases =
    read<{ name: string; seed?: string; 'public-key': string; bytes: string; sig: string; valid: boolean }[]>(
      'signatures.json',
    );

  clause(['AF-CT2', 'AF-SG1', 'AF-D2'], 'count or do not', () => {
    for (const { name, 'public-key': key, bytes, sig, valid } of cases) {
      const signature = decodeSignature(sig);
      const isTrue = signature !== undefined && verifySignature(hex(key), hex(bytes), signature);
      expect(isTrue, name).toBe(valid);
    }
    expect(cases.filter(({ valid }) => !valid).length).toBeGreaterThan(30);
  });

  test('come out the same from the same seed', () => {
    for (const { name, seed, 'public-key': key, bytes, sig } of cases) {
      if (seed === undefined) continue;
      expect(encodeSignature(signBytes(hex(seed), hex(bytes))), name).toBe(sig);
      expect(Buffer.from(publicKeyOfSeed(hex(seed))).toString('hex'), name).toBe(key);
    }
  });
});

interface DidCase {
  readonly name: string;
  readonly origin: string;
  readonly signer?: string;
  readonly text: string;
  readonly outcome: 'ok' | 'did-malformed' | 'key-unresolvable';
  readonly 'public-key'?: string;
}

describe('DID documents', () => {
  test.each(read<DidCase[]>('did-documents.json'))('$outcome: $name', (vector) => {
    expect(keyIn(vector)).toEqual({ outcome: vector.outcome, 'public-key': vector['public-key'] });
  });

  function keyIn({ text, origin, signer }: DidCase): Pick<DidCase, 'outcome' | 'public-key'> {
    const document = decodeDidDocument(text, origin);
    if (!document.ok) return { outcome: 'did-malformed' };
    const found = methodFor(document.value, signer);
    if (!found.ok) return { outcome: 'key-unresolvable' };
    return { outcome: 'ok', 'public-key': Buffer.from(found.method.publicKey).toString('hex') };
  }
});

interface Step {
  readonly now: string;
  readonly serve: Readonly<Record<string, string>>;
  readonly operator?: 'retrust';
  readonly expect: Expectation;
}

interface Expectation {
  readonly trust: boolean;
  readonly 'feed-status'?: string | null;
  readonly applied: number;
  readonly 'last-seen'?: string | null;
  readonly endpoints: readonly unknown[];
  readonly events: readonly { event: string; 'entry-id'?: string }[];
  readonly resolve?: Readonly<Record<string, string | null>>;
  readonly crossed?: readonly string[];
  readonly canonical?: Readonly<Record<string, string | null>>;
  readonly 'if-followed'?: { readonly origin: string; readonly trust: boolean; readonly endpoints: readonly unknown[] };
}

describe('feeds', () => {
  test.each(read<(Step & { name: string })[]>('feeds.json'))('$name', async (vector) => {
    await take(vector, new MemoryReaderState());
  });
});

describe('sequences', () => {
  test.each(read<{ name: string; steps: Step[] }[]>('sequences.json'))('$name', async ({ steps }) => {
    const state = new MemoryReaderState();
    for (const step of steps) await take(step, state);
  });
});

interface MismatchCase {
  readonly name: string;
  readonly 'endpoint-id': string;
  readonly entries: readonly { readonly type: EntryType; readonly payload: unknown }[];
  readonly baseline?: unknown;
  readonly response: unknown;
  readonly expect: unknown;
}

describe('mismatch', () => {
  test.each(read<MismatchCase[]>('mismatch.json'))('$name', ({ entries, response, baseline, ...vector }) => {
    const table = createSurfaceTable(new URL(ORIGIN));
    for (const { type, payload } of entries) {
      const fact = decodePayload(type, canonicalJson(payload));
      if (!fact.ok) throw new Error(fact.issues[0].message);
      table.apply(fact.value);
    }
    const [record] = table.find(vector['endpoint-id']);
    if (record === undefined) throw new Error('It is not announced.');
    const known = baseline === undefined ? undefined : shapeOf(baseline);
    expect(findDisagreement(record, shapeOf(response), known) ?? null).toEqual(vector.expect);
  });
});

/** One poll by a reader that was just started over what an earlier one knew. */
async function take({ now, serve, operator, expect: wanted }: Step, state: MemoryReaderState): Promise<void> {
  const reader = createReader({ http: serving(serve), state, now: () => Date.parse(now) });
  const early = operator === 'retrust' ? (await reader.retrust(ORIGIN)).events : [];
  const report = await reader.ingest(ORIGIN, { refresh: true });
  const memory = await state.find(FEED_URL);
  const followed = report.feedUrl === FEED_URL ? undefined : report;
  const own: IngestReport =
    followed === undefined ? report : { ...report, endpoints: [], applied: 0, lastSeen: undefined };

  const events = [...early, ...report.events].map((event) => ({
    event: event.event,
    ...('entryId' in event && event.entryId !== undefined && { 'entry-id': event.entryId }),
  }));
  expect(events).toEqual(wanted.events);
  const got: Record<keyof Expectation, unknown> = {
    trust: memory?.isTrusted,
    'feed-status': memory?.feedStatus ?? null,
    applied: own.applied,
    'last-seen': own.lastSeen ?? null,
    endpoints: own.endpoints.map(written),
    events,
    resolve: await answers(wanted.resolve, (id) => reader.resolveUrl(ORIGIN, id)),
    crossed: reader.events().flatMap((event) => (event.event === 'deprecated-and-sunset' ? event.endpointId : [])),
    canonical: await answers(wanted.canonical, (protocol) => reader.canonicalEndpoint(ORIGIN, protocol)),
    'if-followed': followed && {
      origin: followed.origin,
      trust: followed.trust,
      endpoints: followed.endpoints.map(written),
    },
  };
  const asked = Object.keys(wanted) as (keyof Expectation)[];
  expect(Object.fromEntries(asked.map((name) => [name, got[name]]))).toEqual(wanted);
  expect(followed === undefined).toBe(wanted['if-followed'] === undefined);
}

async function answers(
  wanted: Readonly<Record<string, unknown>> = {},
  ask: (name: string) => Promise<string | undefined>,
): Promise<Record<string, string | null>> {
  const got: Record<string, string | null> = {};
  for (const name of Object.keys(wanted)) got[name] = (await ask(name)) ?? null;
  return got;
}

/** A record in the words of the vectors. */
function written({ endpointId, protocol, url, version, migrations, deprecation }: EndpointRecord): unknown {
  const { sunset, replacement, reason } = deprecation ?? {};
  return {
    'endpoint-id': endpointId,
    protocol: protocol ?? null,
    url: url ?? null,
    version,
    migrations: migrations.map(({ from, to, delta }) => ({ from, to, delta })),
    deprecation: deprecation === undefined ? null : { sunset, replacement, reason },
  };
}

/** Answers with the files of a vector, and for all else that there is nothing. */
function serving(files: Readonly<Record<string, string>>): HttpClient {
  return {
    async get({ url }) {
      const file = files[url.href];
      const body = file === undefined ? Buffer.from('not here') : readFileSync(join(VECTORS, file));
      return {
        url,
        status: file === undefined ? 404 : 200,
        headers: {},
        body: (async function* () {
          yield body;
        })(),
        discard: async () => {},
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(VECTORS, name), 'utf8')) as T;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
}

function doubleOf(bits: string): number {
  return bits === '' ? Number.NaN : Buffer.from(bits, 'hex').readDoubleBE();
}

function nest(within: string, number: number): unknown {
  return JSON.parse(within.replace('$', '"$"'), (_key, value: unknown) => (value === '$' ? number : value));
}

function hex(text: string): Uint8Array {
  return Buffer.from(text, 'hex');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
