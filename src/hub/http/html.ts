import { escapeHtml, foreignLines, foreignText } from './html-text.ts';

/** HTML that may be written as it is. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a hole: text is escaped, HTML is not, nothing leaves nothing. */
export type HtmlHole = Html | string | number | undefined | false | readonly HtmlHole[];

/** Where a hole stands: between elements, in a quoted attribute, or in a tag, where only HTML may stand. */
type Place = 'text' | 'quoted' | 'tag';

const places = new WeakMap<TemplateStringsArray, readonly Place[]>();

/**
 * HTML with holes. Whatever stands in a hole is text unless `html` made it, so that a field that nobody thought of is shown and never run.
 *
 *     html`<p class="${word}">${title}</p>`
 *
 * Attributes with a hole are quoted, and scripts and styles have none; a template that is otherwise throws when it is first used.
 */
export function html(parts: TemplateStringsArray, ...holes: readonly HtmlHole[]): Html {
  const found = places.get(parts) ?? placesOf(parts);
  places.set(parts, found);
  let text = parts[0] ?? '';
  for (const [index, hole] of holes.entries()) {
    if (found[index] === 'tag' && (typeof hole === 'string' || typeof hole === 'number')) throw unquoted(text);
    text += holeText(hole) + (parts[index + 1] ?? '');
  }
  return new Html(text);
}

/** Reads the template as far as it matters for its holes: tags and the quotes in them. */
function placesOf(parts: TemplateStringsArray): readonly Place[] {
  let place: Place = 'text';
  return parts.slice(0, -1).map((part) => {
    for (const character of part) {
      if (place === 'text') place = character === '<' ? 'tag' : 'text';
      else if (character === '"') place = place === 'tag' ? 'quoted' : 'tag';
      else if (place === 'tag' && character === '>') place = 'text';
    }
    if (/[=<]\s*$|<\/\s*$/.test(part) && place === 'tag') throw unquoted(part);
    if (/<(?:script|style)[^>]*>[^<]*$/i.test(part)) throw unquoted(part);
    return place;
  });
}

function unquoted(part: string): TypeError {
  return new TypeError(`A hole is not quoted: ${part.slice(-40)}`);
}

/** Text from outside, to be shown on one line: cut, isolated, with what is invisible made visible. */
export function outsideText(text: string, maxCharacters = 100): Html {
  return new Html(foreignText(text, maxCharacters));
}

/** The same of several lines, which stay. As long as it is: who shows it cuts it. */
export function outsideLines(text: string): Html {
  return new Html(foreignLines(text));
}

export const NO_HTML = new Html('');

function holeText(hole: HtmlHole): string {
  if (hole === undefined || hole === false) return '';
  if (typeof hole === 'string') return escapeHtml(hole);
  if (typeof hole === 'object' && !(hole instanceof Html)) return hole.map(holeText).join('');
  return String(hole);
}
