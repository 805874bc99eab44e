/** What Markdown would drop or change: it stays as it is only in code. */
const SIGNS: readonly RegExp[] = [
  /^(?: {4}|\t)/, // indented code
  /\S(?: {3,}|\t)/, // columns
  /^ {0,3}#{1,6}(?:\s|$)/, // a heading
  /^ {0,3}(?:=+|-+|(?:\* *){3,}|(?:_ *){3,})\s*$/, // a rule, or an underlined heading
  /^ {0,3}~~~/, // a fence
  /`|<[a-z/!?]|\\[!-/:-@[-`{-~]|&(?:#|[a-z]+\d*;)/i, // code, tags, escapes, entities
  /\][(:[]/, // links
  /(?:^|[^\w*])\*+[^\s*]|(?:^|[^\w_])_+[^\s_]|~~/, // emphasis
];

/**
 * Plain text as Markdown that keeps every line. Paragraphs stay as they are. Text that Markdown would interpret (tables set with spaces, source code, rules)
 * goes into fenced blocks.
 */
export function textAsMarkdown(text: string): string {
  const blocks = text
    .replace(/\f/g, '\n\n')
    .split(/\n(?:[ \t]*\n)+/)
    .map((block) => block.replace(/^(?:[ \t]*\n)+|\s+$/g, ''))
    .filter((block) => block !== '');
  const written: string[] = [];
  let code: string[] = [];
  const closeCode = () => {
    if (code.length > 0) written.push(fenced(code.join('\n\n')));
    code = [];
  };
  for (const block of blocks) {
    if (block.split('\n').some(isSign)) {
      code.push(block);
      continue;
    }
    closeCode();
    written.push(block);
  }
  closeCode();
  return written.join('\n\n');
}

function isSign(line: string): boolean {
  return SIGNS.some((sign) => sign.test(line));
}

/** The fence is longer than any run of backticks inside. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
