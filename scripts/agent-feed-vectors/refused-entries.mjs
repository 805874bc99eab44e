/** Entries that may not be applied. */

import { A, C, D, event, ORDERS, record } from './feed-parts.mjs';
import {
  announcement as announce,
  base64url,
  canonical,
  schemaChange as change,
  DID,
  deprecation as deprecate,
  entry,
  escapeXml,
  feed,
  KEYS,
  ORIGIN,
  sign,
  urn,
} from './lib.mjs';

/** Invalid entries. The entries after them still count. */
export function addRefusedEntries(add, { first, second, beside }) {
  const content = canonical(announce('orders'));
  const text = base64url(sign(KEYS['key-1'].seed, Buffer.from(content)));
  const bad = (name, ...events) => [name, beside(...(events.length > 0 ? events : [event('unverified-entry', '1')]))];
  const put = (name, more, ...events) => {
    const [title, expect] = bad(name, ...events);
    add(title, feed([entry('1', A, announce('orders'), more), second]), expect);
  };
  put('A signature of another payload', { signed: 'x' });
  put('A signature of another key', { key: 'key-2', signer: `${DID}#key-1` });
  put('A padded signature', { signature: `${text}==` });
  put('A short signature', { signature: text.slice(0, -2) });
  put('A signature with junk behind it', { signature: `${text}AAAA` });
  put('An empty signature', { signature: '' });
  put('A signature of another algorithm', { signatureType: 'es256' });
  put(
    'A signer that is not in the DID document',
    { key: 'key-3' },
    event('key-unresolvable'),
    event('unverified-entry', '1'),
  );
  put('A comment in the content', { markup: content.replace('orders', 'ord<!-- -->ers') });
  put('A processing instruction in the content', { markup: content.replace('orders', 'ord<?x y?>ers') });
  put('An element in the content', { markup: `${content.slice(0, -1)}<b/>}` });
  put('White space around the content', { markup: `\n      ${content}\n    ` });
  put('The content printed over several lines', { markup: JSON.stringify(announce('orders'), null, 2) });
  put('A content that is escaped twice', {
    content: canonical(announce('a&b')),
    markup: escapeXml(escapeXml(canonical(announce('a&b')))),
  });
  put('Two contents', { extra: [`<content type="application/json">${content}</content>`] });
  put('Two signatures', { extra: [`<af:sig type="ed25519">${text}</af:sig>`] });
  const unsigned = entry('1', A, announce('orders')).replace(/ *<af:sig.*\n/, '');
  add('No signature', feed([unsigned, second]), beside(event('unverified-entry', '1')));
  add(
    'A bad entry under a known id is unverified and no replay',
    feed([second, entry('2', A, announce('orders'), { signed: 'x' })]),
    beside(event('unverified-entry', '2')),
  );

  const malformed = (name, type, payload, more = {}) =>
    add(name, feed([entry('1', type, payload, more), second]), beside(event('malformed-payload', '1')));
  malformed('A deprecation under the type of an announcement', A, deprecate('users'));
  malformed('An announcement under the type of a schema-change', C, announce('users'));
  malformed('A payload with a key twice', A, null, {
    content: `{"endpoint":"/evil",${canonical(announce('users')).slice(1)}`,
  });
  malformed('A payload that is an array', A, [announce('users')]);
  malformed('A payload that is no JSON', A, null, { content: 'endpoint=/users' });
  malformed(
    'A payload without endpoint',
    A,
    { ...announce('users'), endpoint: undefined },
    { content: canonical(announce('users')).replace('"endpoint":"/users",', '') },
  );
  malformed('A version that is a number', A, { ...announce('users'), version: 1 });
  malformed('A time that is none', A, { ...announce('users'), 'asserted-at': 'yesterday' });
  malformed('A sunset without time of day', D, deprecate('users', { sunset: '2026-10-01' }));
  malformed('An endpoint that is neither URL nor path', A, announce('users', { endpoint: 'api/v1' }));
  malformed('A migration that is an array', C, change('users', '1', '2', []));

  add(
    'A payload again under another id',
    feed([first, entry('2', A, announce('orders', { endpoint: '/new' })), entry('3', A, announce('orders'))]),
    {
      applied: 2,
      'last-seen': urn('2'),
      endpoints: [record('orders', { url: `${ORIGIN}/new` })],
      events: [event('repeated-payload', '3')],
    },
    {
      note: 'Nothing signs the id. A reader that applies this lets whoever can alter the document roll an endpoint back.',
    },
  );
  add('One id with two payloads', feed([first, entry('1', A, announce('orders', { endpoint: '/evil' })), second]), {
    applied: 2,
    'last-seen': urn('2'),
    endpoints: [record('orders'), record('users')],
    events: [event('replay-mismatch', '1')],
  });
  add(
    'One id with two signatures',
    feed([first, entry('1', A, announce('orders'), { key: 'key-2' })]),
    {
      applied: 1,
      'last-seen': urn('1'),
      endpoints: [ORDERS],
      events: [event('replay-mismatch', '1')],
    },
    { did: 'did/two-keys.json' },
  );
  add('One entry twice', feed([first, first, second]), {
    applied: 2,
    'last-seen': urn('2'),
    endpoints: [ORDERS, record('users')],
  });
}
