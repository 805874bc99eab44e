import { attribute, type HtmlElement } from '../html-tree.ts';
import { MAX_RULE_LENGTH, readRule } from './reading-rules.ts';

const MAX_NAME = 60;
const MAX_CLASSES = 2;
const MAX_STEPS = 5;
/** Everything else is written with a backslash before it; what cannot be written so is no name for a rule. */
const PLAIN = /[\w-]|[^\0-\x7f]/u;
const UNWRITABLE = /[\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;
/** What a build or a visit makes up, and the next one makes up anew. */
const MADE_UP = /\d{4,}|[a-f\d]{8,}|(?:^|[-_])(?=[a-z\d]*\d)(?=[a-z\d]*[a-z])[a-z\d]{5,}$|^:r|^radix-|^ember|^yui_/i;
const SPACE = /[ \t\n\r\f]+/;
const SAID_BY = ['role', 'data-component', 'data-role', 'itemprop'] as const;

/**
 * A rule that means this element, in the syntax of rules: by its id, else by its classes, else by its role; where it has none of them,
 * by its place below the nearest element that has. It may mean others like it. Undefined where no rule can name it.
 *
 *     #related    nav.toc    div[role="banner"]    main > table
 *
 * Whatever an id or a class is made of, the text is one selector and no more: it is read back before it is given.
 */
export function writeSelector(element: HtmlElement): string | undefined {
  const steps: string[] = [];
  for (let here: HtmlElement | undefined = element; here !== undefined; here = here.parent) {
    const own = ownName(here);
    const type = here.name;
    if (own !== undefined) steps.unshift(own);
    else if (isName(type)) steps.unshift(written(type));
    else return undefined;
    const isTop = type === 'body' || here.parent?.parent === undefined;
    if (own !== undefined || isTop) return readable(steps.join(' > '));
    if (steps.length === MAX_STEPS) return undefined;
  }
  return undefined;
}

function readable(rule: string): string | undefined {
  const read = rule.length <= MAX_RULE_LENGTH ? readRule(rule) : undefined;
  const isOne = read?.ok === true && read.value.is === 'elements' && read.value.selectors.length === 1;
  return isOne ? rule : undefined;
}

function ownName(element: HtmlElement): string | undefined {
  const id = attribute(element, 'id') ?? '';
  if (isSteady(id)) return `#${written(id)}`;
  if (!isName(element.name)) return undefined;
  const type = written(element.name);
  const classes = (attribute(element, 'class') ?? '').slice(0, 1000).split(SPACE).filter(isSteady);
  if (classes.length > 0) {
    const few = [...new Set(classes)].slice(0, MAX_CLASSES);
    return `${type}${few.map((name) => `.${written(name)}`).join('')}`;
  }
  for (const name of SAID_BY) {
    const value = attribute(element, name) ?? '';
    if (isSteady(value) && !/["\\]/.test(value)) return `${type}[${name}="${value}"]`;
  }
  return undefined;
}

function isSteady(name: string): boolean {
  return isName(name) && !MADE_UP.test(name);
}

function isName(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME && !UNWRITABLE.test(name) && !SPACE.test(name);
}

function written(name: string): string {
  return Array.from(name, (character) => (PLAIN.test(character) ? character : `\\${character}`)).join('');
}
