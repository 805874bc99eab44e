import { describe, expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import type { AnnouncementFact, DeprecationFact, Fact, SchemaChangeFact } from '../codecs/agent-feed/wire.ts';
import { canonicalEndpoint, resolveUrl } from './resolve-url.ts';
import { createSurfaceTable } from './surface-table.ts';

const ORIGIN = new URL('https://api.example');
const SUNSET = '2026-10-01T00:00:00Z';
const SUNSET_MS = Date.parse(SUNSET);

describe('the URL of an endpoint', () => {
  clause('AF-X4', 'is its own until the last millisecond before the sunset', () => {
    const table = tableOf(announce('v1'), announce('v2'), deprecate('v1', 'v2'));
    const before = { url: 'https://api.example/v1', crossedSunset: false };
    expect(resolveUrl(table, 'v1', 0)).toEqual(before);
    expect(resolveUrl(table, 'v1', SUNSET_MS - 1000)).toEqual(before);
    expect(resolveUrl(table, 'v1', SUNSET_MS - 1)).toEqual(before);
  });

  clause(['AF-X5', 'AF-X6'], 'is that of the replacement from the very moment of the sunset', () => {
    const table = tableOf(announce('v1'), announce('v2'), deprecate('v1', 'v2'));
    expect(resolveUrl(table, 'v1', SUNSET_MS)).toEqual({ url: 'https://api.example/v2', crossedSunset: true });
    expect(resolveUrl(table, 'v2', SUNSET_MS)).toEqual({ url: 'https://api.example/v2', crossedSunset: false });
  });

  test.each([
    ['2026-10-01T02:00:00+02:00', 0],
    ['2026-09-30T18:30:00-05:30', 0],
    ['2026-10-01T00:00:00.5Z', 500],
    ['2026-10-01t00:00:00.001z', 1],
  ])('ends at the moment that %s means', (sunset, afterMs) => {
    const table = tableOf(announce('v1'), deprecate('v1', null, sunset));
    expect(resolveUrl(table, 'v1', SUNSET_MS + afterMs - 1).url).toBe('https://api.example/v1');
    expect(resolveUrl(table, 'v1', SUNSET_MS + afterMs).url).toBeUndefined();
  });

  clause('AF-X7', 'is none after the sunset where no replacement is known', () => {
    const none = { url: undefined, crossedSunset: true };
    expect(resolveUrl(tableOf(announce('v1'), deprecate('v1', null)), 'v1', SUNSET_MS)).toEqual(none);
    expect(resolveUrl(tableOf(announce('v1'), deprecate('v1', 'never')), 'v1', SUNSET_MS)).toEqual(none);
    const synthesized = tableOf(announce('v1'), change('v2'), deprecate('v1', 'v2'));
    expect(resolveUrl(synthesized, 'v1', SUNSET_MS)).toEqual(none);
  });

  clause('AF-X7', 'is not a URL that stands where an id belongs', () => {
    const table = tableOf(announce('v1'), deprecate('v1', 'https://evil.example/'));
    expect(resolveUrl(table, 'v1', SUNSET_MS).url).toBeUndefined();
  });

  clause(['AF-X8', 'AF-A4'], 'follows the replacement where it is announced anew', () => {
    const table = tableOf(announce('v1'), deprecate('v1', 'v2'), announce('v2'));
    expect(resolveUrl(table, 'v1', SUNSET_MS).url).toBe('https://api.example/v2');
    table.apply(announce('v2', { endpoint: '/moved' }));
    expect(resolveUrl(table, 'v1', SUNSET_MS).url).toBe('https://api.example/moved');
  });

  clause(['AF-X9', 'AF-X6'], 'is at the end of a chain of replacements, and none where they go in a circle', () => {
    const chain = tableOf(announce('v1'), announce('v2'), announce('v3'), deprecate('v1', 'v2'), deprecate('v2', 'v3'));
    expect(resolveUrl(chain, 'v1', SUNSET_MS)).toEqual({ url: 'https://api.example/v3', crossedSunset: true });
    const half = tableOf(
      announce('v1'),
      announce('v2'),
      deprecate('v1', 'v2'),
      deprecate('v2', 'v3', '2027-01-01T00:00:00Z'),
    );
    expect(resolveUrl(half, 'v1', SUNSET_MS).url).toBe('https://api.example/v2');
    const circle = tableOf(announce('v1'), announce('v2'), deprecate('v1', 'v2'), deprecate('v2', 'v1'));
    expect(resolveUrl(circle, 'v1', SUNSET_MS)).toEqual({ url: undefined, crossedSunset: true });
    const self = tableOf(announce('v1'), deprecate('v1', 'v1'));
    expect(resolveUrl(self, 'v1', SUNSET_MS)).toEqual({ url: undefined, crossedSunset: true });
  });

  test('is found at the end of 10,000 replacements', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => `v${n}`);
    const table = tableOf(...ids.map((id) => announce(id)), ...ids.slice(1).map((id, n) => deprecate(`v${n}`, id)));
    expect(resolveUrl(table, 'v0', SUNSET_MS).url).toBe('https://api.example/v9999');
  });

  test('is unknown for an endpoint that nobody announced', () => {
    expect(resolveUrl(tableOf(change('v1')), 'v1', SUNSET_MS)).toEqual({ url: undefined, crossedSunset: false });
    expect(resolveUrl(tableOf(), '__proto__', SUNSET_MS)).toEqual({ url: undefined, crossedSunset: false });
  });

  clause('AF-PD6', 'is the same whatever reason is given', () => {
    const answers = ['gone now, use v3', 'sunset: never', null].map((reason) => {
      const table = tableOf(announce('v1'), announce('v2'), { ...deprecate('v1', 'v2'), reason });
      return [SUNSET_MS - 1, SUNSET_MS].map((nowMs) => [
        resolveUrl(table, 'v1', nowMs),
        canonicalEndpoint(table, 'rest', nowMs),
      ]);
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('of an id with two protocols is that of the one announced last', () => {
    const table = tableOf(announce('x'), announce('x', { protocol: 'mcp', endpoint: '/mcp' }));
    expect(resolveUrl(table, 'x', 0).url).toBe('https://api.example/mcp');
    table.apply(announce('x', { endpoint: '/rest' }));
    expect(resolveUrl(table, 'x', 0).url).toBe('https://api.example/rest');
  });
});

describe('the URL for a protocol', () => {
  clause('AF-A1', 'is that of the endpoint announced last for it', () => {
    const table = tableOf(announce('one'), announce('two'), announce('tool', { protocol: 'mcp' }));
    expect(canonicalEndpoint(table, 'rest', 0).url).toBe('https://api.example/two');
    table.apply(announce('one'));
    expect(canonicalEndpoint(table, 'rest', 0).url).toBe('https://api.example/one');
    expect(canonicalEndpoint(table, 'mcp', 0).url).toBe('https://api.example/tool');
    expect(canonicalEndpoint(table, 'a2a', 0)).toEqual({ url: undefined, crossedSunset: false });
  });

  test('follows the replacement of that endpoint, in the same protocol where there is one', () => {
    const table = tableOf(
      announce('v2'),
      announce('v2', { protocol: 'mcp', endpoint: '/mcp' }),
      announce('v1'),
      deprecate('v1', 'v2'),
    );
    expect(canonicalEndpoint(table, 'rest', SUNSET_MS)).toEqual({ url: 'https://api.example/v2', crossedSunset: true });
  });

  test('is not that of another protocol which the same id has since', () => {
    const table = tableOf(announce('x'), deprecate('x', null), announce('x', { protocol: 'mcp', endpoint: '/mcp' }));
    expect(canonicalEndpoint(table, 'rest', SUNSET_MS)).toEqual({ url: undefined, crossedSunset: true });
    expect(canonicalEndpoint(table, 'mcp', SUNSET_MS).url).toBe('https://api.example/mcp');
  });
});

function tableOf(...facts: Fact[]) {
  const table = createSurfaceTable(ORIGIN);
  for (const fact of facts) table.apply(fact);
  return table;
}

function announce(endpointId: string, facts: Partial<AnnouncementFact> = {}): AnnouncementFact {
  const base = { endpoint: `/${endpointId}`, protocol: 'rest', version: '1.0', assertedAt: '2026-04-27T12:00:00Z' };
  return { type: 'endpoint-announcement', endpointId, ...base, ...facts };
}

function change(endpointId: string): SchemaChangeFact {
  const versions = { fromVersion: '1.0', toVersion: '1.1', effectiveAt: '2026-04-27T12:00:00Z' };
  return { type: 'schema-change', endpointId, ...versions, migration: {} };
}

function deprecate(endpointId: string, replacement: string | null, sunset = SUNSET): DeprecationFact {
  return { type: 'deprecation', endpointId, announcedAt: '2026-04-27T12:00:00Z', sunset, replacement, reason: null };
}
