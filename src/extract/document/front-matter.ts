/**
 * Metadata above a Markdown text, as site generators write it:
 *
 *     ---
 *     title: "Limits"
 *     description: What an account may do.
 *     ---
 *
 * Also between `+++` with `key = value`. Only plain values of one line are read.
 */
export interface FrontMatter {
  /** Keys in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** The text after the front matter. */
  readonly body: string;
}

const BLOCK = /^(---|\+\+\+)[ \t]*\n([\s\S]{0,20000}?)\n\1[ \t]*(?:\n|$)/;
const FIELD = /^([A-Za-z][\w-]*)[ \t]*[:=][ \t]*(.*)$/;

/** Without front matter, there are no fields and the whole text is the body: a horizontal rule between two paragraphs looks similar. */
export function splitFrontMatter(text: string): FrontMatter {
  const [block = '', , inner = ''] = BLOCK.exec(text) ?? [];
  const lines = inner.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (!FIELD.test(lines[0] ?? '')) return { fields: new Map(), body: text };

  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, key = '', value = ''] = FIELD.exec(line) ?? [];
    const plain = unquote(value.trim());
    if (key !== '' && plain !== '') fields.set(key.toLowerCase(), plain);
  }
  return { fields, body: text.slice(block.length) };
}

/** The beginning of a list, a map or a multi-line text is not a plain value. */
function unquote(value: string): string {
  const [, , quoted] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (quoted !== undefined) return quoted.replace(/\\(["\\])/g, '$1').replace(/''/g, "'");
  return /^[[{|>&*!]/.test(value) ? '' : value.replace(/\s+#.*$/, '');
}
