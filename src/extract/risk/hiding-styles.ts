/** The declarations in a page's own `<style>` for single classes, ids and elements: `.note`, `#note`, `aside`. */
export type PageStyles = ReadonlyMap<string, string>;

const MAX_STYLE_LENGTH = 500_000;
const MAX_RULES = 5000;
const SIMPLE_SELECTOR = /^(?:[\w-]{0,60}([.#][\w-]{1,100})|([a-z][\w-]{0,60}))$/i;
/** Declarations that affect visibility. */
const TELLING =
  /display|visibility|opacity|font|indent|left|top|right|bottom|clip|color|background|height|width|transform|filter/i;

/** Selectors that depend on more than the element itself are ignored. */
export function readStyles(sheets: readonly string[]): PageStyles {
  const styles = new Map<string, string>();
  for (const rule of sheets.join('\n').slice(0, MAX_STYLE_LENGTH).split('}')) {
    const at = rule.lastIndexOf('{');
    if (at < 0 || styles.size >= MAX_RULES) continue;
    const declarations = rule.slice(at + 1);
    if (!TELLING.test(declarations)) continue;
    // Rules for another medium do not apply to the screen.
    if (/@(?:media|supports|keyframes|container)/.test(rule.slice(0, at))) continue;
    for (const selector of rule.slice(0, at).split(',')) {
      const [, own, element] = SIMPLE_SELECTOR.exec(selector.trim()) ?? [];
      const key = own ?? element?.toLowerCase();
      if (key !== undefined) styles.set(key, `${styles.get(key) ?? ''}${declarations};`);
    }
  }
  return styles;
}

/** The attributes of an element about its appearance, decoded. */
export interface LookMarks {
  readonly name: string;
  readonly class?: string | undefined;
  readonly id?: string | undefined;
  readonly style?: string | undefined;
  readonly hidden?: string | undefined;
  readonly ariaHidden?: string | undefined;
  readonly role?: string | undefined;
  readonly bgcolor?: string | undefined;
  readonly color?: string | undefined;
}

/** All declarations for an element in the source. Later declarations win. */
export function declarationsOf(marks: LookMarks, styles: PageStyles): string {
  const own = marks.style ?? '';
  if (styles.size === 0) return own;
  const parts: string[] = [styles.get(marks.name) ?? '', declarationsOfClass(marks.class, styles)];
  if (marks.id !== undefined) parts.push(styles.get(`#${marks.id}`) ?? '');
  parts.push(own);
  return parts.join('');
}

export function declarationsOfClass(names: string | undefined, styles: PageStyles): string {
  if (names === undefined || styles.size === 0) return '';
  let declarations = '';
  for (const name of names.split(/\s+/, 50)) declarations += styles.get(`.${name}`) ?? '';
  return declarations;
}

const UNSEEN_NAMES =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|screenreader-text|hidden-text|u-hidden|is-hidden)(?:\s|$)/i;

export function isUnseenClass(names: string): boolean {
  return UNSEEN_NAMES.test(names);
}

/** Whether names and attributes hide it, regardless of style. What tabs and folds show on a click is not concealed. */
export function isHiddenByMark({ role, hidden, ariaHidden, class: names = '' }: LookMarks): boolean {
  if (role === 'tabpanel') return false;
  if (hidden !== undefined && hidden !== 'until-found') return true;
  return ariaHidden === 'true' || isUnseenClass(names);
}

const HIDING: readonly RegExp[] = [
  /(?:^|[;\s])display\s*:\s*none/i,
  /(?:^|[;\s])visibility\s*:\s*(?:hidden|collapse)/i,
  /(?:^|[;\s])opacity\s*:\s*(?:0?\.0\d*|0)\s*%?\s*(?:!|;|$)/i,
  /(?:^|[;\s])font(?:-size)?\s*:\s*(?:0?\.\d+|[01](?:\.\d+)?)(?:px|pt|em|rem|%|vw)?\s*(?:!|;|$|\/|\s)/i,
  /(?:^|[;\s])text-indent\s*:\s*-\s*\d{3,}/i,
  /(?:^|[;\s])(?:left|right|top|bottom|margin-left|margin-top|margin)\s*:\s*-\s*\d{3,}(?:px|em|rem|vw|vh|%|pt)/i,
  /(?:^|[;\s])clip\s*:\s*rect\s*\(\s*[01](?:px)?[\s,]/i,
  /(?:^|[;\s])clip-path\s*:\s*(?:inset\s*\(\s*(?:50|100)%|circle\s*\(\s*0)/i,
  /(?:^|[;\s])transform\s*:\s*(?:scale[xy]?\s*\(\s*0(?:\.0\d*)?\s*[,)]|translate[xy]?\s*\(\s*-\s*\d{4})/i,
  /(?:^|[;\s])filter\s*:\s*opacity\s*\(\s*0/i,
  /(?:^|[;\s])color\s*:\s*transparent/i,
  /(?:^|[;\s])color\s*:\s*rgba\s*\([^()]{0,40},\s*(?:0?\.0\d*|0)\s*\)/i,
  /(?:^|[;\s])-webkit-text-fill-color\s*:\s*transparent/i,
];
const NO_SIZE = /(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*[01](?:px|em|rem)?\s*(?:!|;|$)/i;
const CUT = /(?:^|[;\s])overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/i;
const COLOR = /(?:^|[;\s])color\s*:\s*([^;!]{1,60})/gi;
const BACKGROUND = /(?:^|[;\s])background(?:-color)?\s*:\s*([^;!]{1,200})/gi;

export function isHiddenByStyle(declarations: string): boolean {
  if (declarations === '') return false;
  return HIDING.some((form) => form.test(declarations)) || (NO_SIZE.test(declarations) && CUT.test(declarations));
}

/** The last text colour as `#rrggbb`. Undefined if there is none, or none that can be compared. */
export function textColor(declarations: string): string | undefined {
  return colorOf(lastOf(declarations, COLOR));
}

/** Like {@link textColor}. An image or a gradient is `other`. */
export function backgroundColor(declarations: string): string | undefined {
  const value = lastOf(declarations, BACKGROUND);
  if (value === undefined) return undefined;
  if (/^\s*(?:none|transparent|inherit|initial|unset)\s*$/i.test(value)) return undefined;
  return colorOf(value) ?? 'other';
}

function lastOf(declarations: string, form: RegExp): string | undefined {
  return declarations === '' ? undefined : [...declarations.matchAll(form)].at(-1)?.[1];
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['white', '#ffffff'],
  ['snow', '#fffafa'],
  ['ivory', '#fffff0'],
  ['whitesmoke', '#f5f5f5'],
  ['ghostwhite', '#f8f8ff'],
  ['black', '#000000'],
  ['red', '#ff0000'],
  ['blue', '#0000ff'],
  ['green', '#008000'],
  ['gray', '#808080'],
  ['grey', '#808080'],
  ['yellow', '#ffff00'],
]);

export function colorOf(value: string | undefined): string | undefined {
  const text =
    value
      ?.trim()
      .toLowerCase()
      .split(/\s(?![^(]*\))/, 1)[0] ?? '';
  const named = NAMED.get(text);
  if (named !== undefined) return named;
  const hex = /^#([\da-f]{3,8})$/.exec(text)?.[1];
  if (hex !== undefined && hex.length <= 4) return `#${[...hex.slice(0, 3)].map((digit) => digit + digit).join('')}`;
  if (hex !== undefined && hex.length >= 6) return `#${hex.slice(0, 6)}`;
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/.exec(text);
  if (parts === null) return /^hsla?\([^)]*,\s*100%/.test(text) ? '#ffffff' : undefined;
  return `#${parts
    .slice(1, 4)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')}`;
}

/** Colours this close are unreadable on each other. */
const MAX_DISTANCE = 24;

export function isSameColor(a: string, b: string): boolean {
  if (!a.startsWith('#') || !b.startsWith('#')) return false;
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [1, 3, 5].every((at) => Math.abs(channel(a, at) - channel(b, at)) <= MAX_DISTANCE);
}
