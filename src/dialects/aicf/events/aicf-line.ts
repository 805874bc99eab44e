import { sectionName } from '../../../codecs/aicf/boundary.ts';
import { encodeEvent } from '../../../codecs/aicf/encode.ts';
import type { AicfEvent } from '../../../codecs/aicf/wire.ts';
import type { Change } from '../../../model/change.ts';

/** Said of a page of which a section is gone. */
export const SECTION_DELETED = 'section-deleted';

/**
 * The line of a change in every AICF feed, of a site as of a hub, with its LF; undefined for one that AICF has no words for.
 *
 * A pure function of the change, fixed for ever: feeds are derived anew from the log, and past lines must not change
 * (AICF-P1). A section that is gone becomes an update of its page (T-AICF-2). A change without a web address or a
 * time has no line: it stays in the log, and it does not stop the ones behind it.
 */
export function aicfLine(change: Change): string | undefined {
  try {
    const isSectionDelete = change.action === 'delete' && sectionName(change.anchor) !== undefined;
    const event: AicfEvent = isSectionDelete ? pageUpdate(change) : change;
    const { via } = change.provenance;
    return encodeEvent(via === undefined ? event : { ...event, via });
  } catch {
    return undefined;
  }
}

/** Without what is of the section: its checksum and the hints about chunks. */
function pageUpdate({ id, url, time, hints, provenance }: Change): AicfEvent {
  const { plan, unit, size, nonce } = hints ?? {};
  const { pageChecksum: checksum } = provenance;
  return { id, action: 'update', url, time, checksum, note: SECTION_DELETED, hints: { plan, unit, size, nonce } };
}
