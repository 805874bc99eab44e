import { encodeAtomEntry } from '../../../codecs/atom/encode-entry.ts';
import { paragraph } from '../../../codecs/atom/html.ts';
import { stableId } from '../../../codecs/atom/stable-id.ts';
import { digestSteps } from '../../../digest/digest-entry.ts';
import type { Change } from '../../../model/change.ts';
import { hubsIn } from '../../../model/hub-path.ts';

/** The part of a run that becomes one entry. */
export interface EntryOfRun {
  readonly source: string;
  readonly changes: readonly Change[];
  /** The title of the source or the collection. */
  readonly title: string;
  readonly url?: string;
  /** Whether there were entries before. */
  readonly isKnown: boolean;
  /** What its id stands for; the run by default. In a list, the entry of one change differs from that of its run. */
  readonly names?: 'change';
}

/** How many changes are processed in one step. */
const LOOKED_AT_ONCE = 2000;

/**
 * The text of an entry, made in steps of some changes each, because a run may be the first reading of a whole site. It does not
 * contain the address of the hub, so it outlives a move.
 */
export function* atomRunEntry(run: EntryOfRun): Generator<void, string> {
  const { source, changes, title, url, isKnown, names = 'run' } = run;
  const last = changes.at(-1);
  if (last === undefined) throw new Error(`A run of ${source} has no change.`);
  const id = stableId(source, names, last.id);
  const updatedMs = Date.parse(last.time);
  const { foreign, hubs, isFirst } = yield* runFacts(changes, isKnown);
  const digest = yield* digestSteps(changes, {
    id,
    updatedMs,
    about: title,
    ...(url !== undefined && { url }),
    isFirst,
    linkable: (page) => !foreign.has(page),
  });
  const encoded = encodeAtomEntry(hubs.size === 0 ? digest : { ...digest, hubs: [...hubs] });
  if (encoded.ok) return encoded.value;
  // Whatever a source has written, it must not hold up the feeds of the others.
  const words = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const plain = encodeAtomEntry({ id, updatedMs, title: words, content: [paragraph(words)] });
  if (!plain.ok) throw new Error(`A run of ${source} cannot be told: ${plain.issues[0].message}`);
  return plain.value;
}

interface RunFacts {
  /** Pages of other sites, which are not linked. */
  readonly foreign: ReadonlySet<string>;
  /** The hubs that it passed through. */
  readonly hubs: ReadonlySet<string>;
  /** If the reader does not say so, a source that begins with only new pages counts as read for the first time. */
  readonly isFirst: boolean;
}

function* runFacts(changes: readonly Change[], isKnown: boolean): Generator<void, RunFacts> {
  const [foreign, hubs] = [new Set<string>(), new Set<string>()];
  let [areFirst, areNew, looked] = [true, true, 0];
  for (const { url, action, provenance } of changes) {
    if (provenance.isForeign === true) foreign.add(url);
    for (const hub of hubsIn(provenance.via)) hubs.add(hub);
    areFirst &&= provenance.isFirst === true;
    areNew &&= action === 'create' && provenance.by !== 'resourcesync';
    looked += 1;
    if (looked % LOOKED_AT_ONCE === 0) yield;
  }
  return { foreign, hubs, isFirst: areFirst || (!isKnown && areNew) };
}
