import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A page of the labelled corpus. */
export interface CorpusPage {
  readonly id: string;
  readonly url: string;
  readonly type: string;
  readonly html: string;
}

/** Beside the working folder of npm scripts. */
const SHARED = join('..', 'shared');
/** Pages for choosing rules, and pages for measuring them only. */
export type CorpusName = 'pages' | 'pages-validation';
export const SCORER = join(SHARED, 'tools', 'score-pages.mjs');

/** Used for a page with an unknown address. */
const UNKNOWN_ADDRESS = 'https://page.example/';

/** Undefined, with a message, if the corpus is not beside the project. */
export function readCorpus(bench: string, name: CorpusName = 'pages'): CorpusPage[] | undefined {
  const corpus = join(SHARED, 'corpora', name);
  if (!existsSync(join(corpus, 'truth'))) {
    process.stdout.write(`${bench}: the corpus of pages is not there (${corpus})\n`);
    return undefined;
  }
  return readdirSync(join(corpus, 'truth'))
    .sort()
    .map((file) => {
      const { id, url, type } = JSON.parse(readFileSync(join(corpus, 'truth', file), 'utf8')) as CorpusPage;
      const html = gunzipSync(readFileSync(join(corpus, 'html', `${id}.html.gz`))).toString('utf8');
      return { id, type, html, url: url === '' ? UNKNOWN_ADDRESS : url };
    });
}

/** This many pages of each type, spread evenly. */
export function sampleOf(pages: readonly CorpusPage[], perType: number): CorpusPage[] {
  const types = new Set(pages.map(({ type }) => type));
  return [...types].flatMap((type) => {
    const ofType = pages.filter((page) => page.type === type);
    const step = Math.max(1, ofType.length / perType);
    return ofType.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  });
}
