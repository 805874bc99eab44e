import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readXml } from '../primitives/guarded-xml.ts';
import { DocumentFlaw } from './issue.ts';
import { XmlPieces } from './xml-pieces.ts';

/** What a document says, with its texts joined; undefined when it is refused. */
function eventsOfPieces(xml: string, size: number): readonly string[] | undefined {
  const events = new Events();
  const pieces = new XmlPieces(
    {
      open: ({ local, uri }, attributes, depth) =>
        events.open(local, uri, attributes.find(({ name }) => name === 'a')?.value, depth),
      close: (depth) => events.close(depth),
      text: (text, depth) => {
        if (depth > 0) events.text(text);
      },
    },
    1000,
  );
  try {
    for (let at = 0; at < xml.length; at += size) pieces.write(xml.slice(at, at + size));
    pieces.end();
  } catch (error) {
    if (!(error instanceof DocumentFlaw)) throw error;
    return undefined;
  }
  return events.list;
}

function eventsOfWhole(xml: string): readonly string[] | undefined {
  const events = new Events();
  const { ok } = readXml(xml, { maxCharacters: 10_000 }, 'X', {
    open: (element, depth) => events.open(element.local, element.uri, element.attribute('a'), depth),
    close: (depth) => events.close(depth),
    text: (text) => events.text(text),
    cdata: (text) => events.text(text),
  });
  return ok ? events.list : undefined;
}

class Events {
  readonly list: string[] = [];
  #isText = false;

  open(local: string, uri: string, a: string | undefined, depth: number): void {
    this.#add(`open ${depth} {${uri}}${local} ${a}`);
  }

  close(depth: number): void {
    this.#add(`close ${depth}`);
  }

  text(text: string): void {
    if (text === '') return;
    if (this.#isText) this.list.push(`${this.list.pop()}${text}`);
    else this.list.push(text);
    this.#isText = true;
  }

  #add(event: string): void {
    this.list.push(event);
    this.#isText = false;
  }
}

const NAMES = ['a', 'p:b', 'q:c', 'x:y:z', ':a', 'xmlns:a'];
const TEXTS = [
  '',
  'text',
  '&amp;&#65;',
  '&no;',
  '<![CDATA[<x>&]]>',
  '<!-- c -->',
  '<?pi x?>',
  ']]>',
  '\r\n',
  '😀',
  '\u0001',
  '<',
  '&',
];
const ATTRIBUTES = [
  '',
  ' a="1"',
  " a='&lt;\n'",
  ' a="1" a="2"',
  ' xmlns="d:e"',
  ' xmlns=""',
  ' xmlns:p="u:v"',
  ' xmlns:q="u:v"',
  ' p:x="1"',
  ' p:x="1" q:x="2"',
  ' xmlns:p=""',
  ' xmlns:xml="u:v"',
  ' xmlns:xmlns="u:v"',
  ' a=1',
  ' a',
];
/** Mostly right, so that something is read. */
const often = <T>(values: readonly T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(values[0] as T) }, { weight: 3, arbitrary: fc.constantFrom(...values) });

const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc
    .record({
      name: often(NAMES),
      attributes: fc.tuple(often(ATTRIBUTES), often(ATTRIBUTES)).map(([a, b]) => (a === b ? a : a + b)),
      text: often(TEXTS),
      children: fc.array(fc.oneof({ maxDepth: 3, depthIdentifier: 'tree' }, fc.constant('<a/>'), tie('tree')), {
        maxLength: 2,
      }),
    })
    .map(({ name, attributes, text, children }) => `<${name}${attributes}>${text}${children.join('')}</${name}>`),
}));

test('reads as the scanner of whole texts does, in pieces of any size', () => {
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(tree, fc.integer({ min: 1, max: 9 }), fc.nat({ max: 60 }), (xml, size, cut) => {
      const root = `<r xmlns:p="p:p" xmlns:q="q:q">${xml}</r>`;
      for (const text of [root, root.slice(0, -cut), root.replace('>', '')]) {
        const whole = eventsOfWhole(text);
        expect(eventsOfPieces(text, size)).toEqual(whole);
        if (whole === undefined) refused += 1;
        else read += 1;
      }
    }),
    { numRuns: 600 },
  );
  expect(read).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

test('a part may be as large as its limit', () => {
  const part = (length: number) => `<r><a>${'x'.repeat(length - '<r><a></a>'.length)}</a></r>`;
  const read = (text: string) => {
    const pieces = new XmlPieces({ open() {}, close: (depth) => depth === 2 && pieces.endPart(), text() {} }, 100);
    pieces.write(text);
    pieces.end();
  };
  expect(() => read(part(100))).not.toThrow();
  expect(() => read(part(101))).toThrow('100 characters');
});
