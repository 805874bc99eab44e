import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { extractPage } from '../extract-page.ts';
import { createReadingRules, readRule } from './reading-rules.ts';

const RUNS = { numRuns: shortOrLong(300, 20_000) };
const NAME = fc.constantFrom('p', 'div', 'main', 'x-y', 'größe');
const PART = fc.oneof(
  NAME,
  NAME.map((name) => `.${name}`),
  NAME.map((name) => `#${name}`),
  fc
    .tuple(NAME, fc.constantFrom('', '=p', '~="p"', "^='d'", '$=v i', '*=a', '|=x'))
    .map(([name, test]) => `[${name}${test}]`),
);
const SELECTOR = fc
  .array(fc.tuple(PART, fc.constantFrom(' ', ' > ', '>', ', ', ',')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.map(([part, next], at) => (at === parts.length - 1 ? part : part + next)).join(''));

test('no text is more than refused', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `/${text}`),
        SELECTOR,
      ),
      (text) => {
        const rule = readRule(text);
        if (!rule.ok) expect(rule.issues[0].message).not.toBe('');
        else if (text.startsWith('/')) createReadingRules({ only: [text] }).accepts('https://docs.example/a/b?c');
      },
    ),
    RUNS,
  );
});

test('every selector of the known forms is read, and any page is read by it', () => {
  const html = fc
    .array(fc.tuple(fc.constantFrom('p', 'div', 'main', 'b'), NAME), { maxLength: 20 })
    .map((parts) => parts.map(([tag, name]) => `<${tag} class="${name}" id="${name}">t`).join(''));
  fc.assert(
    fc.property(SELECTOR, html, fc.boolean(), (selector, page, isOnly) => {
      const rules = createReadingRules(isOnly ? { only: [selector] } : { ignore: [selector] });
      expect(extractPage(page, 'https://docs.example/', rules).extractor).toBe(rules.extractor);
    }),
    RUNS,
  );
});
