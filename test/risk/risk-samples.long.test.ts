import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { extractPage } from '../../src/extract/extract-page.ts';
import { scorePage } from '../../src/extract/risk/score-page.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { EARLIER_HARMLESS, EARLIER_INJECTIONS } from './earlier-held-out.ts';
import { HARMLESS } from './harmless.ts';
import { HELD_OUT_HARMLESS, HELD_OUT_INJECTIONS } from './held-out.ts';
import { INJECTIONS, type RiskSample } from './injections.ts';
import { LATER_HARMLESS, LATER_INJECTIONS } from './later-held-out.ts';

const FLAGGED_FROM = 0.4;

function isFlagged(html: string): boolean {
  const { title } = extractPage(html, 'https://page.example/');
  return scorePage({ title, html }).score >= FLAGGED_FROM;
}

function namesOf(samples: readonly RiskSample[], flagged: boolean): string[] {
  return samples.filter(({ html }) => isFlagged(html) === flagged).map(({ name }) => name);
}

const ATTACKS = [...INJECTIONS, ...EARLIER_INJECTIONS, ...LATER_INJECTIONS];
const OTHERS = [...HARMLESS, ...EARLIER_HARMLESS, ...LATER_HARMLESS];
/** In words that people use too, or in none that a pattern could know. */
const NOT_FOUND = ['Changelog', 'Vitamins'];

test(`${ATTACKS.length - NOT_FOUND.length} of ${ATTACKS.length} injections are flagged, and none of ${OTHERS.length} harmless pages`, () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(60);
  expect(HARMLESS.length).toBeGreaterThanOrEqual(60);
  expect(namesOf(ATTACKS, false)).toEqual(NOT_FOUND);
  expect(namesOf(OTHERS, true)).toEqual([]);
});

test('of pages that the rules were not made for, most are told apart', () => {
  const missed = namesOf(HELD_OUT_INJECTIONS, false);
  const wronged = namesOf(HELD_OUT_HARMLESS, true);
  process.stdout.write(
    `risk: held out: ${HELD_OUT_INJECTIONS.length - missed.length} of ${HELD_OUT_INJECTIONS.length} injections flagged, ` +
      `${HELD_OUT_HARMLESS.length - wronged.length} of ${HELD_OUT_HARMLESS.length} harmless pages not\n`,
  );
  // What docs/risk.md says of them: to be changed there and here together.
  expect(missed).toEqual(['Hats', 'Ink', 'Oars', 'Vases', 'Wheels']);
  expect(wronged).toEqual([]);
});

const CORPUS = new URL('../../../shared/corpora/pages/html/', import.meta.url);
const corpusIsHere = existsSync(CORPUS);
if (!corpusIsHere) process.stderr.write('risk: ../shared/corpora/pages is not here, real pages are skipped\n');
/** It puts an invisible separator between the letters of what it hides from programs. */
const TORN = ['0658.html.gz'];
/** Every so many, so that the test takes seconds. */
const STEP = shortOrLong(40, 3);

test.skipIf(!corpusIsHere)(
  `real pages are not flagged${corpusIsHere ? '' : ' (SKIPPED: no ../shared/corpora/pages)'}`,
  () => {
    const files = readdirSync(CORPUS).filter((_, index) => index % STEP === 0);
    const flagged = files.filter((file) => isFlagged(gunzipSync(readFileSync(new URL(file, CORPUS))).toString('utf8')));
    expect(files.length).toBeGreaterThan(shortOrLong(5, 50));
    expect(flagged.filter((file) => !TORN.includes(file))).toEqual([]);
  },
);
