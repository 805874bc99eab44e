import type { Change } from '../../src/model/change.ts';

/** What was promised and shown about a log, and what is found in it. Each change is its JSON text. */
export interface Evidence {
  /** In the order of their acknowledgement. */
  readonly acked: readonly string[];
  /** What a reader has ever got, by `seq`. */
  readonly seen: ReadonlyMap<number, string>;
  /** A full read after the kill. */
  readonly stored: readonly string[];
  /** Sizes of the batches whose append was cut off, by the mark that all their changes carry. */
  readonly cutOff: ReadonlyMap<string, number>;
}

export interface Verdict {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
  readonly changed: number;
  readonly torn: number;
}

/**
 * Counts every way in which a log can have broken its promises.
 *
 * A change is recognised by its `note`, `<mark>/<number>`, which the writer never gives twice.
 */
export function verifyLog({ acked, seen, stored, cutOff }: Evidence): Verdict {
  const changes = stored.map(parse);
  const placeOf = new Map(changes.map(({ note }, index) => [note, index]));
  let [lost, changed, reordered] = [0, 0, 0];

  let before = -1;
  for (const line of acked) {
    const place = placeOf.get(parse(line).note);
    if (place === undefined) {
      lost += 1;
      continue;
    }
    if (stored[place] !== line) changed += 1;
    if (place < before) reordered += 1;
    before = place;
  }
  for (const [seq, line] of seen) {
    const found = stored[seq - 1];
    if (found === undefined) lost += 1;
    else if (found !== line) changed += 1;
  }
  for (const [index, { seq, id }] of changes.entries()) {
    if (seq !== index + 1 || id <= (changes[index - 1]?.id ?? '')) reordered += 1;
  }
  return { lost, doubled: changes.length - placeOf.size, reordered, changed, torn: countTorn(changes, cutOff) };
}

export function addVerdicts(a: Verdict, b: Verdict): Verdict {
  return {
    lost: a.lost + b.lost,
    doubled: a.doubled + b.doubled,
    reordered: a.reordered + b.reordered,
    changed: a.changed + b.changed,
    torn: a.torn + b.torn,
  };
}

function countTorn(changes: readonly Change[], cutOff: Evidence['cutOff']): number {
  const found = new Map<string, number>();
  for (const { note = '' } of changes) {
    const [mark = ''] = note.split('/');
    found.set(mark, (found.get(mark) ?? 0) + 1);
  }
  return [...cutOff].filter(([mark, size]) => found.has(mark) && found.get(mark) !== size).length;
}

function parse(line: string): Change {
  return JSON.parse(line) as Change;
}
