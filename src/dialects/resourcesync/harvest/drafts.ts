import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import type { ChangeKind } from '../../../codecs/resourcesync/wire.ts';
import type { Action, ChangeDraft } from '../../../model/change.ts';
import type { CollectionReading, HarvestedChange } from './harvested.ts';

const ACTIONS: Readonly<Record<ChangeKind, Action>> = { created: 'create', updated: 'update', deleted: 'delete' };

/** What a reading tells, for the log: one draft for each change, or one for each section where those are told. */
export function* draftsOf(
  { changes, known, isFirst }: CollectionReading,
  source: string,
): Generator<ChangeDraft, void> {
  for (const change of changes) {
    const page = pageDraft(change, source, { collection: known.describes, isFirst });
    // A page that came or went did so as a whole.
    if (change.change !== 'updated' || change.sections.length === 0) yield page;
    else for (const anchor of change.sections) yield { ...page, anchor };
  }
}

interface Origin {
  readonly collection: string;
  readonly isFirst: boolean;
}

function pageDraft(harvested: HarvestedChange, source: string, { collection, isFirst }: Origin): ChangeDraft {
  const { key, loc, change, datetimeMs, datetime, title, isOwn } = harvested;
  const url = new URL(loc);
  const anchor = percentDecoded(url.hash.slice(1));
  url.hash = '';
  return {
    source,
    action: ACTIONS[change],
    url: url.href,
    ...(anchor !== '' && { anchor }),
    claimedTime: formatTime(datetimeMs),
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
