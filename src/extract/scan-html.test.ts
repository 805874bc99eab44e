import fc from 'fast-check';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import type { OpenTag } from './open-tag.ts';
import { type HtmlSink, scanHtml } from './scan-html.ts';
import type { TagName } from './tag-names.ts';

/** Tokens as lines of text, the same for both readers. Text and comments that stand side by side are one. */
class Tokens {
  readonly list: string[] = [];
  #foreignDepth = 0;
  #text = '';

  text(text: string): void {
    this.#text += text;
  }

  open(name: string, attributes: readonly string[], isSelfClosing: boolean): void {
    this.#put(`<${[name, ...attributes].join(' ')}${isSelfClosing ? '/' : ''}>`);
    if (/^(?:svg|math)$/.test(name) && !isSelfClosing) this.#foreignDepth += 1;
  }

  close(name: string): void {
    this.#put(`</${name}>`);
    if (/^(?:svg|math)$/.test(name) && this.#foreignDepth > 0) this.#foreignDepth -= 1;
  }

  isInForeign(): boolean {
    return this.#foreignDepth > 0;
  }

  done(): readonly string[] {
    this.#put('');
    return this.list.filter((token) => token !== '');
  }

  #put(token: string): void {
    this.list.push(this.#text, token);
    this.#text = '';
  }
}

class OurTokens extends Tokens implements HtmlSink {
  readonly isDone = false;
  readonly #html: string;

  constructor(html: string) {
    super();
    this.#html = html;
  }

  onText(start: number, end: number): void {
    this.text(this.#html.slice(start, end));
  }

  onOpenTag(tag: OpenTag): void {
    const attributes = Array.from({ length: tag.count }, (_, at) => `${tag.attributeName(at)}=${tag.rawValue(at)}`);
    this.open(tag.name.name, attributes, tag.isSelfClosing);
  }

  onCloseTag({ name }: TagName): void {
    this.close(name);
  }

  onComment(): void {}
}

class PeerTokens extends Tokens implements TokenizerCallbacks {
  readonly #html: string;
  #name = '';
  #attributes: string[] = [];
  #attribute = '';

  constructor(html: string) {
    super();
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.text(this.#html.slice(start, end));
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#attributes = [];
  }

  onattribname(start: number, end: number): void {
    this.#attribute = `${this.#html.slice(start, end).toLowerCase()}=`;
  }

  onattribdata(start: number, end: number): void {
    this.#attribute += this.#html.slice(start, end);
  }

  onattribend(): void {
    this.#attributes.push(this.#attribute);
  }

  onopentagend(): void {
    this.open(this.#name, this.#attributes, false);
  }

  onselfclosingtag(): void {
    this.open(this.#name, this.#attributes, true);
  }

  onclosetag(start: number, end: number): void {
    this.close(this.#html.slice(start, end).toLowerCase());
  }

  isInForeignContext(): boolean {
    return this.isInForeign();
  }

  ontextentity(): void {}
  onattribentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

function ourTokens(html: string): readonly string[] {
  const tokens = new OurTokens(html);
  scanHtml(html, tokens);
  return tokens.done();
}

function peerTokens(html: string): readonly string[] {
  const tokens = new PeerTokens(html);
  const tokenizer = new Tokenizer({ decodeEntities: false }, tokens);
  tokenizer.write(html);
  tokenizer.end();
  return tokens.done();
}

const SIGNS = '< </ > /> / ! ? = - -- " \' & ; <!-- --> --!> <!-> <!doctype <? ?> </1 <1 </> < a K'.split(' ');
const NAMES =
  'a div P sVg math title textarea script Style xmp plaintext iframe noembed noframes noscript my-card title/ h1'.split(
    ' ',
  );
const PIECES = [
  ...SIGNS,
  ...NAMES.flatMap((name) => [name, `<${name}`, `<${name}>`, `</${name}`, `</${name}>`, `<${name}/>`]),
  ...[' ', '\n', '\t', '\f', '\r', '\u00A0', 'é', '😀', '\uD800', '\0', '\u212A'],
  ...['class="x y"', "id='q'", 'href=/a?b=1&c', 'b=', '=b', '==', 'x"y', '"', "'"],
];

/** Ends whatever is open: of a tag that is cut off the other reader gives some letters as text. */
const END = `'"-->`;

test('any text gives the tokens that another reader of HTML finds', () => {
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('') + END);
  fc.assert(
    fc.property(texts, (html) => {
      expect(ourTokens(html)).toEqual(peerTokens(html));
    }),
    { numRuns: shortOrLong(500, 50_000) },
  );
});

test.each([
  ['<p class=a>b<br/>c</p>', ['<p class=a>', 'b', '<br/>', 'c', '</p>']],
  ['a < b <!-- <p> --> c <3', ['a < b  c <3']],
  ['<script>if (a </b> c)</script x>d', ['<script>', 'if (a </b> c)', '</script>', 'd']],
  ['<a x="1" y=\'2\' z=3 w>', ['<a x=1 y=2 z=3 w=>']],
  ['<svg><title><b></title></svg>', ['<svg>', '<title>', '<b>', '</title>', '</svg>']],
  ['<p>a<b', ['<p>', 'a']],
  ['<p>a<title', ['<p>', 'a']],
  ['<p>a</p ', ['<p>', 'a', '</p>']],
  ['<p>a</p', ['<p>', 'a']],
  ['<p>a<b c="', ['<p>', 'a']],
  ['a</', ['a</']],
  ['a<', ['a<']],
])('%s', (html, tokens) => {
  expect(ourTokens(html)).toEqual(tokens);
});

test('comments are told with where they stand', () => {
  const comments: string[] = [];
  const html = 'a<!-- b --><!c><?d?></ e><!-->f';
  const tokens = new OurTokens(html);
  tokens.onComment = (start?: number, end?: number) => void comments.push(html.slice(start, end));
  scanHtml(html, tokens);
  expect(comments).toEqual([' b ', 'c', '?d?', ' e']);
});
