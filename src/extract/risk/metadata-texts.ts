import type { OpenTag } from '../open-tag.ts';
import { decodeAttribute } from './decode-entities.ts';

const MAX_METADATA = 20_000;
const MAX_ENTRIES = 20_000;
/** Shorter texts are ignored. */
const MIN_LENGTH = 12;
/** Some languages write without spaces. */
const SEVERAL_WORDS = /\S\s\S|[\u3040-\u9FFF\uAC00-\uD7AF]/;
/** A placeholder that a model should fill with what it knows, such as `{conversation}`. */
const TO_BE_FILLED =
  /(?:\{|\[|<|%7b|%5b|%3c)[\w .-]{0,20}?(?:secret|conversation|chat[-_ ]?history|system[-_ ]?prompt|password|api[-_ ]?key|credential|user[-_ ]?data|memory)/i;
/** In the source text: a space may be an entity, and an address may contain data. */
const MAYBE_WORDS = /\S\s\S|[\u3040-\u9FFF\uAC00-\uD7AF]|&|^data:|[{[<]|%7b|%5b|%3c/i;
const READ_TO_JUDGE = 200;
/** Entities are longer than the characters they represent. */
const MAX_WRITTEN = MAX_METADATA * 2;
/** Attributes without words, and those of frameworks. */
const MACHINE_ATTRIBUTES = new Set(
  'class style id d points srcset sizes viewbox transform rel media integrity nonce charset lang dir role width height pattern accept allow sandbox headers type name for target itemtype itemscope itemid xmlns'.split(
    ' ',
  ),
);
const FRAMEWORK_ATTRIBUTE = /^(?:on|x-|:|@|v-|jsaction|jsdata|xmlns)/;
const ADDRESSES = new Set(['href', 'src', 'action', 'data', 'poster', 'cite', 'formaction']);

/** What a page says about itself and its parts to programs and to people who cannot see it. */
export class MetadataTexts {
  readonly #texts: string[] = [];

  takeAttributes(tag: OpenTag): void {
    for (let index = 0; index < tag.count; index += 1) {
      if (tag.valueLength(index) >= MIN_LENGTH && !isUsual(tag, index)) this.takeAttribute(tag, index);
    }
  }

  /** Takes the text of a script that is not a program. */
  takeScript(type: string, content: string): void {
    const kind = type.trim().toLowerCase();
    if (kind.startsWith('application/ld+json')) this.take(jsonTexts(content));
    else if (/^text\/(?!javascript|babel|jsx|typescript|x-mathjax|tailwind)/.test(kind)) this.take(content);
  }

  takeSheet(sheet: string): void {
    for (const text of generatedTexts(sheet)) this.#texts.push(text);
  }

  text(): string {
    return this.#texts.join('\n\n');
  }

  takeAttribute(tag: OpenTag, index: number): void {
    const written = tag.rawValue(index, MAX_WRITTEN);
    if (!MAYBE_WORDS.test(written.slice(0, READ_TO_JUDGE))) return;
    const name = tag.attributeName(index);
    if (MACHINE_ATTRIBUTES.has(name) || FRAMEWORK_ATTRIBUTE.test(name)) return;
    const value = decodeAttribute(written);
    if (ADDRESSES.has(name)) {
      if (/^data:text\//i.test(value) || TO_BE_FILLED.test(value)) this.take(value);
    } else if (name === 'srcdoc') {
      this.take(withoutTags(value));
    } else if (value.length >= MIN_LENGTH && SEVERAL_WORDS.test(value.slice(0, READ_TO_JUDGE))) {
      this.take(value);
    }
  }

  take(text: string): void {
    if (text !== '' && this.#texts.length < MAX_ENTRIES) this.#texts.push(text.slice(0, MAX_METADATA));
  }
}

/** Most attributes are these, and contain no words. */
function isUsual(tag: OpenTag, index: number): boolean {
  switch (tag.nameLength(index)) {
    case 3:
      return tag.isNamed(index, 'src') && isUsualAddress(tag, index);
    case 4:
      return tag.isNamed(index, 'href') && isUsualAddress(tag, index);
    case 5:
      return tag.isNamed(index, 'class') || tag.isNamed(index, 'style');
    case 6:
      return tag.isNamed(index, 'srcset');
    default:
      return false;
  }
}

function isUsualAddress(tag: OpenTag, index: number): boolean {
  return !tag.valueStartsWith(index, 'data:') && !tag.hasOpening(index);
}

export function withoutTags(html: string): string {
  return html.replace(/<[a-z/!][^<>]{0,1000}>/gi, ' ');
}

const GENERATED = /content\s*:\s*(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})')/g;
const MIN_GENERATED = 20;

/** Text that a style inserts before or after an element. */
function generatedTexts(sheet: string): string[] {
  const strings = Array.from(sheet.matchAll(GENERATED), ([, double, single]) => double ?? single ?? '');
  return strings.filter(({ length }) => length >= MIN_GENERATED);
}

/** The strings in JSON, even if it is invalid. */
function jsonTexts(json: string): string {
  const texts: string[] = [];
  for (let at = json.indexOf('"'); at >= 0; ) {
    const end = endOfString(json, at + 1);
    if (end - at > MIN_LENGTH) texts.push(unescapeJson(json.slice(at + 1, end)));
    at = json.indexOf('"', end + 1);
  }
  return texts.join('\n\n');
}

function endOfString(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function unescapeJson(text: string): string {
  if (!text.includes('\\')) return text;
  return text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(.)/g, '$1');
}
