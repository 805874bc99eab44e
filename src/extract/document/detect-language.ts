import { languageTagOf } from '../../codecs/aidocument/language-tag.ts';
import { loadLanguages } from './late-packages.ts';
import { blankBlocks, blankSpans } from './markdown-code.ts';
import { MARKDOWN_LINK } from './markdown-link.ts';

/** Fewer letters may be names, or a quotation in another language. An East Asian character counts as several letters. */
const MIN_LETTERS = 120;
const MIN_IDEOGRAPHS = 30;
/** The detector reads about this many characters of a text. Longer texts are sampled in three places. */
const SAMPLE_LENGTH = 400;
/** The minimum lead of the best score, from 0 to 1. */
const MIN_LEAD = 0.01;
/** The detector does not know Indonesian, and reports this instead. */
const MALAY = 'ms';
/** The number of characters of Markdown that are examined. */
const MAX_LENGTH = 200_000;

const ADDRESS = /\b(?:https?:\/\/|www\.)\S+/g;
const NOT_WORDS = /[^\p{L}\p{M}'’]+/gu;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** The language of a page's prose. Undefined if there is too little of it, or any doubt. */
export function detectLanguage(markdown: string): string | undefined {
  const prose = proseOf(markdown);
  const ideographs = prose.slice(0, SAMPLE_LENGTH).match(IDEOGRAPH)?.length ?? 0;
  if (prose.length < MIN_LETTERS && ideographs < MIN_IDEOGRAPHS) return undefined;

  const languages = loadLanguages();
  const found = samplesOf(prose).map((sample) => languages.detect(sample));
  const [language = '', ...others] = found.map((one) => one.language);
  if (others.some((other) => other !== language) || !found.every(isSure)) return undefined;
  return language === MALAY ? undefined : languageTagOf(language);
}

/** The detector's own verdict considers only the best score. */
function isSure({ isReliable, getScores }: ReturnType<ReturnType<typeof loadLanguages>['detect']>): boolean {
  const [best = 0, second = 0] = Object.values(getScores());
  return isReliable() && best - second >= MIN_LEAD;
}

/** Only words, separated by one space. */
function proseOf(markdown: string): string {
  return blankSpans(blankBlocks(markdown.slice(0, MAX_LENGTH)))
    .replace(MARKDOWN_LINK, ' ')
    .replace(ADDRESS, ' ')
    .replace(NOT_WORDS, ' ')
    .trim();
}

/** From the beginning, the middle and the end, each from the start of a word. */
function samplesOf(prose: string): string[] {
  if (prose.length < SAMPLE_LENGTH * 3) return [prose.slice(0, SAMPLE_LENGTH)];
  const starts = [0, Math.floor((prose.length - SAMPLE_LENGTH) / 2), prose.length - SAMPLE_LENGTH];
  return starts.map((start) => {
    const sample = prose.slice(start, start + SAMPLE_LENGTH);
    return start === 0 ? sample : sample.slice(sample.indexOf(' ') + 1);
  });
}
