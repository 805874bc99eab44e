/**
 * Words that a passage cannot do without, in their order, each not far behind the one before. They tell in one look at each
 * word where no pattern need be tried.
 */
export type WordChain = readonly ChainStep[];

export interface ChainStep {
  /** How far behind the one before: so many words, or so many letters, each word's end counted as one. */
  readonly reach: number;
  readonly unit: 'words' | 'letters';
  readonly words: readonly string[];
}

/**
 * A chain as it is written: `if when | 2 you | 40c ai llm` is `you` at most two words behind, `ai` or `llm` at most 40 letters behind
 * that. Words are in lower case, and {@link KEY_LENGTH} letters of them count.
 */
export function chain(text: string): WordChain {
  return text.split(' | ').map((part, index) => {
    const words = part.split(' ');
    const reach = index === 0 ? '0' : (words.shift() ?? '');
    return { reach: Number.parseInt(reach, 10), unit: reach.endsWith('c') ? 'letters' : 'words', words };
  });
}

/** Longer words are known by so many letters: `instructions` as well as `instructed`. */
export const KEY_LENGTH = 8;

export function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < Math.min(word.length, KEY_LENGTH); at += 1) hash = hashWith(hash, word.charCodeAt(at));
  return hash;
}

/** The hash of a word with one letter more. */
export function hashWith(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) | 0;
}

const TABLE_SIZE = 1 << 13;
const NO_STEP = -1;
const LONG_AGO = -1_000_000;

/** A step of one chain or of several that begin alike. */
interface SharedStep extends ChainStep {
  readonly previous: number;
  /** What the chains belong to that it ends. */
  readonly owners: number[];
}

/** Finds chains in texts, word by word. What is no word of a chain costs one look into a table. */
export class ChainFinder {
  /** By place: the hash of a word, and where in `lists` its steps begin. 0 is nowhere. */
  readonly #hashes = new Int32Array(TABLE_SIZE);
  readonly #starts = new Int16Array(TABLE_SIZE);
  /** The steps of each word, later ones of a chain first, so that one word is not two of them. */
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

  /** False where the word with that hash is of no chain. */
  mayKnow(hash: number): boolean {
    return this.#starts[(hash ^ (hash >>> 15)) & (TABLE_SIZE - 1)] !== 0;
  }

  /** Takes the word with that hash, and calls with what each chain belongs to that it ends. */
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

/** How far the chains are in one text. */
export interface ChainTrack {
  /** How many there have been. */
  words: number;
  letters: number;
  /** By step: where the chain was last whole up to there. */
  readonly wordsAt: Int32Array;
  readonly lettersAt: Int32Array;
}
