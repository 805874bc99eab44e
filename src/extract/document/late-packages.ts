import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { eld } from 'eld/extrasmall';
import type { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * Packages that most callers never need and that are expensive to load: a quarter of a second and 70 MB for the vocabulary, half a second and 85 MB for the
 * languages. Each is loaded on first use.
 *
 * Loaded with `require`, because reading a page is synchronous. A build contains only the used part of each (`scripts/bundle.mjs`).
 */

interface Tokenizer {
  readonly countTokens: typeof countTokens;
  readonly setMergeCacheSize: typeof setMergeCacheSize;
}

/** The cache of the tokenizer grows with the length of runs. This limit means 30 MB at worst. */
const REMEMBERED_RUNS = 2048;

const require = createRequire(import.meta.url);
let tokenizer: Tokenizer | undefined;
let languages: typeof eld | undefined;

export function loadTokenizer(): Tokenizer {
  if (tokenizer === undefined) {
    const loaded: Tokenizer = requireTable('o200k', () => require('gpt-tokenizer/encoding/o200k_base'));
    loaded.setMergeCacheSize(REMEMBERED_RUNS);
    tokenizer = loaded;
  }
  return tokenizer;
}

export function loadLanguages(): typeof eld {
  if (languages === undefined) {
    // The package exports no entry for `require`, but Node loads an ES module by its path.
    const loaded: { readonly eld: typeof eld } = requireTable('languages', () =>
      require(fileURLToPath(import.meta.resolve('eld/extrasmall'))),
    );
    languages = loaded.eld;
  }
  return languages;
}

/** From the build, or from the package itself if nothing is built yet. */
function requireTable<T>(name: string, requirePackage: () => T): T {
  try {
    return require(`#tables/${name}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return requirePackage();
    throw error;
  }
}
