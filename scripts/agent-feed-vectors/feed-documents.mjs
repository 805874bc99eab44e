/** Feeds that are accepted or refused as a whole. */

import { A, event, record } from './feed-parts.mjs';
import { announcement as announce, entry, FEED_URL, feed, urn } from './lib.mjs';

/** Statements of the feed about itself, and documents that are not feeds. */
export function addDocuments(add, { first, second, both, one }) {
  const terminated = {
    trust: false,
    'feed-status': 'terminated',
    events: [event('terminated')],
    resolve: { orders: null },
  };
  add('Terminated', feed([first, second], { status: 'terminated' }), terminated);
  add('An unknown status counts as terminated', feed([first], { status: 'paused' }), {
    ...terminated,
    'feed-status': 'paused',
  });
  add('A status in upper case is unknown', feed([first], { status: 'Active' }), {
    ...terminated,
    'feed-status': 'Active',
  });
  add('White space around the status', feed([first], { status: '\n    active\n  ' }), one);
  const moved = { trust: false, 'feed-status': 'migrated', resolve: { orders: null } };
  add(
    'Migrated to another host of the same domain',
    feed([first], {
      status: 'migrated',
      extra: ['<af:migrated-to>https://v2.api.example/.well-known/agent-feed.xml</af:migrated-to>'],
    }),
    {
      ...moved,
      events: [event('migrated')],
      'if-followed': {
        origin: 'https://v2.api.example',
        trust: true,
        endpoints: [record('carts', { url: 'https://v2.api.example/carts' })],
      },
    },
    {
      serve: {
        'https://v2.api.example/.well-known/did.json': 'did/v2-host.json',
        'https://v2.api.example/.well-known/agent-feed.xml': 'feeds/v2-host.xml',
      },
    },
  );
  add(
    'Migrated to a host with the identity of another',
    feed([first], {
      status: 'migrated',
      extra: ['<af:migrated-to>https://v2.api.example/.well-known/agent-feed.xml</af:migrated-to>'],
    }),
    {
      ...moved,
      events: [event('migrated'), event('did-malformed')],
    },
    {
      serve: {
        'https://v2.api.example/.well-known/did.json': 'did/one-key.json',
        'https://v2.api.example/.well-known/agent-feed.xml': 'feeds/v2-host.xml',
      },
    },
  );
  add(
    'Migrated to plain http',
    feed([first], { status: 'migrated', extra: ['<af:migrated-to>http://api.example/feed.xml</af:migrated-to>'] }),
    { ...moved, events: [event('migrated')] },
  );
  add(
    'Migrated to itself',
    feed([first], { status: 'migrated', extra: [`<af:migrated-to>${FEED_URL}</af:migrated-to>`] }),
    { ...moved, events: [event('migrated')] },
  );
  add('Migrated without saying where', feed([first], { status: 'migrated' }), {
    ...moved,
    events: [event('migrated')],
  });
  const suspended = { 'feed-status': null, events: [event('unsupported-spec-version')], resolve: { orders: null } };
  add('Spec-version 1', feed([first], { specVersion: '1' }), suspended);
  add('Spec-version 1 and terminated', feed([first], { specVersion: '1', status: 'terminated' }), suspended, {
    note: 'The version is looked at first, and what a later version means by its status is not known: trust stays.',
  });
  const unread = { 'feed-status': null, events: [event('feed-malformed')] };
  add('No spec-version', feed([first], { specVersion: null }), unread);
  add('Spec-version 0.1', feed([first], { specVersion: '0.1' }), unread);
  add('Spec-version zero in words', feed([first], { specVersion: 'zero' }), unread);
  add('No status', feed([first], { status: null }), unread);
  add('A DOCTYPE', feed([first]).replace('<feed', '<!DOCTYPE feed [<!ENTITY x "y">]>\n<feed'), unread);
  add('XML that is not well-formed', feed([first]).replace('</feed>', ''), unread);
  add('HTML', '<!doctype html>\n<title>Not found</title>\n', unread);
  add(
    'A feed of another namespace',
    feed([first]).replace('http://www.w3.org/2005/Atom', 'http://purl.org/atom/ns#'),
    unread,
  );
  const unasked = { 'feed-status': null };
  add('No DID document', feed([first]), { ...unasked, events: [event('did-unreachable')] }, { did: null });
  add(
    'A DID document of another host',
    feed([first]),
    { ...unasked, events: [event('did-malformed')] },
    { did: 'did/of-another-host.json' },
  );
  add(
    'A key with a multicodec header',
    feed([first]),
    { ...unasked, events: [event('key-unresolvable')] },
    { did: 'did/multicodec-key.json' },
  );
  add(
    'Terminated without a DID document is not seen',
    feed([first], { status: 'terminated' }),
    { ...unasked, events: [event('did-unreachable')] },
    { did: null, note: 'The identity comes first (§2): a publisher keeps did.json when it terminates its feed.' },
  );
  add(
    'Entries of a key that is gone',
    feed([first, entry('2', A, announce('users'), { key: 'key-2' })]),
    {
      applied: 1,
      'last-seen': urn('2'),
      endpoints: [record('users')],
      events: [event('key-unresolvable'), event('unverified-entry', '1')],
    },
    { did: 'did/second-key.json' },
  );
  add('Both keys are there again', feed([first, entry('2', A, announce('users'), { key: 'key-2' })]), both, {
    did: 'did/two-keys.json',
  });
}

/** The target feed of a migration. */
export function migrationTarget() {
  const signer = 'did:web:v2.api.example#key-1';
  const at = 'https://v2.api.example/.well-known/agent-feed.xml';
  return feed([entry('1', A, announce('carts'), { signer, rawId: 'urn:af:v2.api.example:1' })], { self: at });
}
