import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { IS_LONG, shortOrLong } from '../../../test/support/short-or-long.ts';
import { ATOM_NAMESPACE } from '../primitives/xml-names.ts';
import { AGENT_FEED_LIMITS, decodeAgentFeed } from './decode-feed.ts';
import { AF_NAMESPACE } from './wire.ts';

const OPEN = `<feed xmlns="${ATOM_NAMESPACE}" xmlns:af="${AF_NAMESPACE}">`;
const FEED = `${OPEN}<entry><content>x</content></entry></feed>`;
const BOMB = '<!DOCTYPE feed [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]>';

function messageOf(xml: string): string | undefined {
  const result = decodeAgentFeed(xml);
  return result.ok ? undefined : result.issues[0].message;
}

test.each([
  ['a DOCTYPE', `<!DOCTYPE feed>${FEED}`, 'DOCTYPE'],
  ['a DOCTYPE after a declaration and a comment', `<?xml version="1.0"?>\n<!-- < -->\n${BOMB}${FEED}`, 'DOCTYPE'],
  ['a DOCTYPE in lower case', `<!doctype feed>${FEED}`, 'DOCTYPE'],
  ['a DOCTYPE behind a byte-order mark', `\uFEFF${BOMB}${FEED}`, 'DOCTYPE'],
  ['an external DTD', `<!DOCTYPE feed SYSTEM "https://evil.example/x.dtd">${FEED}`, 'DOCTYPE'],
  ['a DOCTYPE inside', `${OPEN}<!DOCTYPE feed></feed>`, 'not well-formed'],
  ['an entity that nobody defines', FEED.replace('x<', '&b;<'), 'undefined entity'],
  ['an HTML entity', FEED.replace('x<', '&nbsp;<'), 'undefined entity'],
  ['an entity named as a member of all objects', FEED.replace('x<', '&constructor;<'), 'undefined entity'],
  ['a bare ampersand', FEED.replace('x<', 'a & b<'), 'not well-formed'],
  ['two roots', `${FEED}${FEED}`, 'not well-formed'],
  ['text after the root', `${FEED}x`, 'not well-formed'],
  ['text before the root', `x${FEED}`, 'not well-formed'],
  ['a root that does not end', FEED.slice(0, -7), 'not well-formed'],
  ['elements that cross', `${OPEN}<entry><content></entry></content></feed>`, 'not well-formed'],
  ['a prefix that nobody declares', `${OPEN}<x:y/></feed>`, 'not well-formed'],
  ['an attribute twice', `${OPEN}<entry a="1" a="2"/></feed>`, 'not well-formed'],
  [
    'an attribute twice by its namespace',
    `${OPEN}<x xmlns:a="u" xmlns:b="u" a:x="" b:x=""/></feed>`,
    'not well-formed',
  ],
  ['NUL', FEED.replace('x<', '\0<'), 'not well-formed'],
  ['NUL by number', FEED.replace('x<', '&#0;<'), 'not well-formed'],
  ['a control character', FEED.replace('x<', '\u0007<'), 'not well-formed'],
  ['half a pair by number', FEED.replace('x<', '&#xD800;<'), 'not well-formed'],
  ['a number beyond Unicode', FEED.replace('x<', '&#x110000;<'), 'not well-formed'],
  ['U+FFFE', FEED.replace('x<', '\uFFFE<'), 'not well-formed'],
  ['half a pair', FEED.replace('x<', '\uD800<'), 'surrogate'],
  ['the other half', FEED.replace('x<', 'x\uDC00<'), 'surrogate'],
  [
    'half a pair that eats markup',
    `${OPEN}<entry><content>x\uD800</content><content>y</content></entry></feed>`,
    'surr',
  ],
  [']]> in text', FEED.replace('x<', ']]><'), 'not well-formed'],
  ['a declaration that is not first', ` <?xml version="1.0"?>${FEED}`, 'not well-formed'],
  ['a comment that does not end', `${OPEN}<!-- </feed>`, 'not well-formed'],
  ['CDATA that does not end', `${OPEN}<entry><content><![CDATA[x</content></entry></feed>`, 'not well-formed'],
  [
    'many attributes',
    `${OPEN}<entry ${Array.from({ length: 100 }, (_, at) => `a${at}=""`).join(' ')}/></feed>`,
    '32 attr',
  ],
])('refuses %s', (_, xml, message) => {
  expect(messageOf(xml)).toContain(message);
});

test('takes one byte-order mark and "DOCTYPE" in a comment for what they are: nothing', () => {
  expect(messageOf(`\uFEFF${FEED}`)).toBeUndefined();
  expect(messageOf(`\uFEFF<?xml version="1.0"?><!-- <!DOCTYPE x> -->${FEED}`)).toBeUndefined();
  expect(messageOf(`<?xml-stylesheet href="x"?>${FEED}<!-- after -->\n`)).toBeUndefined();
  expect(messageOf(`\uFEFF\uFEFF${FEED}`)).toContain('not well-formed');
  expect(messageOf(`\uFEFF\uFEFF<?xml version="1.0"?>${FEED}`)).toContain('not well-formed');
});

test.each([
  ['UTF-8', 'x', undefined],
  ['utf-8', '\u00e9', undefined],
  ['US-ASCII', 'x', undefined],
  ['US-ASCII', '\u00e9', 'us-ascii'],
  ['UTF-16', 'x', 'utf-16'],
  ['ISO-8859-1', 'x', 'iso-8859-1'],
  ['UTF-7', 'x', 'utf-7'],
  ['utf8', 'x', 'utf8'],
])('of a feed that says that it is in %s and holds %j, what others would see counts', (encoding, text, message) => {
  for (const declared of [`"${encoding}"`, `'${encoding}'`]) {
    const seen = messageOf(`<?xml version="1.0" encoding=${declared}?>${FEED.replace('>x<', `>${text}<`)}`);
    if (message === undefined) expect(seen).toBeUndefined();
    else expect(seen).toContain(message);
  }
});

test('says the line', () => {
  expect(messageOf(`${OPEN}\n\n<entry>&x;</entry></feed>`)).toMatch(/^Line 3: /);
});

test.each<[string, number, (count: number) => string]>([
  ['levels', 100_000, (count) => `${OPEN}${'<a>'.repeat(count)}`],
  ['levels of namespaces', 100_000, (count) => `${OPEN}${'<a xmlns:x="y">'.repeat(count)}`],
  ['bytes', 50_000_000, (count) => `${OPEN}${'x'.repeat(count)}</feed>`],
  ['attributes', 100_000, (count) => `${OPEN}<a ${'x="" '.repeat(count)}`],
  ['comment openings', 100_000, (count) => `<!--${'<!-'.repeat(count)}`],
  ['instruction openings', 100_000, (count) => '<?x'.repeat(count)],
  ['declarations in a DOCTYPE', 1_300_000, (count) => `<!DOCTYPE feed [${'<!ENTITY a "b">'.repeat(count)}]>${FEED}`],
])('refuses many %s at once', async (_, count, make) => {
  expect(messageOf(make(count))).toBeDefined();
  await expectLinearDecoding(make);
});

test('refuses more entries than it may have', () => {
  const many = `${OPEN}${'<entry/>'.repeat(AGENT_FEED_LIMITS.maxEntries + 1)}</feed>`;
  expect(messageOf(many)).toContain('more than 100000 entries');
});

test.each([
  ['elements', '<x></x>'],
  ['references', '&amp;'],
  ['CDATA', '<![CDATA[]]>'],
  ['comments', '<!---->'],
  ['brackets', ']'],
  ['line ends', '\r\n'],
  ['returns', '\r'],
  ['numbers', '&#x41;'],
  ['attributes', `<x ${Array.from({ length: 32 }, (_, at) => `a${at}=""`).join(' ')}/>`],
  ['prefixes', '<a:x xmlns:a="b"/>'],
  ['references between comments', '&amp;<!---->'],
])('takes no more than linear steps for many %s', async (_, piece) => {
  const made = (count: number) =>
    `${OPEN}<title>${piece.repeat(count)}</title><entry><content>${piece.repeat(count)}</content></entry></feed>`;
  decodeAgentFeed(made(shortOrLong(1000, 100_000)));
  await expectLinearDecoding(made);
});

test.runIf(IS_LONG).each([
  ['references', '&amp;'],
  ['numbers', '&#x41;'],
  ['returns', '\r'],
  ['attributes', `<x ${Array.from({ length: 32 }, (_, at) => `a${at}=""`).join(' ')}/>`],
  ['references between comments', '&amp;<!---->'],
])('reads as many %s as a feed can hold', (_, piece) => {
  const many = piece.repeat(Math.floor((AGENT_FEED_LIMITS.maxCharacters - 1000) / piece.length));
  const xml = `${OPEN}<entry><content>${many}</content></entry></feed>`;
  expect(xml.length).toBeGreaterThan(33_000_000);
  expect(() => decodeAgentFeed(xml)).not.toThrow();
});

function expectLinearDecoding(make: (count: number) => string): Promise<void> {
  return expectLinear<typeof import('./decode-feed.ts'), string>(
    new URL('./decode-feed.ts', import.meta.url),
    ({ decodeAgentFeed }, xml) => decodeAgentFeed(xml),
    make,
    1000,
  );
}
