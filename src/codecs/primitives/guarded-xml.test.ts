import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { readXml, XmlStop } from './guarded-xml.ts';

const LIMITS = { maxCharacters: 100_000 };

type Event = readonly [is: string, ...rest: readonly (string | number)[]];

/** What our reader sees in a document, or why it refuses it. Texts that touch are one. */
function eventsOf(xml: string, limits: Parameters<typeof readXml>[1] = LIMITS): readonly Event[] | string {
  const seen: Event[] = [];
  const result = readXml(xml, limits, 'X-1', {
    open: (element, depth) => {
      seen.push(['open', element.uri, element.local, element.attribute('a') ?? '', depth]);
    },
    close: (depth) => {
      seen.push(['close', depth]);
    },
    text: (text) => addText(seen, text),
    cdata: (text) => addText(seen, text),
    comment: () => {
      seen.push(['comment']);
    },
    processingInstruction: () => {
      seen.push(['instruction']);
    },
  });
  return result.ok ? seen : result.issues[0].message;
}

/** Where saxes is looser than the specifications: `<?i?x?>`, and blanks around the name of a namespace. */
const LOOSE = /<\?[^\s?]+\?[^>]|xmlns[^=>]*=\s*(?:"(?:\s[^"]*|[^"]*\s)"|'(?:\s[^']*|[^']*\s)')/;

/** It takes every declared encoding for what it is given as. */
const OTHER_ENCODING = /^<\?xml[^>]*encoding="(?!UTF-8")/;

/** The same as an independent parser sees it. Undefined where it is not well formed. */
function eventsOfSaxes(xml: string): readonly Event[] | undefined {
  const parser = new SaxesParser({ xmlns: true });
  const seen: Event[] = [];
  let depth = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    depth += 1;
    seen.push(['open', uri, local, attributes.a?.value ?? '', depth]);
  });
  parser.on('closetag', () => {
    seen.push(['close', depth]);
    depth -= 1;
  });
  parser.on('text', (text) => {
    if (depth > 0) addText(seen, text);
  });
  parser.on('cdata', (text) => addText(seen, text));
  parser.on('comment', () => seen.push(['comment']));
  parser.on('processinginstruction', () => seen.push(['instruction']));
  try {
    parser.write(xml).close();
    return seen;
  } catch {
    return undefined;
  }
}

function addText(seen: Event[], text: string): void {
  if (text === '') return;
  const last = seen.at(-1);
  if (last?.[0] === 'text') seen[seen.length - 1] = ['text', `${last[1]}${text}`];
  else seen.push(['text', text]);
}

test('reports a document in its order', () => {
  const xml =
    '<?xml version="1.0"?><r xmlns="u" xmlns:p="v" a="1&lt;\n2">x&amp;<p:e/><![CDATA[<y>]]>z<!-- c --><?i d?></r>';
  expect(eventsOf(xml)).toEqual([
    ['open', 'u', 'r', '1< 2', 1],
    ['text', 'x&'],
    ['open', 'v', 'e', '', 2],
    ['close', 2],
    ['text', '<y>z'],
    ['comment'],
    ['instruction'],
    ['close', 1],
  ]);
});

test('an attribute of a namespace is not the attribute without one', () => {
  expect(eventsOf('<r xmlns:p="v" p:a="1"/>')).toEqual([
    ['open', '', 'r', '', 1],
    ['close', 1],
  ]);
});

test('keeps to the limits that it is given', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  expect(eventsOf(nested(32))).toHaveLength(64);
  expect(eventsOf(nested(33))).toBe('Line 1: it is nested deeper than 32.');
  expect(eventsOf(nested(3), { ...LIMITS, maxDepth: 2 })).toContain('nested deeper than 2');
  expect(eventsOf('<a b="" c=""/>', { ...LIMITS, maxAttributes: 1 })).toContain('more than 1 attributes');
  expect(eventsOf('<abc/>', { maxCharacters: 5 })).toBe('It has more than 5 characters.');
});

test('a handler leaves early with a message, and its other errors are not caught', () => {
  const close = () => undefined;
  const stop = () => {
    throw new XmlStop('it is enough');
  };
  expect(readXml('\n<a>', LIMITS, 'X-1', { open: stop, close })).toEqual({
    ok: false,
    issues: [{ clause: 'X-1', message: 'Line 2: it is enough.' }],
  });
  const fail = () => {
    throw new RangeError('a bug');
  };
  expect(() => readXml('<a/>', LIMITS, 'X-1', { open: fail, close })).toThrow(RangeError);
});

const PIECES = [
  '<a>',
  '</a>',
  '<a a="1">',
  '<a a="\n&#10;&quot;&lt;">',
  "<a a='\"'>",
  '<a a=">"/>',
  '<p:b xmlns:p="v">',
  '</p:b>',
  '<c xmlns="w"/>',
  '<p:d xmlns:p="v" p:a="2" a="1"/>',
  '<e xml:a="1" xmlns:a=""/>',
  '<f a="1" a="2"/>',
  '<g xmlns:x="v" xmlns:y="v" x:q="" y:q=""/>',
  '<a b="<"/>',
  '<a b/>',
  '<a b=c/>',
  '<a b=""c=""/>',
  '< a>',
  '</ a>',
  '</a >',
  '<a\n/>',
  '<a/ >',
  'text',
  ' ',
  '\r\n',
  '\r',
  '\t',
  '&amp;',
  '&#233;',
  '&#x1F600;',
  '&#XE9;',
  '&#x;',
  '&#;',
  '&#99999999999999999999;',
  '&lt;&gt;&quot;&apos;',
  '&#38;lt;',
  '&amp',
  '&AMP;',
  '&#xD800;',
  '&#0;',
  '&x;',
  '&',
  ']]>',
  ']]',
  '>',
  '"',
  '\u{1F600}',
  '\u00e9',
  '\u0085',
  '\u2028',
  '\uFFFE',
  '\u0001',
  '<![CDATA[',
  '<![CDATA[x&<]]>',
  '<![CDATA[]]>',
  '<!--',
  '-->',
  '--',
  '<!-- x -->',
  '<!---->',
  '<!-- - -->',
  '<!--x--->',
  '<?i d?>',
  '<?i?>',
  '<?xml version="1.0"?>',
  '<?XML?>',
  '<??>',
  '<?i',
  '?>',
  '<é/>',
  '<1/>',
  '<-/>',
  '<a:/>',
  '<:a/>',
  '<a:b:c/>',
  '<xmlns:a/>',
  '<xml:a/>',
  '<a xmlns:xml="x"/>',
  '<a xmlns:xmlns="x"/>',
  '<a xmlns="http://www.w3.org/XML/1998/namespace"/>',
  '<!x>',
  '<!',
  '<',
] as const;

test('agrees with an independent parser about what is well formed, and about every event', () => {
  let wellFormed = 0;
  const inside = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));
  const wrapped = fc.oneof(inside, inside, inside).map((text) => `<r>${text}</r>`);
  const document = fc.oneof(
    { weight: 5, arbitrary: wrapped },
    inside,
    fc.tuple(inside, wrapped, inside).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(document, (xml) => {
      if (LOOSE.test(xml)) return;
      const theirs = eventsOfSaxes(xml);
      const ours = eventsOf(xml);
      if (theirs === undefined) expect(typeof ours, xml).toBe('string');
      else expect(ours, xml).toEqual(theirs);
      if (theirs !== undefined) wellFormed += 1;
    }),
    { numRuns: shortOrLong(500, 10_000) },
  );
  expect(wellFormed).toBeGreaterThan(shortOrLong(20, 200));
});

test('agrees with it about damaged documents too', () => {
  const whole =
    '<?xml version="1.0" encoding="UTF-8"?>\n<r xmlns="u" xmlns:p="v">\n <p:a a="1">x&amp;y<![CDATA[<z>]]></p:a><!-- c --><?i d?>\n <b/>\u{1F600}</r>\n';
  expect(eventsOf(whole)).toEqual(eventsOfSaxes(whole));
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(4), fc.constantFrom('', ...PIECES), (at, cut, put) => {
      const xml = whole.slice(0, at) + put + whole.slice(at + cut);
      if (!xml.isWellFormed() || LOOSE.test(xml) || OTHER_ENCODING.test(xml)) return;
      expect(eventsOf(xml), xml).toEqual(eventsOfSaxes(xml) ?? expect.any(String));
    }),
    { numRuns: shortOrLong(500, 10_000) },
  );
});
