import MarkdownIt, { type Token } from 'markdown-it';
import { Html } from '../../http/html.ts';
import { foreignLines, linkAddress } from '../../http/html-text.ts';

/** More would take too long for a page; the rest is left out. */
export const MAX_MARKDOWN = 20_000;
/** A longer paragraph is shown as its source. */
const MAX_PARAGRAPH = 2000;
/** Tables are filled up to the width of their heads: a few characters can make very many cells. */
const MAX_CELLS = 10_000;
/** Lists in lists and quotes in quotes, beyond which nothing is shown. */
const MAX_NESTING = 24;
const MAX_ADDRESS = 300;
/** The page itself has the first level, and each part a heading of the second. */
const FIRST_LEVEL = 3;
const LAST_LEVEL = 6;

/**
 * The Markdown of a page of others as it reads, below a heading of the second level.
 *
 * Nothing of it is HTML but what CommonMark makes: no tags of the author, no ids, classes or styles, no picture is loaded. Links lead to the web
 * or nowhere; `base` is the page that relative ones are meant from.
 */
export function markdownHtml(text: string, base: string): Html {
  return readMarkdown(text, base).show();
}

/** Markdown that is understood and not shown yet. */
export interface ReadMarkdown {
  /** Tokens with text, in reading order, by the blocks that contain them. */
  readonly leaves: readonly (readonly Token[])[];
  /** With some of the words in an element of their own. */
  show(marks?: WordMarks): Html;
}

export interface WordMarks {
  readonly element: 'del' | 'ins';
  /** For each leaf that has some: all of its text, in pieces. */
  readonly pieces: ReadonlyMap<Token, readonly { readonly text: string; readonly isMarked: boolean }[]>;
}

export function readMarkdown(text: string, base: string): ReadMarkdown {
  const shown = text.slice(0, MAX_MARKDOWN);
  const markdown = mostCells(shown) > MAX_CELLS ? withoutTables : withTables;
  const tokens = markdown.parse(shown, {});
  plainTokens(tokens, base);
  return {
    leaves: tokens.map((token) =>
      LEAVES.has(token.type) ? [token] : (token.children ?? []).filter(({ type }) => LEAVES.has(type)),
    ),
    show: (marks) => new Html(markdown.renderer.render(tokens, markdown.options, { marks })),
  };
}

const BREAKS: ReadonlySet<string> = new Set(['softbreak', 'hardbreak']);
const LEAVES: ReadonlySet<string> = new Set([
  ...['text', 'text_special', 'long_text', 'code_inline', 'code_block', 'fence'],
  ...BREAKS,
]);

/** The text of a leaf; a line break within a paragraph counts as a space. */
export function leafText({ type, content }: Token): string {
  return BREAKS.has(type) ? ' ' : content;
}

function mostCells(text: string): number {
  const lines = text.split('\n');
  return lines.length * Math.max(...lines.map((line) => line.split('|').length - 1));
}

const withTables = createMarkdown();
const withoutTables = createMarkdown().disable('table');

function createMarkdown() {
  const markdown = new MarkdownIt('default', { html: false, linkify: false, maxNesting: MAX_NESTING });
  // Some signs make the work grow with the square of a paragraph.
  markdown.core.ruler.before('inline', 'long_text', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'inline' && token.content.length > MAX_PARAGRAPH) token.type = 'long_text';
    }
  });
  // Which addresses are links is decided below, with the words of all others kept.
  markdown.validateLink = () => true;
  markdown.normalizeLink = (address) => address;
  const text: RenderRule = (tokens, index, _options, { marks }) => markedText(tokens[index], marks);
  const code: RenderRule = (...asked) => `<pre tabindex="0"><code>${text(...asked)}</code></pre>\n`;
  const code_inline: RenderRule = (...asked) => `<code>${text(...asked)}</code>`;
  const image: RenderRule = (tokens, index) => pictureHtml(tokens[index]);
  const rules = { text, text_special: text, long_text: text, code_inline, code_block: code, fence: code, image };
  Object.assign(markdown.renderer.rules, rules);
  return markdown;
}

type RenderRule = (tokens: Token[], index: number, options: unknown, env: { readonly marks?: WordMarks }) => string;

function markedText(token: Token | undefined, marks: WordMarks | undefined): string {
  if (token === undefined) return '';
  const pieces = marks?.pieces.get(token) ?? [{ text: token.content, isMarked: false }];
  const element = marks?.element ?? 'ins';
  return pieces
    .map(({ text, isMarked }) => (isMarked ? `<${element}>${foreignLines(text)}</${element}>` : foreignLines(text)))
    .join('');
}

function pictureHtml(token: Token | undefined): string {
  const words = (token?.children ?? []).map(({ content }) => content).join('');
  const address = String(token?.attrGet('src') ?? '').slice(0, MAX_ADDRESS);
  return `<span class="picture">${foreignLines(words)} <code>${foreignLines(address)}</code></span>`;
}

/** Takes from the tokens what does not belong on this page. */
function plainTokens(tokens: readonly Token[], base: string): void {
  const levels = tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => Number(tag.slice(1)));
  const highest = Math.min(...levels, LAST_LEVEL);
  let level = FIRST_LEVEL - 1;
  for (const [index, token] of tokens.entries()) {
    const start = token.type === 'ordered_list_open' ? token.attrGet('start') : null;
    token.attrs = start === null ? null : [['start', String(start)]];
    if (token.type === 'heading_open') {
      // No level is skipped, because users of screen readers would look for the missing one.
      level = Math.min(Number(token.tag.slice(1)) - highest + FIRST_LEVEL, level + 1, LAST_LEVEL);
      token.tag = `h${level}`;
    }
    if (token.type === 'heading_close') token.tag = `h${level}`;
    if (token.type === 'th_open' && (tokens[index + 1]?.content ?? '').trim() === '') {
      token.tag = 'td';
      const close = tokens[index + 2];
      if (close?.type === 'th_close') close.tag = 'td';
    }
    plainLinks(token.children ?? [], base);
  }
}

function plainLinks(tokens: readonly Token[], base: string): void {
  let tag = 'a';
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const address = linkAddress(String(token.attrGet('href') ?? ''), base);
      tag = address === undefined ? 'span' : 'a';
      token.tag = tag;
      token.attrs =
        address === undefined
          ? null
          : [
              ['href', address],
              ['rel', 'noopener noreferrer nofollow'],
            ];
    } else if (token.type === 'link_close') token.tag = tag;
    else if (token.type !== 'image') token.attrs = null;
  }
}
