import { OpenTag } from './open-tag.ts';
import { type TagName, tagNameAt } from './tag-names.ts';

/** Receives the tokens of a page's source, in order. Positions refer to the source; entities are not decoded. */
export interface HtmlSink {
  onText(start: number, end: number): void;
  /** `end`: where the content of the element begins. */
  onOpenTag(tag: OpenTag, end: number): void;
  /** `start`: where the content of the element ends. */
  onCloseTag(name: TagName, start: number): void;
  onComment(start: number, end: number): void;
  /** In drawings and formulas tags may be self-closing, and none contains raw text. */
  isInForeign(): boolean;
  /** The rest need not be read. */
  readonly isDone: boolean;
}

const [TAB, LINE_FEED, FORM_FEED, RETURN, SPACE] = [9, 10, 12, 13, 32];
const [EXCLAMATION, DOUBLE_QUOTE, SINGLE_QUOTE, SLASH, LESS, EQUALS, GREATER, QUESTION] = [
  33, 34, 39, 47, 60, 61, 62, 63,
];

/**
 * Tokenizes HTML in one pass and in linear time, whatever it contains: each token is found by searching for its end sign.
 *
 * Spec: https://html.spec.whatwg.org/multipage/parsing.html#tokenization
 */
export function scanHtml(html: string, sink: HtmlSink): void {
  const tag = new OpenTag(html);
  let at = 0;
  while (at < html.length && !sink.isDone) {
    const mark = nextMark(html, at);
    if (mark > at) sink.onText(at, mark);
    const next = html.charCodeAt(mark + 1);
    if (next === SLASH) at = scanEndTag(html, mark + 2, sink);
    else if (isLetter(next)) at = scanTag(html, mark + 1, tag, sink);
    else if (mark < html.length) at = scanComment(html, mark + 1, sink);
    else return;
  }
}

/** The start of the next tag or comment, or the end. A `<` before anything else is text. */
function nextMark(html: string, from: number): number {
  const first = html.charCodeAt(from) === LESS ? from : html.indexOf('<', from);
  for (let at = first; at >= 0; at = html.indexOf('<', at + 1)) {
    const next = html.charCodeAt(at + 1);
    if (isLetter(next) || next === SLASH || next === EXCLAMATION || next === QUESTION) return at;
  }
  return html.length;
}

function scanTag(html: string, from: number, tag: OpenTag, sink: HtmlSink): number {
  const nameEnd = endOfName(html, from);
  tag.restart(tagNameAt(html, from, nameEnd));
  const end = scanAttributes(html, nameEnd, tag);
  if (end < 0) return html.length;
  const isRaw = tag.name.isRaw && !sink.isInForeign();
  sink.onOpenTag(tag, end + 1);
  return isRaw ? scanRawText(html, end + 1, tag.name, sink) : end + 1;
}

/** The position of the tag's `>`, or -1. */
function scanAttributes(html: string, from: number, tag: OpenTag): number {
  for (let at = from; ; ) {
    let code = html.charCodeAt(at);
    tag.isSelfClosing = false;
    for (; isSpace(code) || code === SLASH; code = html.charCodeAt(++at)) if (code === SLASH) tag.isSelfClosing = true;
    if (code === GREATER) return at;
    if (at >= html.length) return -1;
    at = scanAttribute(html, at, tag);
    if (at < 0) return -1;
  }
}

/** The end of the attribute, or -1 if it does not end. */
function scanAttribute(html: string, nameStart: number, tag: OpenTag): number {
  let at = nameStart + 1;
  let code = html.charCodeAt(at);
  while (code !== EQUALS && !isTagBoundary(code) && at < html.length) code = html.charCodeAt(++at);
  const nameEnd = at;
  while (isSpace(code)) code = html.charCodeAt(++at);
  if (code !== EQUALS) {
    tag.take(nameStart, nameEnd, nameEnd, nameEnd);
    return at;
  }
  do code = html.charCodeAt(++at);
  while (isSpace(code));
  const start = at;
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
    const end = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", start + 1);
    tag.take(nameStart, nameEnd, start + 1, end);
    return end < 0 ? -1 : end + 1;
  }
  while (code !== GREATER && !isSpace(code) && at < html.length) code = html.charCodeAt(++at);
  tag.take(nameStart, nameEnd, start, at);
  return at;
}

/** The content of scripts, styles and the like ends only at their own end tag. */
function scanRawText(html: string, from: number, { name }: TagName, sink: HtmlSink): number {
  for (let at = name === 'plaintext' ? -1 : html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const nameEnd = at + 2 + name.length;
    if (!isTagBoundary(html.charCodeAt(nameEnd)) || html.slice(at + 2, nameEnd).toLowerCase() !== name) continue;
    if (at > from) sink.onText(from, at);
    return at;
  }
  if (html.length > from) sink.onText(from, html.length);
  return html.length;
}

function scanEndTag(html: string, from: number, sink: HtmlSink): number {
  if (from === html.length) {
    sink.onText(from - 2, from);
    return from;
  }
  const first = html.charCodeAt(from);
  const nameEnd = isLetter(first) ? endOfName(html, from) : from;
  const end = html.charCodeAt(nameEnd) === GREATER ? nameEnd : html.indexOf('>', nameEnd);
  if (nameEnd > from) {
    if (nameEnd < html.length) sink.onCloseTag(tagNameAt(html, from, nameEnd), from - 2);
  } else if (end !== from) {
    sink.onComment(from, end < 0 ? html.length : end);
  }
  return end < 0 ? html.length : end + 1;
}

/** `<!-- … -->`, and anything else that begins with `<!` or `<?`, which browsers also treat as a comment. */
function scanComment(html: string, from: number, sink: HtmlSink): number {
  if (!html.startsWith('!--', from)) {
    const end = html.indexOf('>', from);
    const isDoctype = html.slice(from, from + 8).toLowerCase() === '!doctype';
    if (!isDoctype) sink.onComment(html.startsWith('!', from) ? from + 1 : from, end < 0 ? html.length : end);
    return end < 0 ? html.length : end + 1;
  }
  const start = from + 3;
  if (html.startsWith('>', start)) return start + 1;
  if (html.startsWith('->', start)) return start + 2;
  for (let at = html.indexOf('--', start); at >= 0; at = html.indexOf('--', at + 1)) {
    const length = html.startsWith('>', at + 2) ? 3 : html.startsWith('!>', at + 2) ? 4 : 0;
    if (length === 0) continue;
    sink.onComment(start, at);
    return at + length;
  }
  sink.onComment(start, html.length);
  return html.length;
}

function endOfName(html: string, from: number): number {
  let at = from + 1;
  while (at < html.length && !isTagBoundary(html.charCodeAt(at))) at += 1;
  return at;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122;
}

function isSpace(code: number): boolean {
  return (
    code <= SPACE && (code === SPACE || code === LINE_FEED || code === TAB || code === RETURN || code === FORM_FEED)
  );
}

function isTagBoundary(code: number): boolean {
  return code <= GREATER && (code === GREATER || code === SLASH || isSpace(code));
}
