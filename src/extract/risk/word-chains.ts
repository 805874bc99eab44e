/**
 * Words that a passage cannot do without, in their order: each at most so many words behind the one before. They tell in one
 * look at each word where a pattern need not be tried.
 */
export type WordChain = readonly ChainStep[];

export interface ChainStep {
  /** How many words behind the one before. */
  readonly reach: number;
  readonly words: readonly string[];
}

/** `chain('if when', [2, 'you'], [8, 'ai llm'])`: words in lower case, of which {@link KEY_LENGTH} letters count. */
export function chain(first: string, ...rest: readonly (readonly [number, string])[]): WordChain {
  return [[0, first] as const, ...rest].map(([reach, words]) => ({ reach, words: words.split(' ') }));
}

/** Longer words are known by so many letters: `instructions` as well as `instructed`. */
export const KEY_LENGTH = 8;

/** The same for a word and for its first letters up to {@link KEY_LENGTH}. Grows by one letter with {@link hashWith}. */
export function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < Math.min(word.length, KEY_LENGTH); at += 1) hash = hashWith(hash, word.charCodeAt(at));
  return hash;
}

export function hashWith(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

const TABLE_SIZE = 1 << 14;
const LONG_AGO = -1_000_000;

/** Says of words, one by one, whether a chain is whole. */
export class ChainFinder {
  /** By the hash of a word, where in `lists` its steps begin. 0 is nothing. */
  private readonly hashes = new Int32Array(TABLE_SIZE);
  private readonly listOf = new Int32Array(TABLE_SIZE);
  /** Steps of each word, the last ones of a chain first, so that a word is not two of them; a -1 ends them. */
  private readonly lists: readonly number[];
  /** By step: how many words behind the one before (-1: the first of a chain), and what the chain belongs to when it is the last. */
  private readonly reaches: readonly number[];
  private readonly owners: readonly number[];

  /** Chains with what they belong to. */
  constructor(chains: readonly { readonly chain: WordChain; readonly owner: number }[]) {
    const steps = chains.flatMap(({ chain: all, owner }) =>
      all.map(({ reach, words }, at) => ({
        words,
        reach: at === 0 ? -1 : reach,
        owner: at === all.length - 1 ? owner : -1,
      })),
    );
    this.reaches = steps.map(({ reach }) => reach);
    this.owners = steps.map(({ owner }) => owner);
    const byHash = new Map<number, number[]>();
    for (const [step, { words }] of steps.entries()) {
      for (const hash of new Set(words.map(hashOf))) byHash.set(hash, [step, ...(byHash.get(hash) ?? [])]);
    }
    const lists: number[] = [-1];
    for (const [hash, list] of byHash) {
      const place = this.placeOf(hash);
      this.hashes[place] = hash;
      this.listOf[place] = lists.length;
      lists.push(...list, -1);
    }
    this.lists = lists;
  }

  get stepCount(): number {
    return this.reaches.length;
  }

  /** Takes the word with that hash; `call` is told what each chain belongs to that it ends. */
  see(hash: number, track: ChainTrack, call: (owner: number) => void): void {
    let at = this.listOf[this.placeOf(hash)] ?? 0;
    if (at === 0) return;
    const { seenAt, now } = track;
    for (let step = this.lists[at] ?? -1; step >= 0; step = this.lists[++at] ?? -1) {
      const reach = this.reaches[step] ?? 0;
      if (reach >= 0 && now - (seenAt[step - 1] ?? LONG_AGO) > reach) continue;
      seenAt[step] = now;
      const owner = this.owners[step] ?? -1;
      if (owner >= 0) call(owner);
    }
  }

  private placeOf(hash: number): number {
    let place = (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
    while (this.listOf[place] !== 0 && this.hashes[place] !== hash) place = (place + 1) & (TABLE_SIZE - 1);
    return place;
  }
}

/** How far the chains are in one text. */
export class ChainTrack {
  /** How many words there have been. */
  now = 0;
  readonly seenAt: Int32Array;

  constructor(stepCount: number) {
    this.seenAt = new Int32Array(stepCount).fill(LONG_AGO);
  }
}
