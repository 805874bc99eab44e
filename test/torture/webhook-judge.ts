/** One webhook as an endpoint wrote it down. */
export interface JournalLine {
  readonly path: string;
  /** `webhook-id`. */
  readonly id: string;
  readonly atMs: number;
  /** By the official package, when it came. */
  readonly isValid: boolean;
  readonly text: string;
}

export interface Verdict {
  /** Changes that never came. */
  readonly missing: number;
  /** Changes whose first arrival was behind that of a later one. */
  readonly reordered: number;
  readonly badSignatures: number;
  /** Deliveries of one id with different bytes. */
  readonly changedBodies: number;
  /** Of one event, two ids. */
  readonly otherIds: number;
  /** Arrivals beyond the first: allowed, and a sign that kills hit something. */
  readonly doubles: number;
}

interface ToldChange {
  readonly id: string;
  readonly seq: number;
}

/** What one subscriber got, beside what it should have got. */
export function judgeSubscriber(lines: readonly JournalLine[], log: readonly ToldChange[]): Verdict {
  const bodies = new Map<string, string>();
  const deliveries = new Map<string, string>();
  const first: number[] = [];
  const seen = new Set<string>();
  const wrong = { badSignatures: 0, changedBodies: 0, otherIds: 0, doubles: 0 };
  for (const { id, text, isValid } of lines) {
    if (!isValid) wrong.badSignatures += 1;
    if ((bodies.get(id) ?? text) !== text) wrong.changedBodies += 1;
    bodies.set(id, text);
    for (const { id: change, seq } of changesIn(text)) {
      if ((deliveries.get(change) ?? id) !== id) wrong.otherIds += 1;
      deliveries.set(change, id);
      if (seen.has(change)) wrong.doubles += 1;
      else first.push(seq);
      seen.add(change);
    }
  }
  const reordered = first.filter(
    (seq, at) => at > 0 && seq < Math.max(...first.slice(Math.max(0, at - 50), at)),
  ).length;
  return { missing: log.filter(({ id }) => !seen.has(id)).length, reordered, ...wrong };
}

export function changesIn(text: string): readonly ToldChange[] {
  const { type, data } = JSON.parse(text) as { readonly type: string; readonly data: ToldChange | ToldChange[] };
  return type === 'change' || type === 'changes' ? [data].flat() : [];
}

/** A while in which nobody is killed. */
export interface Phase {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** How much later each subscriber had each change of a phase than the first of them: who waited for somebody else is late by what that one took. */
export function relativeLags(journals: ReadonlyMap<string, readonly JournalLine[]>, phase: Phase): number[] {
  const arrivals = new Map<string, number[]>();
  for (const lines of journals.values()) {
    const mine = new Set<string>();
    for (const { text, atMs } of lines) {
      for (const { id } of changesIn(text)) {
        if (mine.has(id)) continue;
        mine.add(id);
        arrivals.set(id, [...(arrivals.get(id) ?? []), atMs]);
      }
    }
  }
  const firsts = [...arrivals.values()].map((moments) => ({ first: Math.min(...moments), moments }));
  const inPhase = firsts.filter(({ first }) => first >= phase.sinceMs && first <= phase.untilMs);
  return inPhase.flatMap(({ first, moments }) => moments.map((moment) => moment - first));
}
