/** Feeds that say the same in other ways, or more than v0 defines. */

import { A, event, record } from './feed-parts.mjs';
import {
  announcement as announce,
  base64url,
  canonical,
  deprecation as deprecate,
  entry,
  feed,
  KEYS,
  sign,
  urn,
} from './lib.mjs';

/** Unsigned parts, and parts that v0 does not define. */
export function addEnvelopes(add, { first, second, both, beside }) {
  const content = canonical(announce('orders'));
  add(
    'An entry of an unknown type',
    feed([entry('1', 'status', { state: 'ok' }), second]),
    beside(event('unknown-entry-type', '1')),
  );
  add(
    'A type in upper case is unknown',
    feed([entry('1', 'Deprecation', deprecate('users')), second]),
    beside(event('unknown-entry-type', '1')),
  );
  add(
    'Unknown elements',
    feed(
      [
        entry('1', A, announce('orders'), {
          extra: ['<af:priority>9</af:priority>', '<summary>x</summary>', '<x:y xmlns:x="urn:x">z</x:y>'],
        }),
        second,
      ],
      { extra: ['<af:contact>ops</af:contact>'] },
    ),
    {
      ...both,
      events: [event('unknown-element'), event('unknown-element', '1')],
    },
  );
  add(
    'A title that says something else',
    feed([entry('1', A, announce('orders'), { title: 'deprecation' }), second]),
    both,
  );
  add('Entries without signer', feed([entry('1', A, announce('orders'), { signer: null }), second]), both);
  add(
    'A signer that is only a fragment',
    feed([entry('1', A, announce('orders'), { signer: '#key-1' }), second]),
    both,
  );
  add(
    'A signature over several lines',
    feed([entry('1', A, announce('orders'), { signature: wrapped(content) }), second]),
    both,
  );
  add('CDATA', feed([entry('1', A, announce('orders'), { markup: `<![CDATA[${content}]]>` }), second]), both);
  add(
    'Text and CDATA in pieces',
    feed([
      entry('1', A, announce('orders'), {
        markup: `${content.slice(0, 9)}<![CDATA[${content.slice(9, 30)}]]>${content.slice(30)}`,
      }),
      second,
    ]),
    both,
  );
  add(
    'Quotes as entities',
    feed([entry('1', A, announce('orders'), { markup: content.replaceAll('"', '&quot;') }), second]),
    both,
  );
  add(
    'Character references',
    feed([
      entry('1', A, announce('orders'), { markup: content.replaceAll('o', '&#111;').replaceAll('e', '&#x65;') }),
      second,
    ]),
    both,
  );
  const odd = 'a&b<c>]]>"größe"😀';
  add('Letters that XML escapes', feed([entry('1', A, announce('orders', { version: odd }))]), {
    applied: 1,
    'last-seen': urn('1'),
    endpoints: [record('orders', { version: odd })],
  });
  const plain = feed([first, second]);
  add('Another prefix', plain.replaceAll(/<(\/?)af:/g, '<$1x:').replace('xmlns:af', 'xmlns:x'), both);
  add(
    'Atom with a prefix and af without',
    plain
      .replace(
        'xmlns="http://www.w3.org/2005/Atom" xmlns:af="https://agent-feed.dev/ns/v0"',
        'xmlns:atom="http://www.w3.org/2005/Atom" xmlns="https://agent-feed.dev/ns/v0"',
      )
      .replaceAll(/<(\/?)(feed|entry|id|title|updated|content)\b/g, '<$1atom:$2')
      .replaceAll(/<(\/?)af:/g, '<$1'),
    both,
  );
  add(
    'The prefix af bound to something else',
    plain.replace('https://agent-feed.dev/ns/v0', 'https://agent-feed.dev/ns/v1'),
    { 'feed-status': null, events: [event('feed-malformed')] },
  );
  add(
    'An entry within another element does not count',
    feed([
      second.replaceAll(/^/gm, '  ').replace('  <entry>', '<x:box xmlns:x="urn:x">\n<entry>').concat('\n</x:box>'),
      entry('2', A, announce('users')),
    ]),
    beside(),
  );
  add(
    'Rotation: entries of two keys',
    feed([entry('1', A, announce('orders')), entry('2', A, announce('users'), { key: 'key-2' })]),
    both,
    { did: 'did/two-keys.json' },
  );
  add(
    'Rotation: the default key is the first',
    feed([
      entry('1', A, announce('orders'), { signer: null }),
      entry('2', A, announce('users'), { key: 'key-2', signer: null }),
    ]),
    beside(event('unverified-entry', '1')),
    { did: 'did/two-keys.json' },
  );
}

function wrapped(content) {
  const text = base64url(sign(KEYS['key-1'].seed, Buffer.from(content)));
  return `\n      ${text.slice(0, 43)}\n      ${text.slice(43)}\n    `;
}
