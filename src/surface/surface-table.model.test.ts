import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../codecs/agent-feed/wire.ts';
import { assertedAt } from './asserted-at.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import { canonicalEndpoint, resolveUrl } from './resolve-url.ts';
import { createSurfaceTable } from './surface-table.ts';

const ORIGIN = new URL('https://api.example');
const SUNSET_MS = Date.parse('2026-10-01T00:00:00Z');

const id = fc.constantFrom('a', 'b', 'c', '__proto__');
const version = fc.constantFrom('1', '2', '3', '1->2');
const time = fc.constantFrom('2026-01-01T00:00:00Z', '2026-10-01T00:00:00Z', '2026-10-01T02:00:00.5+02:00');
const facts: fc.Arbitrary<Fact[]> = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('endpoint-announcement' as const),
      endpointId: id,
      endpoint: fc.constantFrom('/x', '/y', 'https://other.example/z'),
      protocol: fc.constantFrom('rest', 'mcp'),
      version,
      assertedAt: time,
    }),
    fc.record({
      type: fc.constant('schema-change' as const),
      endpointId: id,
      fromVersion: version,
      toVersion: version,
      effectiveAt: time,
      migration: fc.record({ add: fc.constantFrom(['/p'], ['/q']) }),
    }),
    fc.record({
      type: fc.constant('deprecation' as const),
      endpointId: id,
      announcedAt: time,
      sunset: time,
      replacement: fc.option(id),
      reason: fc.option(fc.constant('because')),
    }),
  ),
  { maxLength: 25 },
);

test('the table is what the procedures of the draft, taken one by one, make of the facts', () => {
  fc.assert(
    fc.property(facts, (list) => {
      const table = createSurfaceTable(ORIGIN);
      const model = new Model();
      for (const fact of list) expect(table.apply(fact) ?? null).toBe(model.apply(fact));
      expect(table.records().map(comparable)).toEqual(model.inOrder().map(comparable));
      for (const nowMs of [SUNSET_MS - 1, SUNSET_MS, SUNSET_MS + 500]) {
        for (const one of ['a', 'b', 'c', '__proto__', 'never']) {
          expect(resolveUrl(table, one, nowMs).url ?? null).toBe(model.resolve(one, nowMs));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a table that is put away and taken up again after each fact ends as one that never was', () => {
  fc.assert(
    fc.property(facts, (list) => {
      const whole = createSurfaceTable(ORIGIN);
      let kept: readonly EndpointRecord[] = [];
      for (const fact of list) {
        const resumed = createSurfaceTable(ORIGIN, JSON.parse(JSON.stringify(kept)) as EndpointRecord[]);
        expect(resumed.apply(fact)).toBe(whole.apply(fact));
        kept = resumed.records();
      }
      expect(kept).toEqual(whole.records());
      for (const protocol of ['rest', 'mcp', 'a2a']) {
        const resumed = createSurfaceTable(ORIGIN, kept);
        expect(canonicalEndpoint(resumed, protocol, SUNSET_MS)).toEqual(canonicalEndpoint(whole, protocol, SUNSET_MS));
      }
    }),
    { numRuns: 200 },
  );
});

test('at the end of time all was asserted', () => {
  fc.assert(
    fc.property(facts, (list) => {
      const table = createSurfaceTable(ORIGIN);
      for (const fact of list) table.apply(fact);
      const applied = list.map((fact) => ({ fact }));
      expect(assertedAt(ORIGIN, applied, Number.MAX_SAFE_INTEGER)).toEqual(table.records());
      expect(assertedAt(ORIGIN, applied, 0)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

interface Row {
  id: string;
  protocol?: string;
  url?: string;
  version: string;
  steps: [string, unknown][];
  sunset?: string;
  replacement?: string | null;
  announced: number;
}

/** The pseudo-code of §4, with all rows looked through each time. */
class Model {
  rows: Row[] = [];
  announced = 0;

  apply(fact: Fact): string | null {
    const rows = this.rows.filter((row) => row.id === fact.endpointId);
    if (fact.type === 'endpoint-announcement') {
      this.announced += 1;
      let row =
        rows.find(({ protocol }) => protocol === undefined) ?? rows.find((one) => one.protocol === fact.protocol);
      if (row === undefined) {
        row = { id: fact.endpointId, version: '', steps: [], announced: 0 };
        this.rows.push(row);
      }
      row.protocol = fact.protocol;
      row.url = fact.endpoint.startsWith('/') ? `https://api.example${fact.endpoint}` : fact.endpoint;
      row.version = fact.version;
      row.announced = this.announced;
      return null;
    }
    if (fact.type === 'schema-change') {
      const made: Row = { id: fact.endpointId, version: fact.fromVersion, steps: [], announced: 0 };
      if (rows.length === 0) this.rows.push(made);
      for (const row of rows.length === 0 ? [made] : rows) {
        const key = `${fact.fromVersion} to ${fact.toVersion}`;
        row.steps = [...row.steps.filter(([other]) => other !== key), [key, fact.migration]];
        row.version = fact.toVersion;
      }
      return rows.length === 0 ? 'schema-change-of-unknown' : null;
    }
    for (const row of rows) {
      row.sunset = fact.sunset;
      row.replacement = fact.replacement;
    }
    return rows.length === 0 ? 'deprecation-of-unknown' : null;
  }

  resolve(id: string, nowMs: number, hops = 0, protocol?: string): string | null {
    const rows = this.rows.filter((row) => row.id === id).sort((a, b) => b.announced - a.announced);
    const row = rows.find((one) => protocol !== undefined && one.protocol === protocol) ?? rows[0];
    if (row === undefined || hops > 10) return null;
    if (row.sunset === undefined || nowMs < Date.parse(row.sunset)) return row.url ?? null;
    return row.replacement == null ? null : this.resolve(row.replacement, nowMs, hops + 1, row.protocol);
  }

  inOrder(): Row[] {
    const ids = [...new Set(this.rows.map((row) => row.id))];
    return ids.flatMap((id) => this.rows.filter((row) => row.id === id));
  }
}

function comparable(one: Row | EndpointRecord): unknown {
  if ('id' in one) {
    const { id: endpointId, protocol, url, version: current, steps, sunset, replacement } = one;
    return { endpointId, protocol, url, current, steps, sunset, replacement };
  }
  const { endpointId, protocol, url, version: current, migrations, deprecation } = one;
  const steps = migrations.map(({ from, to, delta }) => [`${from} to ${to}`, delta]);
  return {
    endpointId,
    protocol,
    url,
    current,
    steps,
    sunset: deprecation?.sunset,
    replacement: deprecation?.replacement,
  };
}
