/** Feeds as a new reader finds them, each with what the reader must know afterwards. */

import { addEnvelopes } from './envelopes.mjs';
import { addDocuments } from './feed-documents.mjs';
import { A, C, D, DIDS, ended, event, NOW, nothing, ORDERS, record } from './feed-parts.mjs';
import {
  announcement as announce,
  schemaChange as change,
  DID_URL,
  deprecation as deprecate,
  entry,
  FEED_URL,
  feed,
  ORIGIN,
  urn,
} from './lib.mjs';
import { addRefusedEntries } from './refused-entries.mjs';

/** The files, and the cases that use them. */
export function feeds() {
  const files = new Map(Object.entries(DIDS));
  const cases = [];
  const add = (name, xml, expect, more = {}) => {
    const file = `feeds/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.xml`;
    files.set(file, xml);
    const { did = 'did/one-key.json', now = NOW, serve = {}, note } = more;
    const served = { ...(did === null ? {} : { [DID_URL]: did }), [FEED_URL]: file, ...serve };
    cases.push({
      name,
      ...(note === undefined ? {} : { note }),
      now,
      serve: served,
      expect: { ...nothing(), ...expect },
    });
  };
  const first = entry('1', A, announce('orders'));
  const second = entry('2', A, announce('users'));
  const both = { applied: 2, 'last-seen': urn('2'), endpoints: [ORDERS, record('users')] };
  const one = { applied: 1, 'last-seen': urn('1'), endpoints: [ORDERS] };
  const beside = (...events) => ({ applied: 1, 'last-seen': urn('2'), endpoints: [record('users')], events });

  add('An empty feed', feed([]), {});
  add('An announcement', feed([first]), one);
  add(
    'An announcement with an absolute URL',
    feed([entry('1', A, announce('a2a', { endpoint: 'https://other.example/a2a/v1', protocol: 'a2a' }))]),
    {
      applied: 1,
      'last-seen': urn('1'),
      endpoints: [record('a2a', { protocol: 'a2a', url: 'https://other.example/a2a/v1' })],
      canonical: { a2a: 'https://other.example/a2a/v1', rest: null },
    },
  );
  const { 'endpoint-id': _, ...withoutId } = announce('orders');
  add('An announcement without endpoint-id', feed([entry('1', A, withoutId)]), {
    applied: 1,
    'last-seen': urn('1'),
    endpoints: [record('/orders', { url: `${ORIGIN}/orders` })],
  });
  add(
    'A second announcement replaces the URL',
    feed([first, entry('2', A, announce('orders', { endpoint: '/v2/orders', version: '2.0' }))]),
    {
      applied: 2,
      'last-seen': urn('2'),
      endpoints: [record('orders', { url: `${ORIGIN}/v2/orders`, version: '2.0' })],
    },
  );
  add('A schema-change', feed([first, entry('2', C, change('orders', '1.0', '1.1', { add: ['/currency'] }))]), {
    applied: 2,
    'last-seen': urn('2'),
    endpoints: [
      record('orders', { version: '1.1', migrations: [{ from: '1.0', to: '1.1', delta: { add: ['/currency'] } }] }),
    ],
  });
  const later = { add: ['/first'], split: { '/name': ['/first', '/last'] } };
  add(
    'A schema-change with an operator of a later version',
    feed([first, entry('2', C, change('orders', '1.0', '1.1', later))]),
    {
      applied: 2,
      'last-seen': urn('2'),
      endpoints: [record('orders', { version: '1.1', migrations: [{ from: '1.0', to: '1.1', delta: later }] })],
    },
  );
  add('A schema-change of an unknown endpoint', feed([entry('1', C, change('orders', '1.0', '1.1'))]), {
    applied: 1,
    'last-seen': urn('1'),
    resolve: { orders: null },
    endpoints: [
      record('orders', {
        protocol: null,
        url: null,
        version: '1.1',
        migrations: [{ from: '1.0', to: '1.1', delta: {} }],
      }),
    ],
    events: [event('schema-change-of-unknown', '1')],
  });
  add(
    'A schema-change before its announcement',
    feed([entry('1', C, change('orders', '1.0', '1.1')), entry('2', A, announce('orders', { version: '1.1' }))]),
    {
      applied: 2,
      'last-seen': urn('2'),
      endpoints: [record('orders', { version: '1.1', migrations: [{ from: '1.0', to: '1.1', delta: {} }] })],
      events: [event('schema-change-of-unknown', '1')],
    },
  );
  const retired = { sunset: '2026-10-01T00:00:00Z', replacement: 'users', reason: 'merged' };
  const deprecated = feed([
    first,
    second,
    entry('3', D, deprecate('orders', { replacement: 'users', reason: 'merged' })),
  ]);
  const retiredTable = {
    applied: 3,
    'last-seen': urn('3'),
    endpoints: [record('orders', { deprecation: retired }), record('users')],
  };
  add(
    'A deprecation before the sunset',
    deprecated,
    { ...retiredTable, crossed: [], resolve: { orders: `${ORIGIN}/orders`, users: `${ORIGIN}/users` } },
    { now: '2026-09-30T23:59:59.999Z' },
  );
  add(
    'A deprecation at the sunset',
    deprecated,
    { ...retiredTable, crossed: ['orders'], resolve: { orders: `${ORIGIN}/users`, users: `${ORIGIN}/users` } },
    { now: '2026-10-01T00:00:00Z' },
  );
  add(
    'A sunset with an offset',
    feed([first, entry('2', D, deprecate('orders', { sunset: '2026-10-01T02:00:00.250+02:00' }))]),
    {
      applied: 2,
      'last-seen': urn('2'),
      crossed: ['orders'],
      resolve: { orders: null },
      endpoints: [
        record('orders', { deprecation: { sunset: '2026-10-01T02:00:00.250+02:00', replacement: null, reason: null } }),
      ],
    },
    { now: '2026-10-01T00:00:00.250Z' },
  );
  const chained = ['orders', 'users', 'carts'].map((id, n) => entry(`${n + 1}`, A, announce(id)));
  add(
    'A chain of replacements',
    feed([
      ...chained,
      entry('4', D, deprecate('orders', { replacement: 'users' })),
      entry('5', D, deprecate('users', { replacement: 'carts' })),
    ]),
    {
      applied: 5,
      'last-seen': urn('5'),
      crossed: ['orders', 'users'],
      resolve: { orders: `${ORIGIN}/carts`, users: `${ORIGIN}/carts`, carts: `${ORIGIN}/carts` },
      endpoints: [
        record('orders', { deprecation: ended('users') }),
        record('users', { deprecation: ended('carts') }),
        record('carts'),
      ],
    },
    { now: '2026-12-01T00:00:00Z' },
  );
  add(
    'Replacements in a circle',
    feed([
      first,
      second,
      entry('3', D, deprecate('orders', { replacement: 'users' })),
      entry('4', D, deprecate('users', { replacement: 'orders' })),
    ]),
    {
      applied: 4,
      'last-seen': urn('4'),
      crossed: ['orders', 'users'],
      resolve: { orders: null, users: null },
      endpoints: [record('orders', { deprecation: ended('users') }), record('users', { deprecation: ended('orders') })],
    },
    { now: '2026-12-01T00:00:00Z' },
  );
  add(
    'A replacement that was never announced',
    feed([first, entry('2', D, deprecate('orders', { replacement: 'orders-v2' }))]),
    {
      applied: 2,
      'last-seen': urn('2'),
      crossed: ['orders'],
      resolve: { orders: null },
      endpoints: [record('orders', { deprecation: ended('orders-v2') })],
    },
    { now: '2026-12-01T00:00:00Z' },
  );
  add(
    'A deprecation of an unknown endpoint',
    feed([entry('1', D, deprecate('users')), second]),
    beside(event('deprecation-of-unknown', '1')),
  );
  add(
    'An announcement does not undo a deprecation',
    feed([first, entry('2', D, deprecate('orders')), entry('3', A, announce('orders', { endpoint: '/again' }))]),
    {
      applied: 3,
      'last-seen': urn('3'),
      endpoints: [record('orders', { url: `${ORIGIN}/again`, deprecation: ended(null) })],
    },
  );
  add(
    'Two protocols under one id',
    feed([
      first,
      entry('2', A, announce('orders', { protocol: 'mcp', endpoint: '/mcp' })),
      entry('3', C, change('orders', '1.0', '1.1')),
    ]),
    {
      applied: 3,
      'last-seen': urn('3'),
      canonical: { rest: `${ORIGIN}/orders`, mcp: `${ORIGIN}/mcp` },
      endpoints: ['rest', 'mcp'].map((protocol) =>
        record('orders', {
          protocol,
          url: protocol === 'mcp' ? `${ORIGIN}/mcp` : `${ORIGIN}/orders`,
          version: '1.1',
          migrations: [{ from: '1.0', to: '1.1', delta: {} }],
        }),
      ),
    },
  );
  add(
    'Document order against updated',
    feed([
      entry('1', A, announce('orders', { version: '2.0', 'asserted-at': '2026-04-30T00:00:00Z' }), {
        updated: '2026-04-30T00:00:00Z',
      }),
      entry('2', A, announce('orders', { version: '1.0', 'asserted-at': '2026-04-01T00:00:00Z' }), {
        updated: '2026-04-01T00:00:00Z',
      }),
    ]),
    { applied: 2, 'last-seen': urn('2'), endpoints: [ORDERS] },
  );

  addRefusedEntries(add, { first, second, beside });
  addEnvelopes(add, { first, second, both, beside });
  addDocuments(add, { first, second, both, one });
  return { files, cases };
}
