import { USES, type Use, type Wishes, wishesFor } from './usage.ts';

/**
 * The value of a `Content-Signal` line or field: `search=yes, ai-input=no, ai-train=no`.
 *
 * Spec: https://contentsignals.org/. Values other than yes and no are ignored. `use=immediate` forbids storing, which each of our
 * uses does.
 */
export function contentSignalWishes(value: string): Wishes {
  const wishes: Partial<Record<Use, 'yes' | 'no'>> = {};
  for (const part of value.toLowerCase().split(',')) {
    const [key = '', answer = '', ...more] = part.split('=').map((word) => word.trim());
    if (more.length > 0) continue;
    if (key === 'use' && answer === 'immediate') return wishesFor(USES, 'no');
    const use = USES.find((name) => name === key);
    if (use === undefined || (answer !== 'yes' && answer !== 'no')) continue;
    if (wishes[use] !== 'no') wishes[use] = answer;
  }
  return wishes;
}
