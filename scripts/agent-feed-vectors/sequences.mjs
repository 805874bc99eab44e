/** Several documents at the same URLs, one after the other, read by one reader with a state. */

import { ended, event, record } from './feed-parts.mjs';
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

const A = 'endpoint-announcement';
const C = 'schema-change';
const D = 'deprecation';
const ONE_KEY = 'did/one-key.json';
const TWO_KEYS = 'did/two-keys.json';

export function sequences() {
  const files = new Map();
  const cases = [];
  /** Each step: the feed (null: none is served), the expected result, and optionally `did`, `operator`, `now`. */
  const add = (name, ...steps) => {
    const folder = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const told = steps.map(([xml, expect, { did = ONE_KEY, operator, now } = {}], index) => {
      const file = `sequences/${folder}-${index + 1}.xml`;
      if (xml !== null) files.set(file, xml);
      const serve = { ...(did === null ? {} : { [DID_URL]: did }), ...(xml === null ? {} : { [FEED_URL]: file }) };
      const at = now ?? `2026-05-0${index + 1}T00:00:00Z`;
      return { now: at, ...(operator === undefined ? {} : { operator }), serve, expect: { events: [], ...expect } };
    });
    cases.push({ name, steps: told });
  };

  const first = entry('1', A, announce('orders'));
  const second = entry('2', A, announce('users'));
  const orders = { trust: true, 'feed-status': 'active', 'last-seen': urn('1'), endpoints: [record('orders')] };
  const both = { ...orders, 'last-seen': urn('2'), endpoints: [record('orders'), record('users')] };
  const distrusted = { trust: false, applied: 0, 'last-seen': urn('1'), endpoints: [], resolve: { orders: null } };
  const terminated = { ...distrusted, 'feed-status': 'terminated', events: [event('terminated')] };
  const suspect = { ...distrusted, 'feed-status': 'active', events: [event('active-but-untrusted')] };

  add('the same feed again', [feed([first]), { ...orders, applied: 1 }], [feed([first]), { ...orders, applied: 0 }]);
  add(
    'the same feed again, an unrelated line changed',
    [feed([first]), { ...orders, applied: 1 }],
    [feed([first], { extra: ['<subtitle>new</subtitle>'] }), { ...orders, applied: 0 }],
  );
  add(
    'a feed that grows',
    [feed([first]), { ...orders, applied: 1 }],
    [feed([first, second]), { ...both, applied: 1 }],
  );
  add(
    'terminated and active again',
    [feed([first]), { ...orders, applied: 1 }],
    [feed([first], { status: 'terminated' }), terminated],
    [feed([first, second]), suspect],
  );
  add(
    'terminated from the start and active later',
    [feed([first], { status: 'terminated' }), { ...terminated, 'last-seen': null }],
    [feed([first]), { ...suspect, 'last-seen': null }],
  );
  add(
    'trusted again by an operator',
    [feed([first]), { ...orders, applied: 1 }],
    [feed([first], { status: 'terminated' }), terminated],
    [feed([first, second]), suspect],
    [feed([first, second]), { ...both, applied: 1, events: [event('retrusted')] }, { operator: 'retrust' }],
  );
  add(
    'migrated without saying where and active again',
    [feed([first]), { ...orders, applied: 1 }],
    [feed([first], { status: 'migrated' }), { ...distrusted, 'feed-status': 'migrated', events: [event('migrated')] }],
    [feed([first, second]), suspect],
  );
  add(
    'a later spec-version for a while',
    [feed([first]), { ...orders, applied: 1 }],
    [
      feed([first], { specVersion: '1' }),
      {
        trust: true,
        applied: 0,
        endpoints: [],
        resolve: { orders: null },
        events: [event('unsupported-spec-version')],
      },
    ],
    [feed([first, second]), { ...both, applied: 1 }],
  );
  add(
    'an old announcement is archived',
    [
      feed([first, entry('2', A, announce('orders', { version: '2.0' }))]),
      { ...orders, applied: 2, 'last-seen': urn('2'), endpoints: [record('orders', { version: '2.0' })] },
    ],
    [
      feed([entry('2', A, announce('orders', { version: '2.0' }))]),
      {
        ...orders,
        applied: 0,
        'last-seen': urn('2'),
        endpoints: [record('orders', { version: '2.0' })],
        events: [event('entries-absent')],
      },
    ],
  );
  add(
    'an archived entry comes back',
    [feed([first, second]), { ...both, applied: 2 }],
    [feed([second]), { ...both, applied: 0, events: [event('entries-absent')] }],
    [feed([first, second]), { ...both, applied: 0 }],
  );
  add(
    'entries in another order',
    [
      feed([first, entry('2', A, announce('orders', { endpoint: '/new' }))]),
      { ...orders, applied: 2, 'last-seen': urn('2'), endpoints: [record('orders', { url: `${ORIGIN}/new` })] },
    ],
    [
      feed([entry('2', A, announce('orders', { endpoint: '/new' })), first]),
      { ...orders, applied: 0, 'last-seen': urn('2'), endpoints: [record('orders', { url: `${ORIGIN}/new` })] },
    ],
  );
  add(
    'an id with another payload',
    [feed([first]), { ...orders, applied: 1 }],
    [
      feed([entry('1', A, announce('orders', { endpoint: '/evil' }))]),
      { ...orders, applied: 0, events: [event('replay-mismatch', '1')] },
    ],
  );
  add(
    'an id with another payload under a bad signature',
    [feed([first]), { ...orders, applied: 1 }],
    [
      feed([entry('1', A, announce('orders', { endpoint: '/evil' }), { signed: 'x' })]),
      { ...orders, applied: 0, events: [event('unverified-entry', '1')] },
    ],
  );
  add(
    'an old payload under a new id',
    [
      feed([first, entry('2', A, announce('orders', { endpoint: '/new' }))]),
      { ...orders, applied: 2, 'last-seen': urn('2'), endpoints: [record('orders', { url: `${ORIGIN}/new` })] },
    ],
    [
      feed([first, entry('2', A, announce('orders', { endpoint: '/new' })), entry('3', A, announce('orders'))]),
      {
        ...orders,
        applied: 0,
        'last-seen': urn('2'),
        endpoints: [record('orders', { url: `${ORIGIN}/new` })],
        events: [event('repeated-payload', '3')],
      },
    ],
  );
  add(
    'rotation: the old key stays while its entries are served',
    [feed([first]), { ...orders, applied: 1 }],
    [feed([first, entry('2', A, announce('users'), { key: 'key-2' })]), { ...both, applied: 1 }, { did: TWO_KEYS }],
  );
  add(
    'rotation: the old key is gone',
    [feed([first]), { ...orders, applied: 1 }],
    [
      feed([first, entry('2', A, announce('users'), { key: 'key-2' })]),
      { ...both, applied: 1, events: [event('key-unresolvable'), event('unverified-entry', '1')] },
      { did: 'did/second-key.json' },
    ],
  );
  add(
    'rotation: signed again under the same id',
    [feed([first]), { ...orders, applied: 1 }],
    [
      feed([entry('1', A, announce('orders'), { key: 'key-2' })]),
      { ...orders, applied: 0, events: [event('replay-mismatch', '1')] },
      { did: TWO_KEYS },
    ],
  );
  add(
    'rotation: said again under a new id',
    [feed([first]), { ...orders, applied: 1 }],
    [
      feed([entry('9', A, announce('orders'), { key: 'key-2' })]),
      { ...orders, applied: 1, 'last-seen': urn('9'), events: [event('entries-absent')] },
      { did: 'did/second-key.json' },
    ],
  );
  const retired = entry('1', D, deprecate('users'));
  const users = { ...orders, 'last-seen': urn('2'), endpoints: [record('users')] };
  add(
    'a deprecation that was void stays void',
    [
      feed([retired]),
      { ...users, applied: 0, 'last-seen': null, endpoints: [], events: [event('deprecation-of-unknown', '1')] },
    ],
    [feed([retired, second]), { ...users, applied: 1 }],
    [feed([retired, second], { extra: ['<subtitle>x</subtitle>'] }), { ...users, applied: 0 }],
  );
  const changed = entry('1', C, change('users', '1.0', '1.1', { add: ['/name'] }));
  const migrations = [{ from: '1.0', to: '1.1', delta: { add: ['/name'] } }];
  add(
    'an announcement in a later feed',
    [
      feed([changed]),
      {
        ...orders,
        applied: 1,
        endpoints: [record('users', { protocol: null, url: null, version: '1.1', migrations })],
        events: [event('schema-change-of-unknown', '1')],
      },
    ],
    [
      feed([changed, entry('2', A, announce('users', { version: '1.1' }))]),
      { ...users, applied: 1, endpoints: [record('users', { version: '1.1', migrations })] },
    ],
  );
  add(
    'a sunset passes',
    [
      feed([first, second, entry('3', D, deprecate('orders', { replacement: 'users' }))]),
      {
        ...both,
        applied: 3,
        'last-seen': urn('3'),
        endpoints: [record('orders', { deprecation: ended('users') }), record('users')],
        crossed: [],
        resolve: { orders: `${ORIGIN}/orders` },
      },
    ],
    [
      feed([first, second, entry('3', D, deprecate('orders', { replacement: 'users' }))]),
      {
        ...both,
        applied: 0,
        'last-seen': urn('3'),
        endpoints: [record('orders', { deprecation: ended('users') }), record('users')],
        crossed: ['orders'],
        resolve: { orders: `${ORIGIN}/users` },
      },
      { now: '2026-10-01T00:00:00Z' },
    ],
  );
  add(
    'the DID document is gone for a while',
    [feed([first]), { ...orders, applied: 1 }],
    [feed([first, second]), { ...orders, applied: 0, events: [event('did-unreachable')] }, { did: null }],
    [feed([first, second]), { ...both, applied: 1 }],
  );
  add(
    'the feed is gone for a while',
    [feed([first]), { ...orders, applied: 1 }],
    [null, { ...orders, applied: 0, events: [event('feed-unreachable')] }],
    [feed([first, second]), { ...both, applied: 1 }],
  );
  add(
    'the feed is broken for a while',
    [feed([first]), { ...orders, applied: 1 }],
    ['<html>502 Bad Gateway</html>\n', { ...orders, applied: 0, events: [event('feed-malformed')] }],
    [feed([first, second]), { ...both, applied: 1 }],
  );
  return { files, cases };
}
