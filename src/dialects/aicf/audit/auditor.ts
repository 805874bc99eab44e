import { sectionName } from '../../../codecs/aicf/boundary.ts';
import { decodeAicfDiscovery, decodeEvents } from '../../../codecs/aicf/decode.ts';
import { encodeEvent } from '../../../codecs/aicf/encode.ts';
import { AICF_DISCOVERY_PATH, type AicfEvent } from '../../../codecs/aicf/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { withoutFragment } from '../../../codecs/primitives/without-fragment.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { addressBelow, readAudited, readLinked } from '../../audited-document.ts';
import type { AuditedFeed, FeedAuditor, LoggedChange, ToldEvent } from '../../auditor.ts';
import type { DocumentSource } from '../../document-source.ts';
import { SECTION_DELETED } from '../events/aicf-line.ts';

/** The feed of all changes and those of sources: a separate discovery document says where each is. */
export const AICF_AUDITOR: FeedAuditor = {
  async read(place, { sources }) {
    const path = AICF_DISCOVERY_PATH.slice(1);
    const whole = await readFeed(place, path);
    if (whole === undefined) return [];
    const feeds: AuditedFeed[] = [whole];
    for (const id of sources) {
      const feed = await readFeed(place, `aicf/${id}/${path}`, id);
      if (feed !== undefined) feeds.push(feed);
    }
    return feeds;
  },
};

/** A later file of a feed that does not name its earlier ones: the log of the hub was truncated. */
const LATER_FILE = /-\d+\.ndjson$/;

async function readFeed(place: DocumentSource, path: string, id?: string): Promise<AuditedFeed | undefined> {
  const document = await readAudited(place, addressBelow(place, path));
  if (document === undefined) return undefined;
  const discovery = decodeAicfDiscovery(document.text);
  if (!discovery.ok) {
    const reason = `${document.where} is no discovery document of AICF: ${discovery.issues[0].message}`;
    throw new UnreadableTargetError(place.name, reason, 'retry-later');
  }
  const { self, archives = [] } = discovery.value;
  const told: ToldEvent[] = [];
  for (const url of [...archives, self]) {
    const { where, text } = await readLinked(place, url);
    for (const event of decodeEvents(text).events) told.push(toldBy(event, where));
  }
  const isWhole = !LATER_FILE.test(archives[0] ?? self);
  const firstId = isWhole ? '' : told.reduce((first, { id: each = '' }) => (each < first ? each : first), '\uffff');
  return {
    where: self,
    told,
    mustTell: (change) => change.id >= firstId && (id === undefined || change.source === id) && hasWords(change),
  };
}

/** A removed section is reported as an update of its page. */
function toldBy(event: AicfEvent, where: string): ToldEvent {
  const { id, action, time, checksum } = event;
  const timeMs = parseTime(time);
  const told = { id, url: withoutFragment(event.url), where, ...(timeMs !== undefined && { timeMs }) };
  const anchor = sectionName(event.anchor) ?? null;
  if (action === 'update' && event.note === SECTION_DELETED && anchor === null) return { ...told, action: 'delete' };
  return { ...told, action, anchor, ...(checksum !== undefined && { checksum }) };
}

function hasWords({ id, action, url, time }: LoggedChange): boolean {
  try {
    encodeEvent({ id, action, url, time });
    return true;
  } catch {
    return false;
  }
}
