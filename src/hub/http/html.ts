import { escapeHtml, foreignLines, foreignText } from './html-text.ts';

/** HTML that can be written as it is. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** The value of a hole: text is escaped, HTML is not, undefined and false write nothing. */
export type HtmlHole = Html | string | number | undefined | false | readonly HtmlHole[];

/** The position of a hole: between elements, in a quoted attribute, or in a tag, where only HTML is allowed. */
type Place = 'text' | 'quoted' | 'tag';

const places = new WeakMap<TemplateStringsArray, readonly Place[]>();

/**
 * HTML with holes. Every value of a hole is escaped as text unless `html` made it, so that a forgotten field is shown and never run.
 *
 *     html`<p class="${word}">${title}</p>`
 *
 * Attributes with a hole must be quoted, and scripts and styles may have none; other templates throw when they are first used.
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

/** Parses the template as far as its holes need: tags and the quotes in them. */
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

/** Untrusted text for one line: shortened, isolated, with invisible characters made visible. */
export function outsideText(text: string, maxCharacters = 100): Html {
  return new Html(foreignText(text, maxCharacters));
}

/** The same for several lines, which are kept. The caller limits its length. */
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
