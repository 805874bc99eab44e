/** A page's source in pieces, so that a test can alter one kind and leave the others byte for byte. */
interface Piece {
  readonly kind: 'tag' | 'text' | 'code' | 'raw';
  readonly source: string;
}

const PIECES =
  /<!--[\s\S]*?-->|<(script|style|textarea|title|svg|noscript|template|iframe)\b[\s\S]*?<\/\1\s*>|<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>|[^<]+|</gi;

function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  let preDepth = 0;
  for (const [source, raw] of html.matchAll(PIECES)) {
    if (raw !== undefined || source.startsWith('<!')) pieces.push({ kind: 'raw', source });
    else if (/^<\/?[a-z]/i.test(source)) {
      if (/^<pre[\s>]/i.test(source)) preDepth += 1;
      if (/^<\/pre[\s>]/i.test(source)) preDepth -= 1;
      pieces.push({ kind: 'tag', source });
    } else pieces.push({ kind: preDepth > 0 ? 'code' : 'text', source });
  }
  return pieces;
}

type Edit = (source: string) => string;

/** Every tag, or only those whose name is in `names`. */
export function editTags(html: string, edit: Edit, names?: string): string {
  const wanted = names === undefined ? undefined : new RegExp(`^</?(?:${names.replaceAll(' ', '|')})[\\s/>]`, 'i');
  return piecesOf(html)
    .map(({ kind, source }) => (kind === 'tag' && (wanted?.test(source) ?? true) ? edit(source) : source))
    .join('');
}

/** Every text that is not code. */
export function editTexts(html: string, edit: Edit): string {
  return piecesOf(html)
    .map(({ kind, source }) => (kind === 'text' ? edit(source) : source))
    .join('');
}

/** Every text inside `pre`. */
export function editCode(html: string, edit: Edit): string {
  return piecesOf(html)
    .map(({ kind, source }) => (kind === 'code' ? edit(source) : source))
    .join('');
}

interface Attribute {
  readonly name: string;
  readonly value: string | undefined;
}

const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

/** The attributes of every start tag, as written between the name and the bracket. */
export function editAttributes(
  html: string,
  edit: (attributes: Attribute[], name: string) => Attribute[],
  names?: string,
): string {
  return editTags(
    html,
    (tag) => {
      const parts = /^<([a-z][^\s/>]*)([\s\S]*?)((?:(?<=[\s"'])\/)?)>$/i.exec(tag);
      const [, name = '', inside = '', end = ''] = parts ?? [];
      // A tag that does not read as plain attributes is left alone.
      if (parts === null || inside.replace(ATTRIBUTE, '').trim() !== '') return tag;
      const before = [...inside.matchAll(ATTRIBUTE)].map(([, key = '', value]) => ({ name: key, value }));
      const after = edit(before, name.toLowerCase());
      const written = after.map(({ name: key, value }) => ` ${key}${value === undefined ? '' : `=${value}`}`).join('');
      return `<${name}${written}${end === '' ? '' : ' /'}>`;
    },
    names,
  );
}

export function setAttribute(attributes: readonly Attribute[], name: string, value: string): Attribute[] {
  return [...attributes.filter((attribute) => attribute.name.toLowerCase() !== name), { name, value: `"${value}"` }];
}

export function afterTag(html: string, tag: RegExp, snippet: string): string {
  const found = tag.exec(html);
  if (found === null) return html;
  const at = found.index + found[0].length;
  return html.slice(0, at) + snippet + html.slice(at);
}

export function beforeTag(html: string, tag: RegExp, snippet: string): string {
  const found = tag.exec(html);
  if (found === null) return html;
  return html.slice(0, found.index) + snippet + html.slice(found.index);
}

export const BODY_START = /<body\b[^>]*>/i;
export const BODY_END = /<\/body\s*>/i;
export const HEAD_END = /<\/head\s*>/i;

/** After the first paragraph that follows the first h1 or h2. */
export function insideContent(html: string, snippet: string): string {
  const heading = /<\/h[12]\s*>/i.exec(html);
  if (heading === null) return html;
  const paragraph = /<\/p\s*>(?!\s*<\/h[1-6])/i.exec(html.slice(heading.index));
  if (paragraph === null) return html;
  const at = heading.index + paragraph.index + paragraph[0].length;
  return html.slice(0, at) + snippet + html.slice(at);
}
