import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOSTILE_STRINGS } from '../../../../test/support/hostile-strings.ts';
import { HOSTILE_MARKUP } from '../../../../test/support/signed-in.ts';
import { markdownHtml } from './markdown-html.ts';
import { markdownSides } from './markdown-sides.ts';

const BASE = 'https://docs.example/';

function sides(before: string, after: string): readonly [before: string, after: string] {
  const shown = markdownSides(before, after, BASE);
  return [String(shown.before), String(shown.after)];
}

test('the words that went and came are marked where they stand: in lists, links, tables and code', () => {
  expect(sides('# Limits\n\nAsk **60** times a minute.', '# Limits\n\nAsk **90** times a minute.')).toEqual([
    '<h3>Limits</h3>\n<p>Ask <strong><del>60</del></strong> times a minute.</p>\n',
    '<h3>Limits</h3>\n<p>Ask <strong><ins>90</ins></strong> times a minute.</p>\n',
  ]);
  expect(sides('- a tier\n- the `old` way', '- a tier\n- the `new` way')[1]).toContain('<code><ins>new</ins></code>');
  const table = (price: number) => `| Plan | Price |\n|---|---|\n| Team | ${price} |`;
  expect(sides(table(19), table(23))[0]).toContain('<td><del>19</del></td>');
  expect(sides('```\nlet a = 1;\n```', '```\nlet a = 2;\n```')[1]).toContain('let a = <ins>2</ins>;');
});

test('how words are written and where lines end is no difference', () => {
  expect(sides('One *two*\nthree four.', 'One **two** three four.').join('')).not.toMatch(/<(?:ins|del)>/);
});

test('in a paragraph that is shown as it is written, too', () => {
  const long = (word: string) => `Ask ${word} times. ${'And so on. '.repeat(300)}`;
  expect(sides(long('60'), long('90'))[1]).toContain('Ask <ins>90</ins> times.');
});

test('where all would be marked, nothing is', () => {
  const words = (start: number) => Array.from({ length: 200 }, (_, at) => `w${start + at}`).join(' ');
  const shown = markdownSides(words(0), words(1000), BASE);
  expect(shown.tooDifferent).toBe(true);
  expect(String(shown.after)).not.toContain('<ins>');
});

test('marks add nothing but themselves, whatever the texts are', () => {
  const part = fc.oneof(
    fc.constantFrom(...HOSTILE_STRINGS.map((text) => text.slice(0, 2000))),
    fc.constantFrom('word ', '*', '**', '`', '\n', '\n\n', '# ', '- ', '[a](b) ', '<b>', '&lt;', '|', '~~', '1. '),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      for (const [shown, plain, element] of [
        [sides(before, after)[0], before, 'del'],
        [sides(before, after)[1], after, 'ins'],
      ] as const) {
        expect(shown).not.toMatch(HOSTILE_MARKUP);
        const bare = shown.replaceAll(`<${element}>`, '').replaceAll(`</${element}>`, '');
        expect(visible(bare)).toBe(visible(String(markdownHtml(plain, BASE))));
      }
    }),
    { numRuns: 300 },
  );
});

/** Marks above a letter are counted anew behind each cut: how many of them are shown is no matter here. */
function visible(html: string): string {
  return html.replace(/\p{M}/gu, '');
}
