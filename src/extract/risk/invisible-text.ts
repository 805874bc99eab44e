/** What a text says in invisible characters. */
export interface InvisibleText {
  /** How obvious the hiding is: 0 to 1. */
  readonly strength: number;
  /** What they spell, if anything. */
  readonly spelled: readonly string[];
}

/** Without any of these, nothing is hidden. Includes the high surrogate of the characters beyond 16 bits. */
const ANY = /[\u00AD\u180E\u200B-\u200F\u202D\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uDB40]|\u034F|[\uFE00-\uFE0F]/;
/** Tag characters: invisible ASCII. Flags of regions are a black flag, tags and an end. */
const TAGS = /(\u{1F3F4})?([\u{E0000}-\u{E007F}]{1,20000})/gu;
const SELECTORS = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,20000}/gu;
const ZERO_WIDTH_RUN = /[\u200B-\u200F\u2060-\u2064\u206A-\u206F\uFEFF\u180E\u3164\uFFA0]{4,20000}/g;
/** Single letters with invisible characters between them: a word that is meant not to be found. Scripts that need joiners are excluded. */
const TORN_WORD =
  /(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}][\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]{1,3}){3,60}[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/gu;
/** Text that is shown in the opposite order. */
const OVERRIDE = /[\u202D\u202E]([^\u202C\u202D\u202E\n]{1,5000})/g;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const MANY_TAGS = 4;
const MANY_SELECTORS = 4;
const FEW = 0.6;

export function invisibleText(text: string): InvisibleText {
  if (!ANY.test(text)) return { strength: 0, spelled: [] };
  const found = [tags(text), selectors(text), zeroWidth(text), overrides(text)];
  return {
    strength: Math.max(...found.map(({ strength }) => strength)),
    spelled: found.map(({ spelled }) => spelled.join(' ')).filter((said) => said !== ''),
  };
}

function tags(text: string): InvisibleText {
  const runs = Array.from(text.matchAll(TAGS)).filter(([, flag, run = '']) => flag === undefined || run.length > 14);
  const spelled = runs.map(([, , run = '']) =>
    Array.from(run, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join(''),
  );
  const count = spelled.join('').length;
  return { strength: count >= MANY_TAGS ? 1 : count > 0 ? FEW : 0, spelled };
}

/** Bytes as variation selectors: the first sixteen, then those of the supplement. */
function selectors(text: string): InvisibleText {
  const runs = Array.from(text.matchAll(SELECTORS), ([run]) => Array.from(run, byteOfSelector)).filter(
    ({ length }) => length >= MANY_SELECTORS,
  );
  const spelled = runs.map((bytes) => new TextDecoder().decode(Uint8Array.from(bytes)));
  return { strength: runs.length > 0 ? 1 : 0, spelled };
}

function byteOfSelector(selector: string): number {
  const code = selector.codePointAt(0) ?? 0;
  return code < 0x10000 ? code - 0xfe00 : code - 0xe0100 + 16;
}

function zeroWidth(text: string): InvisibleText {
  const runs = text.match(ZERO_WIDTH_RUN) ?? [];
  const length = runs.join('').length;
  const torn = text.match(TORN_WORD) ?? [];
  const spelled = runs.flatMap(bitsOf);
  if (length >= 16 || torn.length >= 3) return { strength: 1, spelled };
  return { strength: torn.length > 0 || length >= 8 ? FEW : 0, spelled };
}

/** Two kinds of characters, one for each bit. Which is which is unknown, so both are tried. */
function bitsOf(run: string): string[] {
  const kinds = [...new Set(run)];
  if (kinds.length < 2 || kinds.length > 3 || run.length < 32) return [];
  return [kinds, kinds.toReversed()].flatMap(([zero = '', one = '']) => {
    const bits = [...run].filter((character) => character === zero || character === one);
    const bytes = bits.join('').replaceAll(zero, '0').replaceAll(one, '1').match(/.{8}/g) ?? [];
    const said = bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('');
    return /^[\x20-\x7E\n]{4,}$/.test(said) ? [said] : [];
  });
}

function overrides(text: string): InvisibleText {
  const turned = Array.from(text.matchAll(OVERRIDE), ([, said = '']) => said).filter(
    (said) => !RIGHT_TO_LEFT.test(said),
  );
  if (turned.length === 0) return { strength: 0, spelled: [] };
  return {
    strength: turned.length >= 3 || turned.some(({ length }) => length > 40) ? 1 : FEW,
    spelled: turned.map(reversed),
  };
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}
