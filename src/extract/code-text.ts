import { attribute, type HtmlElement } from './html-tree.ts';

const LINE_ELEMENTS = new Set(['div', 'p', 'li', 'tr', 'ol', 'ul', 'table', 'tbody']);
const LANGUAGE_CLASS = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|sourceCode)[-\s:]+([a-z0-9+#_-]+)/i;

/** The lines of a `pre`, without trailing spaces and without empty lines around. */
export function codeTextOf(pre: HtmlElement): string {
  const pieces: string[] = [];
  collectCode(pre, pieces);
  return pieces
    .join('')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t\u00A0]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/** A column of line numbers is no code. */
export function isLineNumbers(code: string): boolean {
  if (!/^\s*\d+(?:\s+\d+)*\s*$/.test(code)) return false;
  const numbers = code.trim().split(/\s+/).map(Number);
  return numbers.length > 1 && numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1);
}

/** What the page says of the code's language; only Markdown shows it, nothing is compared by it. */
export function languageOf(pre: HtmlElement): string {
  const inner = pre.children.find((child) => typeof child !== 'string');
  for (const element of [inner, pre, pre.parent, pre.parent?.parent]) {
    if (element === undefined || typeof element === 'string') continue;
    const named = attribute(element, 'data-lang') ?? attribute(element, 'data-language');
    const language = named ?? LANGUAGE_CLASS.exec(attribute(element, 'class') ?? '')?.[1];
    if (language !== undefined && /^[\w+#-]{1,30}$/.test(language)) return language === 'default' ? '' : language;
  }
  return '';
}

function collectCode(element: HtmlElement, pieces: string[]): void {
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child !== '') pieces.push(child);
      continue;
    }
    if (child.name === 'br') {
      pieces.push('\n');
      continue;
    }
    const ownLine = LINE_ELEMENTS.has(child.name);
    if (ownLine) startLine(pieces);
    collectCode(child, pieces);
    if (ownLine) startLine(pieces);
  }
}

function startLine(pieces: string[]): void {
  const last = pieces.at(-1);
  if (last !== undefined && !last.endsWith('\n')) pieces.push('\n');
}
