import { encodeAtomFeed } from '../../../codecs/atom/encode-feed.ts';
import { stableId } from '../../../codecs/atom/stable-id.ts';
import { oneLine } from '../../../codecs/primitives/one-line.ts';
import type { Change } from '../../../model/change.ts';
import type { ChangeList } from '../../shelf.ts';
import { atomRunEntry } from './atom-run-entry.ts';
import type { AtomSource } from './feed-title.ts';

export interface AtomListParts {
  /** Identifies the feeds of this hub. */
  readonly identity: string;
  /** The current name of a source; undefined for one that was removed. */
  readonly sourceOf: (id: string) => AtomSource | undefined;
}

/** The changes of a search, one entry each. */
export function writeAtomList({ title, changes, selfUrl, url }: ChangeList, parts: AtomListParts): string {
  const { host, href, search } = new URL(selfUrl);
  const [newest] = changes;
  const head = {
    id: stableId(parts.identity, 'search', search),
    title: oneLine(title) || host,
    updatedMs: newest === undefined ? 0 : Date.parse(newest.time),
    author: { name: host },
    selfUrl: href,
    url,
    generator: 'Tidings',
  };
  const feed = encodeAtomFeed(
    head,
    changes.map((change) => entryOf(change, parts)),
  );
  if (!feed.ok) throw new Error(`A list of changes cannot be written: ${feed.issues[0].message}`);
  return feed.value;
}

function entryOf(change: Change, { sourceOf }: AtomListParts): string {
  const { source } = change;
  const { title, url } = sourceOf(source) ?? { title: source };
  const named = { source, title, ...(url !== undefined && { url }) };
  const steps = atomRunEntry({ ...named, changes: [change], isKnown: true, names: 'change' });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
