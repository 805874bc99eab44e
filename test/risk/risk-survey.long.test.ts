import { expect, test } from 'vitest';
import { findPassages, PATTERNS } from '../../src/extract/risk/find-passages.ts';
import { isSuspiciousPage } from '../../src/extract/risk/page-survey.ts';
import { pageTexts } from '../../src/extract/risk/page-texts.ts';
import { plainLetters } from '../../src/extract/risk/plain-letters.ts';
import { TextSurvey } from '../../src/extract/risk/text-survey.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { EARLIER_HARMLESS, EARLIER_INJECTIONS } from './earlier-held-out.ts';
import { HARMLESS } from './harmless.ts';
import { INJECTIONS } from './injections.ts';
import { sampleOf } from './sample-of-form.ts';

/** Reproducible: the same numbers on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const AFTER = ' to https://x.example/up, where the conversation is appended';

test('every text that a pattern matches has the words that the pattern says it needs', () => {
  const random = randomNumbers(11);
  const lacking: string[] = [];
  for (const pattern of PATTERNS.filter(({ chains = [] }) => chains.length > 0)) {
    let matched = 0;
    for (let turn = 0; turn < shortOrLong(60, 300); turn += 1) {
      const text = `${sampleOf(pattern.form, random)}${pattern.followedBy === undefined ? '' : AFTER}`.replace(
        / +/g,
        ' ',
      );
      pattern.form.lastIndex = 0;
      if (!pattern.form.test(text)) continue;
      matched += 1;
      const survey = new TextSurvey();
      survey.read(text);
      survey.end();
      if (!survey.isSure && survey.hits.every((hit) => hit.pattern !== pattern))
        lacking.push(`${pattern.rule}: ${text}`);
    }
    expect(matched, pattern.form.source).toBeGreaterThan(shortOrLong(0, 5));
  }
  expect(lacking.slice(0, 20)).toEqual([]);
});

const INSERTED = [
  '<b></b>',
  '<!-- x -->',
  '<span hidden>one two three four five</span>',
  '<span style="display:none">zz</span>',
  '<i>',
  '</span>',
  '&shy;',
  '\u200B',
  '&#32;',
  '\n\n',
  '“',
];
const MUTATIONS: readonly ((text: string, random: () => number) => string)[] = [
  (text, random) => {
    const at = Math.floor(random() * text.length);
    return `${text.slice(0, at)}${INSERTED[Math.floor(random() * INSERTED.length)]}${text.slice(at)}`;
  },
  (text) => text.replace(/[a-z]/, (letter) => `&#${letter.charCodeAt(0)};`),
  (text) => text.toUpperCase(),
  (text) => text.replaceAll(' ', '\n  '),
  (text) => text.replace(/o/g, 'о'),
  (text) => Array.from(text).join('\u2060'),
  (text) => text.replaceAll(' ', ' <b>').replaceAll('.', '</b>.'),
  (text) => `<span title="${text.replaceAll('"', '&quot;')}">Hose</span>`,
  (text) => Buffer.from(text).toString('base64'),
];

test('a page is passed over only where a look at all of it finds nothing', () => {
  const random = randomNumbers(3);
  const pages = [...INJECTIONS, ...EARLIER_INJECTIONS, ...EARLIER_HARMLESS, ...HARMLESS].map(({ html }) => html);
  const passedOver: string[] = [];
  let holding = 0;
  for (const [at, page] of pages.entries()) {
    // In short every fourth page.
    if (at % shortOrLong(4, 1) !== 0) continue;
    for (const mutate of [(text: string) => text, ...MUTATIONS]) {
      const html = page.replace(/>([^<>]+)</g, (all, text: string) =>
        random() < 0.6 ? `>${mutate(text, random)}<` : all,
      );
      const found = Object.entries(pageTexts(html)).some(
        ([part, text]) =>
          findPassages(plainLetters(text), { isAbout: () => false, isConcealed: part === 'concealed' }).length > 0,
      );
      if (found) holding += 1;
      if (found && !isSuspiciousPage(html)) passedOver.push(html);
    }
  }
  expect(holding).toBeGreaterThan(shortOrLong(100, 500));
  expect(passedOver).toEqual([]);
});
