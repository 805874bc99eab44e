/** Random choices that can be made again: the same seed gives the same ones. */
export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both bounds included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }
}

/** Of the words of a command: `seed=77`. */
export function seedIn(words: readonly string[]): number | undefined {
  const said = words.findLast((word) => word.startsWith('seed='))?.slice('seed='.length);
  if (said === undefined) return undefined;
  const seed = Number(said);
  if (!/^\d+$/.test(said) || seed >= 2 ** 32) throw new Error(`"${said}" is no seed: a whole number below 2^32 is.`);
  return seed;
}

const SEED_OF_TESTS = 20_261_117;

/** A torture draws one. The suite takes the same each time: it judges what was changed, and torture looks for what is rare. */
export function newSeed(): number {
  return process.env.VITEST === undefined ? Math.floor(Math.random() * 2 ** 32) : SEED_OF_TESTS;
}
