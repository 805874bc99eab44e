import { encodeAtomEntry } from '../../../codecs/atom/encode-entry.ts';
import { paragraph } from '../../../codecs/atom/html.ts';
import { stableId } from '../../../codecs/atom/stable-id.ts';
import { digestEntry } from '../../../digest/digest-entry.ts';
import type { Change } from '../../../model/change.ts';
import { hubsIn } from '../../../model/hub-path.ts';

/** What of a run becomes one entry. */
export interface EntryOfRun {
  readonly source: string;
  readonly changes: readonly Change[];
  /** What people call the source or the collection. */
  readonly title: string;
  readonly url?: string;
  /** Whether something was told before. */
  readonly isKnown: boolean;
}

/** The text of an entry. Nothing in it tells under which name the hub is reached, so that it outlives a move. */
export function atomRunEntry({ source, changes, title, url, isKnown }: EntryOfRun): string {
  const last = changes.at(-1);
  if (last === undefined) throw new Error(`A run of ${source} has no change.`);
  const id = stableId(source, 'run', last.id);
  const updatedMs = Date.parse(last.time);
  const foreign = new Set(
    changes.filter(({ provenance }) => provenance.isForeign === true).map((change) => change.url),
  );
  const digest = digestEntry(changes, {
    id,
    updatedMs,
    about: title,
    ...(url !== undefined && { url }),
    isFirst: isFirstReading(changes, isKnown),
    linkable: (page) => !foreign.has(page),
  });
  const hubs = [...new Set(changes.flatMap(({ provenance }) => hubsIn(provenance.via)))];
  const encoded = encodeAtomEntry(hubs.length === 0 ? digest : { ...digest, hubs });
  if (encoded.ok) return encoded.value;
  // Whatever a source wrote, it must not hold up the feeds of all others.
  const words = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const plain = encodeAtomEntry({ id, updatedMs, title: words, content: [paragraph(words)] });
  if (!plain.ok) throw new Error(`A run of ${source} cannot be told: ${plain.issues[0].message}`);
  return plain.value;
}

/** Where the reader does not say so, a source that begins with nothing but new pages was read for the first time. */
function isFirstReading(changes: readonly Change[], isKnown: boolean): boolean {
  if (changes.every(({ provenance }) => provenance.isFirst === true)) return true;
  return !isKnown && changes.every(({ action, provenance }) => action === 'create' && provenance.by !== 'resourcesync');
}
