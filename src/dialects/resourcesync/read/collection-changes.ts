import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import type { ChangeKind } from '../../../codecs/resourcesync/wire.ts';
import type { Action } from '../../../model/change.ts';
import type { FeedChange } from '../../feed-change.ts';
import type { CollectionReading, HarvestedChange } from './harvested.ts';

const ACTIONS: Readonly<Record<ChangeKind, Action>> = { created: 'create', updated: 'update', deleted: 'delete' };

/** The changes of a collection reading: one per page, or one per section if sections are given. */
export function* collectionChanges({ changes, known, isFirst }: CollectionReading): Generator<FeedChange, void> {
  for (const change of changes) {
    const page = pageChange(change, { collection: known.describes, isFirst });
    // A page is created or deleted as a whole.
    const sections = change.change === 'updated' ? change.sections : [];
    for (const [index, anchor] of sections.entries()) {
      // The last section has the id of the change: only then is all of it handed on.
      yield { ...page, anchor, id: index === sections.length - 1 ? page.id : `${page.id}#${anchor}` };
    }
    if (sections.length === 0) yield page;
  }
}

interface Origin {
  readonly collection: string;
  readonly isFirst: boolean;
}

function pageChange(harvested: HarvestedChange, { collection, isFirst }: Origin): FeedChange {
  const { key, loc, change, datetimeMs, datetime, title, isOwn } = harvested;
  const url = new URL(loc);
  const anchor = percentDecoded(url.hash.slice(1));
  url.hash = '';
  return {
    id: key,
    action: ACTIONS[change],
    url: url.href,
    ...(anchor !== '' && { anchor }),
    time: formatTime(datetimeMs),
    ...(title !== undefined && { title }),
    provenance: {
      by: 'resourcesync',
      originId: key,
      collection,
      ...(datetime !== undefined && { claimed: datetime }),
      ...(isFirst && { isFirst }),
      ...(!isOwn && { isForeign: true }),
    },
  };
}
