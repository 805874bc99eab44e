/** Words that a passage must contain, in order and not far from each other. With one lookup per word they show where no pattern need be tried. */
export type WordChain = readonly ChainStep[];

export interface ChainStep {
  /** The maximum distance to the step before: in words, or in letters, counting each end of a word as one. */
  readonly reach: number;
  readonly unit: 'words' | 'letters';
  readonly words: readonly string[];
}

/**
 * Parses a chain: `if when | 2 you | 40c ai llm` means `you` at most two words later, then `ai` or `llm` at most 40 letters later. Words are in lower case, and
 * their first {@link KEY_LENGTH} letters count.
 */
export function chain(text: string): WordChain {
  return text.split(' | ').map((part, index) => {
    const words = part.split(' ');
    const reach = index === 0 ? '0' : (words.shift() ?? '');
    return { reach: Number.parseInt(reach, 10), unit: reach.endsWith('c') ? 'letters' : 'words', words };
  });
}

/** Longer words are identified by this many letters: `instructions` like `instructed`. */
export const KEY_LENGTH = 8;

export function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < Math.min(word.length, KEY_LENGTH); at += 1) hash = hashWith(hash, word.charCodeAt(at));
  return hash;
}

/** The hash of a word with one more letter. */
export function hashWith(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) | 0;
}

const TABLE_SIZE = 1 << 13;
const NO_STEP = -1;
const LONG_AGO = -1_000_000;

/** A step of one chain, or of several with the same beginning. */
interface SharedStep extends ChainStep {
  readonly previous: number;
  /** The owners of the chains that end here. */
  readonly owners: number[];
}

/** Finds chains in texts, word by word. A word that is in no chain costs one table lookup. */
export class ChainFinder {
  /** By slot: the hash of a word, and the start of its steps in `lists`. 0 is none. */
  readonly #hashes = new Int32Array(TABLE_SIZE);
  readonly #starts = new Int16Array(TABLE_SIZE);
  /** The steps of each word, later steps of a chain first, so that one word does not count as two steps. */
  readonly #lists: Int16Array;
  readonly #steps: readonly SharedStep[];
  readonly #previous: Int16Array;
  readonly #reaches: Int16Array;
  readonly #inLetters: Uint8Array;
  readonly #isEnd: Uint8Array;

  constructor(chains: readonly { readonly chain: WordChain; readonly owner: number }[]) {
    this.#steps = shareSteps(chains);
    this.#previous = Int16Array.from(this.#steps, ({ previous }) => previous);
    this.#reaches = Int16Array.from(this.#steps, ({ reach }) => reach);
    this.#inLetters = Uint8Array.from(this.#steps, ({ unit }) => Number(unit === 'letters'));
    this.#isEnd = Uint8Array.from(this.#steps, ({ owners }) => Number(owners.length > 0));
    const byHash = new Map<number, number[]>();
    for (const [step, { words }] of this.#steps.entries()) {
      for (const hash of new Set(words.map(hashOf))) byHash.set(hash, [step, ...(byHash.get(hash) ?? [])]);
    }
    const lists = [NO_STEP];
    for (const [hash, list] of byHash) {
      const place = this.#placeOf(hash);
      this.#hashes[place] = hash;
      this.#starts[place] = lists.length;
      lists.push(...list, NO_STEP);
    }
    this.#lists = Int16Array.from(lists);
  }

  startTrack(): ChainTrack {
    const never = new Int32Array(this.#steps.length).fill(LONG_AGO);
    return { words: 0, letters: 0, wordsAt: never, lettersAt: never.slice() };
  }

  /** False if the word with that hash is in no chain. */
  mayKnow(hash: number): boolean {
    return this.#starts[(hash ^ (hash >>> 15)) & (TABLE_SIZE - 1)] !== 0;
  }

  /** Takes the word with that hash, and calls back with the owner of each chain that it completes. */
  see(hash: number, track: ChainTrack, onWhole: (owner: number) => void): void {
    const start = this.#starts[this.#placeOf(hash)] ?? 0;
    if (start !== 0) this.#advance(start, track, onWhole);
  }

  #advance(start: number, track: ChainTrack, onWhole: (owner: number) => void): void {
    const { words, letters, wordsAt, lettersAt } = track;
    let at = start;
    for (let step = this.#lists[at] ?? NO_STEP; step >= 0; step = this.#lists[++at] ?? NO_STEP) {
      const previous = this.#previous[step] ?? NO_STEP;
      if (previous !== NO_STEP) {
        const distance =
          this.#inLetters[step] === 1 ? letters - (lettersAt[previous] ?? 0) : words - (wordsAt[previous] ?? 0);
        if (distance > (this.#reaches[step] ?? 0)) continue;
      }
      wordsAt[step] = words;
      lettersAt[step] = letters;
      if (this.#isEnd[step] === 1) for (const owner of this.#steps[step]?.owners ?? []) onWhole(owner);
    }
  }

  #placeOf(hash: number): number {
    let place = (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
    while (this.#starts[place] !== 0 && this.#hashes[place] !== hash) place = (place + 1) & (TABLE_SIZE - 1);
    return place;
  }
}

function shareSteps(chains: readonly { readonly chain: WordChain; readonly owner: number }[]): SharedStep[] {
  const steps: SharedStep[] = [];
  const known = new Map<string, number>();
  for (const { chain: own, owner } of chains) {
    let previous = NO_STEP;
    for (const step of own) {
      const key = `${previous} ${step.reach} ${step.unit} ${step.words.join(' ')}`;
      const at = known.get(key) ?? steps.push({ ...step, previous, owners: [] }) - 1;
      known.set(key, at);
      previous = at;
    }
    steps[previous]?.owners.push(owner);
  }
  return steps;
}

/** The progress of the chains in one text. */
export interface ChainTrack {
  /** The number of words so far. */
  words: number;
  letters: number;
  /** By step: where the chain was last complete up to this step. */
  readonly wordsAt: Int32Array;
  readonly lettersAt: Int32Array;
}
