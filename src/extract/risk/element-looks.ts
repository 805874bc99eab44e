import type { OpenTag } from '../open-tag.ts';
import { decodeAttribute } from './decode-entities.ts';
import {
  backgroundColor,
  colorOf,
  declarationsOf,
  declarationsOfClass,
  isHiddenByMark,
  isHiddenByStyle,
  isUnseenClass,
  type LookMarks,
  type PageStyles,
  textColor,
} from './hiding-styles.ts';

/** The appearance of an element, as far as its own source tells. */
export interface ElementLook {
  readonly isHidden: boolean;
  readonly color: string | undefined;
  readonly background: string | undefined;
}

const MAX_ENTRIES = 20_000;

/** The appearance of a page's elements, cached because most look alike. */
export class ElementLooks {
  readonly #styles: PageStyles;
  readonly #hasIds: boolean;
  readonly #plainClasses = new Map<string, boolean>();
  readonly #looks = new Map<string, ElementLook>();

  constructor(styles: PageStyles) {
    this.#styles = styles;
    this.#hasIds = Array.from(styles.keys()).some((key) => key.startsWith('#'));
  }

  /** Undefined if the source says nothing about it. */
  of(tag: OpenTag): ElementLook | undefined {
    if (tag.count === 0 && !this.#styles.has(tag.name.name)) return undefined;
    return isMarked(tag) || this.#isStyled(tag) ? this.lookOf(marksOf(tag)) : undefined;
  }

  lookOf(marks: LookMarks): ElementLook {
    const { name, class: names, id, style, hidden, ariaHidden, role, bgcolor, color } = marks;
    // An empty attribute differs from a missing one.
    const key = JSON.stringify([name, names, id, style, hidden, ariaHidden, role, bgcolor, color]);
    const known = this.#looks.get(key);
    if (known !== undefined) return known;
    const declarations = declarationsOf(marks, this.#styles);
    const look = {
      isHidden: isHiddenByMark(marks) || isHiddenByStyle(declarations),
      color: textColor(declarations) ?? colorOf(name === 'font' ? color : undefined),
      background: backgroundColor(declarations) ?? colorOf(bgcolor),
    };
    if (this.#looks.size < MAX_ENTRIES) this.#looks.set(key, look);
    return look;
  }

  #isStyled(tag: OpenTag): boolean {
    const names = tag.find('class');
    if (names !== undefined && !this.#isPlainClass(names)) return true;
    if (this.#styles.size === 0) return false;
    return this.#styles.has(tag.name.name) || (this.#hasIds && this.#styles.has(`#${tag.find('id') ?? ''}`));
  }

  #isPlainClass(names: string): boolean {
    const known = this.#plainClasses.get(names);
    if (known !== undefined) return known;
    const decoded = decodeAttribute(names);
    const isPlain = !isUnseenClass(decoded) && declarationsOfClass(decoded, this.#styles) === '';
    if (this.#plainClasses.size < MAX_ENTRIES) this.#plainClasses.set(names, isPlain);
    return isPlain;
  }
}

const MARKS = ['style', 'hidden', 'aria-hidden', 'bgcolor', 'color'];

/** Whether a tag has attributes about its appearance besides its class and id. */
function isMarked(tag: OpenTag): boolean {
  for (let index = 0; index < tag.count; index += 1) {
    if (MARKS.some((name) => tag.isNamed(index, name))) return true;
  }
  return false;
}

/** The attributes of a tag about its appearance. */
export function marksOf(tag: OpenTag): LookMarks {
  const valueNamed = (name: string) => {
    const written = tag.find(name);
    return written === undefined ? undefined : decodeAttribute(written);
  };
  return {
    name: tag.name.name,
    class: valueNamed('class'),
    id: valueNamed('id'),
    style: valueNamed('style'),
    hidden: valueNamed('hidden'),
    ariaHidden: valueNamed('aria-hidden'),
    role: valueNamed('role'),
    bgcolor: valueNamed('bgcolor'),
    color: valueNamed('color'),
  };
}
