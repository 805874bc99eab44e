import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { FeedChange } from './feed-change.ts';

/** The draft for the log of a follower, made from a change that it read in a feed. */
export function draftOf(change: FeedChange, source: string): ChangeDraft {
  const { action, kind, url, anchor, anchorIs, time, checksum, note, hints } = change;
  return {
    source,
    ...(kind !== undefined && { kind }),
    action,
    url: boundaryOf({ url }),
    ...(anchor !== undefined && { anchor }),
    ...(anchorIs !== undefined && { anchorIs }),
    ...(time !== undefined && { claimedTime: time }),
    ...(checksum !== undefined && action !== 'delete' && { checksum }),
    ...(note !== undefined && { note }),
    ...(hints !== undefined && { hints }),
    ...wordsOf(change),
    provenance: change.provenance,
  };
}

/** DD-I6: a harmless change gets no risk score. */
function wordsOf({ title, summary, excerpt, risk, uses, action }: FeedChange): Partial<ChangeDraft> {
  return {
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(excerpt !== undefined && action !== 'delete' && { excerpt }),
    ...(risk !== undefined && risk.score > 0 && { risk: risk.score }),
    ...(risk !== undefined && risk.reasons.length > 0 && { riskReasons: risk.reasons }),
    ...(uses !== undefined && action !== 'delete' && { uses }),
  };
}
