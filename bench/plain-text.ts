/**
 * The words of Markdown without its markup, for comparison with plain text.
 *
 * Links keep their text, code its lines. Images are dropped: readers do not see their descriptions. Signs at the beginning of a line (`#`, `-`, `1.`, `>`) are
 * dropped, and so are the pipes and the rule of a table.
 */
export function plainTextOf(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const sign = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (sign?.startsWith(fence) && line.trimEnd().endsWith(sign)) fence = undefined;
      else lines.push(line.replace(QUOTE_SIGNS, ''));
    } else if (sign !== undefined) {
      fence = sign;
    } else if (!TABLE_RULE.test(line)) {
      lines.push(wordsOf(line.replace(LINE_SIGNS, '').replace(HEADING_ID, '')));
    }
  }
  return lines.join('\n');
}

const FENCE = /^[ >]*(?:(?:[-*+]|\d{1,9}[.)]|:) +)*(`{3,}|~{3,})[^`]*$/;
const QUOTE_SIGNS = /^(?: *> ?)+/;
const LINE_SIGNS = /^(?:\s|>|[-*+] |\d{1,9}[.)] |: |#{1,6} )+/;
const TABLE_RULE = /^[\s>]*\|(?: *:?-{3,}:? *\|)+\s*$/;
const HEADING_ID = / +\{#[^}\s]*\}$/;

/** The address of a link, right after its text. Parentheses in it must be balanced. */
const ADDRESS = /\((?:[^()\s]*(?:\([^()\s]*\)[^()\s]*){0,50})(?: +"[^"]*")?\)/y;
const TAG = /<\/?[a-z][a-z0-9]*(?: [^<>]*)?\/?>/iy;

function wordsOf(line: string): string {
  let words = '';
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? '';
    if (sign === '\\') {
      at += 1;
      words += line[at] ?? '';
    } else if (sign === '`') {
      const code = codeAt(line, at);
      words += code.text;
      at = code.end - 1;
    } else if (sign === '!' && line[at + 1] === '[') {
      at = imageEnd(line, at) - 1;
    } else if (sign === ']' && line[at + 1] === '(') {
      at = endOf(ADDRESS, line, at + 1) - 1;
    } else if (sign === '<' && endOf(TAG, line, at) > at) {
      at = endOf(TAG, line, at) - 1;
      words += ' ';
    } else if (sign === '|') {
      words += ' ';
    } else if (sign !== '*') {
      words += sign;
    }
  }
  return words;
}

/** The text between backticks. Unclosed backticks are text. */
function codeAt(line: string, at: number): { readonly text: string; readonly end: number } {
  const [ticks = ''] = /^`+/.exec(line.slice(at, at + 100)) ?? [];
  const start = at + ticks.length;
  for (let close = line.indexOf(ticks, start); close !== -1; close = line.indexOf(ticks, close)) {
    const end = close + ticks.length;
    if (line[end] !== '`') return { text: line.slice(start, close).replaceAll('\\|', '|'), end };
    while (line[close] === '`') close += 1;
  }
  return { text: ticks, end: start };
}

function imageEnd(line: string, at: number): number {
  let depth = 0;
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === '\\') end += 1;
    else if (line[end] === '[') depth += 1;
    else if (line[end] === ']') {
      depth -= 1;
      if (depth === 0) return endOf(ADDRESS, line, end + 1);
    }
  }
  return at + 2;
}

/** Where the pattern at `at` ends, or `at` itself if it does not match. */
function endOf(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : at;
}
