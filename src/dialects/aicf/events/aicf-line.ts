import { sectionName } from '../../../codecs/aicf/boundary.ts';
import { encodeEvent } from '../../../codecs/aicf/encode.ts';
import type { AicfEvent } from '../../../codecs/aicf/wire.ts';
import type { Change } from '../../../model/change.ts';

/** The note for a page that lost a section. */
export const SECTION_DELETED = 'section-deleted';

/**
 * The line of a change in every AICF feed, of a site or a hub, with its LF; undefined if AICF cannot express the change.
 *
 * A pure function of the change that must never change: feeds are derived again from the log, and past lines must stay the same (AICF-P1). A removed
 * section becomes an update of its page (T-AICF-2). A change without a web URL or a time has no line: it stays in the log and does not block later
 * ones.
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

/** Without what belongs to the section: its checksum and the hints about chunks. */
function pageUpdate({ id, url, time, hints, provenance }: Change): AicfEvent {
  const { plan, unit, size, nonce } = hints ?? {};
  const { pageChecksum: checksum } = provenance;
  return { id, action: 'update', url, time, checksum, note: SECTION_DELETED, hints: { plan, unit, size, nonce } };
}
