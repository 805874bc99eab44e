import type { ChangeDraft } from '../../src/model/change.ts';
import { Random } from './hub-random.ts';

/** What happens to a source: its pages change, nothing does, or it cannot be read. */
export type Step =
  | { readonly is: 'run'; readonly source: string; readonly atMs: number; readonly drafts: readonly ChangeDraft[] }
  | { readonly is: 'quiet' | 'failure'; readonly source: string; readonly atMs: number };

const SOURCES = ['docs', 'api', 'z_9', '__proto__'];
/** In UTF-16 the last two would change places. */
const NAMES = ['a', 'b', 'é', 'e\u0301', 'x/y', '"quoted"', '__proto__', '｡', '😀'];
const ANCHORS = ['intro', 'é', '｡', '😀', 'usage'];
const RISKS = [0.1, 0.39999999999999997, 0.4, 0.9];
const START_MS = Date.parse('2026-02-05T23:59:50Z');

/** A random past of several sources, the same for the same seed. Contents return, so that only their revisions differ. */
export function randomHistory(seed: number): Step[] {
  const random = new Random(seed);
  const sources = SOURCES.slice(0, random.integer(1, SOURCES.length));
  const share = random.pick([0, 0.1, 0.4]);
  const alive = new Set<string>();
  let atMs = START_MS;
  return Array.from({ length: random.integer(3, 30) }, (): Step => {
    const source = random.pick(sources);
    // Often within one second, sometimes days later.
    atMs += random.pick([1, 1, 200, 30_000, 86_400_000]);
    if (random.chance(0.15)) return { is: 'quiet', source, atMs };
    if (random.chance(0.15)) return { is: 'failure', source, atMs };
    // A large run drives others out of the feed of all sources.
    const pages = random.chance(0.05)
      ? Array.from({ length: random.integer(60, 120) }, (_, page) => `many/${page}`)
      : NAMES.filter(() => random.chance(share));
    const names = pages.length === 0 ? [random.pick(NAMES)] : pages;
    const drafts = names.flatMap((name) =>
      draftsOf(source, `https://${source.replace(/_/g, 'x')}.example/${encodeURI(name)}`, { alive, random, atMs }),
    );
    return { is: 'run', source, atMs, drafts };
  });
}

interface Past {
  /** Pages that are there, by source and URL. */
  readonly alive: Set<string>;
  readonly random: Random;
  readonly atMs: number;
}

function draftsOf(source: string, url: string, { alive, random, atMs }: Past): ChangeDraft[] {
  const key = `${source} ${url}`;
  const risk = random.chance(0.2) ? { risk: random.pick(RISKS), riskReasons: ['planted'] } : {};
  const claimed = random.chance(0.2)
    ? { claimedTime: new Date(atMs - random.integer(-5, 5) * 3_600_000).toISOString() }
    : {};
  const page = (action: ChangeDraft['action']): ChangeDraft =>
    action === 'delete'
      ? { source, url, action }
      : { source, url, action, checksum: random.pick(['sha256:X', 'sha256:Y']), ...risk, ...claimed };
  if (!alive.has(key) && random.chance(0.95)) {
    alive.add(key);
    return [page('create')];
  }
  const what = random.fraction();
  if (what < 0.25 || !alive.has(key)) {
    alive.delete(key);
    return [page('delete')];
  }
  if (what < 0.35) return [page('delete'), page('create')];
  if (what < 0.6) return [page('update')];
  const anchors = ANCHORS.filter(() => random.chance(0.5));
  return (anchors.length === 0 ? ['intro'] : anchors).map((anchor) => ({
    ...page('update'),
    anchor,
    excerpt: random.pick(['One.', 'Two.']),
    provenance: { pageChecksum: 'sha256:page' },
  }));
}

/** The same past, discovered otherwise: pages and sections of a batch in another order, and all of it at another time. */
export function otherwiseDiscovered(history: readonly Step[], seed: number): Step[] {
  const random = new Random(seed);
  return history.map((step) => {
    const atMs = step.atMs + 1000 * 86_400_000;
    return step.is === 'run' ? { ...step, atMs, drafts: reordered(step.drafts, random) } : { ...step, atMs };
  });
}

/** What happened to one whole page keeps its order: gone and made again is not the same as made and gone again. */
function reordered(drafts: readonly ChangeDraft[], random: Random): ChangeDraft[] {
  const keys = new Map<ChangeDraft, number>();
  const ofPage = new Map<string, number>();
  for (const draft of drafts) {
    const page = ofPage.get(draft.url) ?? random.fraction();
    ofPage.set(draft.url, page);
    keys.set(draft, draft.anchor === undefined ? page : random.fraction());
  }
  return drafts.toSorted((left, right) => (keys.get(left) ?? 0) - (keys.get(right) ?? 0));
}
