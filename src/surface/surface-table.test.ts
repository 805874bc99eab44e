import { describe, expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { expectLinear } from '../../test/support/count-steps.ts';
import type { AnnouncementFact, DeprecationFact, MigrationDelta, SchemaChangeFact } from '../codecs/agent-feed/wire.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import { resolveUrl } from './resolve-url.ts';
import { createSurfaceTable } from './surface-table.ts';

const ORIGIN = new URL('https://api.example');
const AT = '2026-04-27T12:00:00Z';

describe('an announcement', () => {
  clause(['AF-A1', 'AF-A9'], 'says where an endpoint is, in which version, and since when by its own claim', () => {
    const table = createSurfaceTable(ORIGIN);
    expect(table.apply(announcement({ assertedAt: '2026-04-27T14:00:00+02:00' }))).toBeUndefined();
    expect(table.records()).toEqual([
      {
        endpointId: 'orders',
        protocol: 'rest',
        url: 'https://api.example/orders',
        version: '1.0',
        migrations: [],
        assertedAt: '2026-04-27T14:00:00+02:00',
        announcement: 1,
      },
    ]);
  });

  clause('AF-A9', 'counts by its place, not by the time that it claims', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement({ version: '2.0', assertedAt: '2030-01-01T00:00:00Z' }));
    table.apply(announcement({ version: '1.0', assertedAt: '2020-01-01T00:00:00Z' }));
    expect(table.records()).toMatchObject([{ version: '1.0', assertedAt: '2020-01-01T00:00:00Z' }]);
  });

  clause('AF-A2', 'keeps the migrations from before', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement());
    table.apply(change('1.0', '1.1', { add: ['/currency'] }));
    table.apply(announcement({ version: '1.1', endpoint: '/new' }));
    expect(table.records()).toMatchObject([
      { url: 'https://api.example/new', migrations: [{ from: '1.0', to: '1.1' }] },
    ]);
  });

  clause('AF-A3', 'does not undo a deprecation; only another deprecation replaces it', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement());
    table.apply(deprecation({ sunset: '2027-01-01T00:00:00Z' }));
    table.apply(announcement({ endpoint: '/again' }));
    expect(table.records()).toMatchObject([{ deprecation: { sunset: '2027-01-01T00:00:00Z' } }]);
    table.apply(deprecation({ sunset: '2028-01-01T00:00:00Z', replacement: 'v2' }));
    expect(table.records()).toMatchObject([{ deprecation: { sunset: '2028-01-01T00:00:00Z', replacement: 'v2' } }]);
  });

  clause(['AF-A5', 'AF-A6'], 'with another URL replaces the first, and leaves no record of it', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement({ endpoint: 'https://one.example/x' }));
    table.apply(announcement({ endpoint: 'https://two.example/x' }));
    expect(table.records().map(({ url }) => url)).toEqual(['https://two.example/x']);
    expect(JSON.stringify(table.records())).not.toContain('one.example');
  });

  clause('AF-A7', 'is keyed by its endpoint where the decoder found no id', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement({ endpointId: '/orders', endpoint: '/orders' }));
    expect(table.find('/orders')).toMatchObject([{ url: 'https://api.example/orders' }]);
  });

  clause('AF-A8', 'has its path resolved against the origin, with its port', () => {
    const urlOf = (endpoint: string, origin = 'https://h.example:8443/some/page') => {
      const table = createSurfaceTable(new URL(origin));
      table.apply(announcement({ endpoint }));
      return table.records()[0]?.url;
    };
    expect(urlOf('/api')).toBe('https://h.example:8443/api');
    expect(urlOf('/api?x=1#y')).toBe('https://h.example:8443/api?x=1#y');
    expect(urlOf('/')).toBe('https://h.example:8443/');
    expect(urlOf('/users/{id}/größe')).toBe('https://h.example:8443/users/{id}/gr%C3%B6%C3%9Fe');
    expect(urlOf('//[')).toBe('https://h.example:8443//[');
  });

  test('has its absolute URL kept as it is written', () => {
    for (const endpoint of ['https://api.example', 'https://API.example:443/{id}', 'wss://api.example/ws']) {
      const table = createSurfaceTable(ORIGIN);
      table.apply(announcement({ endpoint }));
      expect(table.records()[0]?.url).toBe(endpoint);
    }
  });
});

describe('a schema-change', () => {
  clause(['AF-C1', 'AF-C5', 'AF-C8'], 'moves the version of the endpoint that it names and of no other', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement());
    table.apply(announcement({ endpointId: 'users', endpoint: '/users' }));
    expect(table.apply(change('1.0', '1.1', { add: ['/currency'] }))).toBeUndefined();
    expect(table.find('orders')).toMatchObject([
      { version: '1.1', migrations: [{ from: '1.0', to: '1.1', delta: { add: ['/currency'] }, effectiveAt: AT }] },
    ]);
    expect(table.find('users')).toMatchObject([{ version: '1.0', migrations: [] }]);
  });

  clause('AF-C8', 'sets its version also where another one was recorded than it starts from', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement({ version: '0.7' }));
    table.apply(change('1.0', '1.1'));
    expect(table.records()).toMatchObject([{ version: '1.1' }]);
  });

  clause(['AF-C2', 'AF-C4'], 'of an unknown endpoint makes a record without URL, and is told', () => {
    const table = createSurfaceTable(ORIGIN);
    expect(table.apply(change('1.0', '1.1'))).toBe('schema-change-of-unknown');
    expect(table.apply(change('1.1', '1.2'))).toBeUndefined();
    expect(table.records()).toEqual([
      {
        endpointId: 'orders',
        version: '1.2',
        migrations: [
          { from: '1.0', to: '1.1', delta: {}, effectiveAt: AT },
          { from: '1.1', to: '1.2', delta: {}, effectiveAt: AT },
        ],
      },
    ]);
  });

  clause(
    ['AF-C3', 'AF-CT4'],
    'made a record that the first announcement of its id adopts, and the second does not',
    () => {
      const table = createSurfaceTable(ORIGIN);
      table.apply(change('1.0', '1.1'));
      table.apply(announcement({ version: '1.1' }));
      table.apply(announcement({ protocol: 'mcp', version: '1.1', endpoint: '/mcp' }));
      expect(table.records()).toMatchObject([
        {
          protocol: 'rest',
          url: 'https://api.example/orders',
          version: '1.1',
          migrations: [{ from: '1.0', to: '1.1' }],
        },
        { protocol: 'mcp', url: 'https://api.example/mcp', migrations: [] },
      ]);
    },
  );

  clause('AF-C6', 'keeps operators that v0 does not know', () => {
    const table = createSurfaceTable(ORIGIN);
    const delta = { add: ['/first'], split: { '/name': ['/first', '/last'] }, '': null };
    table.apply(change('1.0', '1.1', delta));
    expect(table.records()[0]?.migrations[0]?.delta).toEqual(delta);
  });

  test('with an arrow in its versions is not taken for another', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(change('1->2', '3', { add: ['/a'] }));
    table.apply(change('1', '2->3', { add: ['/b'] }));
    expect(table.records()[0]?.migrations).toMatchObject([
      { from: '1->2', to: '3', delta: { add: ['/a'] } },
      { from: '1', to: '2->3', delta: { add: ['/b'] } },
    ]);
  });

  test('that is said again replaces the first and stands last', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(change('1.0', '1.1', { add: ['/a'] }));
    table.apply(change('0.9', '1.1', { add: ['/b'] }));
    table.apply(change('1.0', '1.1', { add: ['/c'] }));
    expect(table.records()[0]?.migrations.map(({ delta }) => delta)).toEqual([{ add: ['/b'] }, { add: ['/c'] }]);
  });
});

describe('a deprecation', () => {
  clause(['AF-X1', 'AF-X2'], 'of an unknown endpoint is told and void, also once the endpoint is announced', () => {
    const table = createSurfaceTable(ORIGIN);
    expect(table.apply(deprecation())).toBe('deprecation-of-unknown');
    expect(table.records()).toEqual([]);
    table.apply(announcement());
    expect(table.records()[0]).not.toHaveProperty('deprecation');
  });

  clause(['AF-X3', 'AF-PD7', 'AF-S5'], 'stands on the record beside URL, version and migrations', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(announcement());
    table.apply(change('1.0', '1.1'));
    expect(table.apply(deprecation({ replacement: 'v2', reason: 'too “old”' }))).toBeUndefined();
    expect(table.records()).toMatchObject([
      {
        protocol: 'rest',
        url: 'https://api.example/orders',
        version: '1.1',
        migrations: [{ from: '1.0', to: '1.1' }],
        deprecation: { sunset: '2026-10-01T00:00:00Z', replacement: 'v2', reason: 'too “old”', announcedAt: AT },
      },
    ]);
  });

  test('reaches a record that a schema-change made', () => {
    const table = createSurfaceTable(ORIGIN);
    table.apply(change('1.0', '1.1'));
    expect(table.apply(deprecation())).toBeUndefined();
    expect(table.records()).toMatchObject([{ deprecation: { sunset: '2026-10-01T00:00:00Z' } }]);
  });
});

test('what is said of an id reaches each of its protocols', () => {
  const table = createSurfaceTable(ORIGIN);
  table.apply(announcement());
  table.apply(announcement({ protocol: 'mcp', endpoint: '/mcp' }));
  table.apply(change('1.0', '1.1'));
  table.apply(deprecation());
  expect(table.find('orders')).toMatchObject([
    { protocol: 'rest', version: '1.1', migrations: [{ to: '1.1' }], deprecation: {} },
    { protocol: 'mcp', version: '1.1', migrations: [{ to: '1.1' }], deprecation: {} },
  ]);
});

test('an id with more protocols than anybody has takes no other one, and loses none', () => {
  const table = createSurfaceTable(ORIGIN);
  for (let n = 1; n <= 8; n += 1) table.apply(announcement({ protocol: `p${n}` }));
  const before = table.records();
  expect(table.apply(announcement({ protocol: 'p9' }))).toBe('limit-exceeded');
  expect(table.records()).toEqual(before);
  expect(table.apply(announcement({ protocol: 'p1', version: '2' }))).toBeUndefined();
});

test('beyond 10,000 endpoints, or 1,000 migrations of one, nothing new is taken and nothing old is lost', () => {
  const table = createSurfaceTable(ORIGIN);
  for (let n = 0; n < 10_000; n += 1) table.apply(announcement({ endpointId: `e${n}` }));
  expect(table.apply(announcement({ endpointId: 'one-more' }))).toBe('limit-exceeded');
  expect(table.apply(change('1', '2'))).toBe('limit-exceeded');
  expect(table.apply(announcement({ endpointId: 'e0', protocol: 'mcp' }))).toBe('limit-exceeded');
  expect(table.records()).toHaveLength(10_000);
  const step = (n: number) => ({ ...change(`${n}`, `${n + 1}`), endpointId: 'e0' });
  for (let n = 0; n < 1000; n += 1) expect(table.apply(step(n))).toBeUndefined();
  expect(table.apply(step(1000))).toBe('limit-exceeded');
  expect(table.find('e0')).toMatchObject([{ version: '1000' }]);
  // Said again it takes no room.
  expect(table.apply(step(5))).toBeUndefined();
  expect(createSurfaceTable(ORIGIN, table.records()).apply(step(1000))).toBe('limit-exceeded');
});

test('what is beyond 64 million characters in all is refused, and what takes less room than before is not', () => {
  const table = createSurfaceTable(ORIGIN);
  const long = { add: [`/${'x'.repeat(1_000_000)}`] };
  const step = (n: number, delta = long) => change(`${n}`, `${n + 1}`, delta);
  table.apply(announcement());
  table.apply(announcement({ protocol: 'mcp' }));
  for (let n = 0; n < 33; n += 1) expect(table.apply(step(n))).toBeUndefined();
  expect(table.apply(step(33))).toBe('limit-exceeded');
  const resumed = createSurfaceTable(ORIGIN, table.records());
  for (const one of [table, resumed]) {
    expect(one.apply(deprecation({ reason: 'x'.repeat(1_000_000) }))).toBe('limit-exceeded');
    expect(one.apply(step(33))).toBe('limit-exceeded');
    expect(one.apply(step(32, { add: [] }))).toBeUndefined();
    expect(one.apply(step(33))).toBeUndefined();
    expect(one.apply(deprecation())).toBeUndefined();
  }
});

test('a record that was handed out stays as it was', () => {
  const table = createSurfaceTable(ORIGIN);
  table.apply(announcement());
  const found = table.find('orders');
  const before = JSON.stringify(found);
  table.apply(change('1.0', '1.1'));
  table.apply(announcement({ protocol: 'mcp' }));
  expect(JSON.stringify(found)).toBe(before);
});

test('facts and known records are not changed', () => {
  const known = frozen([{ endpointId: 'orders', version: '1.0', migrations: [] }]);
  const table = createSurfaceTable(ORIGIN, known);
  const facts = frozen([announcement(), change('1.0', '1.1', { add: ['/a'] }), deprecation()]);
  for (const fact of facts) table.apply(fact);
  expect(table.records()).toMatchObject([{ version: '1.1', protocol: 'rest' }]);
  expect(known).toEqual([{ endpointId: 'orders', version: '1.0', migrations: [] }]);
});

test('ids that JavaScript has a use for are ids like others', () => {
  const table = createSurfaceTable(ORIGIN);
  for (const id of ['__proto__', 'constructor', 'toString', '']) {
    expect(table.find(id)).toEqual([]);
    expect(table.apply({ ...deprecation(), endpointId: id })).toBe('deprecation-of-unknown');
    table.apply(announcement({ endpointId: id, protocol: id }));
    expect(table.find(id)).toMatchObject([{ endpointId: id, protocol: id }]);
  }
});

clause(['AF-S6', 'AF-CT4'], 'answers URL, version, migrations, and the URL before and after a sunset', () => {
  const table = createSurfaceTable(ORIGIN);
  table.apply(announcement());
  table.apply(change('1.0', '1.1'));
  table.apply(announcement({ endpointId: 'v2', endpoint: '/v2' }));
  table.apply(deprecation({ replacement: 'v2' }));
  const sunset = Date.parse('2026-10-01T00:00:00Z');
  expect(resolveUrl(table, 'orders', sunset - 1).url).toBe('https://api.example/orders');
  expect(resolveUrl(table, 'orders', sunset).url).toBe('https://api.example/v2');
  expect(table.find('orders')).toMatchObject([{ version: '1.1', migrations: [{ from: '1.0', to: '1.1' }] }]);
});

describe('10,000 facts are applied in linear steps', () => {
  const many = (length: number) => Array.from({ length }, (_, n) => n);
  const cases: Record<string, (n: number) => Parameters<ReturnType<typeof createSurfaceTable>['apply']>[0]> = {
    'announcements of one endpoint': (n) => announcement({ version: `${n}` }),
    'announcements of 10,000': (n) => announcement({ endpointId: `e${n}` }),
    'changes of one endpoint': (n) => change(`${n}`, `${n + 1}`, { add: [`/f${n}`] }),
    'changes of 10,000': (n) => ({ ...change('1', '2'), endpointId: `e${n}` }),
    'protocols of one id, each with a change': (n) =>
      n % 2 === 0 ? announcement({ protocol: `p${n}` }) : change(`${n}`, `${n + 1}`),
  };
  test.each(Object.entries(cases))('%s', async (_name, factOf) => {
    const table = createSurfaceTable(ORIGIN);
    for (const fact of many(10_000).map(factOf)) table.apply(fact);
    const records = table.records();
    await expectLinear<typeof import('./surface-table.ts'), ReturnType<typeof factOf>[]>(
      new URL('./surface-table.ts', import.meta.url),
      ({ createSurfaceTable }, facts) => {
        const counted = createSurfaceTable(new URL('https://api.example'));
        for (const fact of facts) counted.apply(fact);
        counted.records();
      },
      (count) => many(count).map(factOf),
    );
    const migrations = records.reduce((sum, record) => sum + record.migrations.length, 0);
    expect(records.length + migrations).toBeGreaterThan(0);
    expect(migrations).toBeLessThanOrEqual(10_000);
  });
});

function announcement(facts: Partial<AnnouncementFact> = {}): AnnouncementFact {
  const base = { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.0', assertedAt: AT };
  return { type: 'endpoint-announcement', ...base, ...facts };
}

function change(fromVersion: string, toVersion: string, migration: MigrationDelta = {}): SchemaChangeFact {
  return { type: 'schema-change', endpointId: 'orders', fromVersion, toVersion, effectiveAt: AT, migration };
}

function deprecation(facts: Partial<DeprecationFact> = {}): DeprecationFact {
  const base = {
    endpointId: 'orders',
    announcedAt: AT,
    sunset: '2026-10-01T00:00:00Z',
    replacement: null,
    reason: null,
  };
  return { type: 'deprecation', ...base, ...facts };
}

function frozen<T extends readonly (object | EndpointRecord)[]>(values: T): T {
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  };
  freeze(values);
  return values;
}
