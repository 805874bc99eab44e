import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import { type DecodedDocument, decodeResourceSync, isChangeEntry } from '../../../codecs/resourcesync/decode.ts';
import { WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { type AuditedDocument, addressBelow, readAudited, readLinked } from '../../audited-document.ts';
import type { AuditedFeed, FeedAuditor, ToldEvent } from '../../auditor.ts';
import type { DocumentSource } from '../../document-source.ts';

/** Reads the Change Lists of all collections as one feed. An entry stands for one page in one publish. */
export const RESOURCESYNC_AUDITOR: FeedAuditor = {
  async read(place) {
    const description = await readAudited(place, addressBelow(place, WELL_KNOWN_PATH.slice(1)));
    if (description === undefined) return [];
    const lists: ChangeLists = { told: [], fromMs: Number.POSITIVE_INFINITY };
    for (const { loc } of decoded(place, description).entries) {
      const capabilities = decoded(place, await readLinked(place, loc));
      for (const { loc: list, md } of capabilities.entries) {
        if (md.capability === 'changelist') await readChangeList(place, list, lists);
      }
    }
    const feed: AuditedFeed = {
      where: description.where,
      told: lists.told,
      mustTell: ({ kind, url, timeMs }) => kind === 'page' && isLoc(url) && timeMs >= lists.fromMs,
    };
    return [feed];
  },
};

interface ChangeLists {
  readonly told: ToldEvent[];
  /** The start of the oldest list. */
  fromMs: number;
}

/** Reads one list, or an index of lists. An index has only one level. */
async function readChangeList(place: DocumentSource, address: string, lists: ChangeLists): Promise<void> {
  const document = await readLinked(place, address);
  const list = decoded(place, document);
  if (!list.isIndex) return takeList(list, document, lists);
  for (const { loc } of list.entries) {
    const part = await readLinked(place, loc);
    takeList(decoded(place, part), part, lists);
  }
}

function takeList(list: DecodedDocument, { where }: AuditedDocument, lists: ChangeLists): void {
  lists.fromMs = Math.min(lists.fromMs, list.md.from?.startMs ?? Number.POSITIVE_INFINITY);
  for (const entry of list.entries) {
    if (isChangeEntry(entry)) lists.told.push({ url: entry.loc, timeMs: entry.md.datetime.startMs, where });
  }
}

function decoded(place: DocumentSource, { text, where }: AuditedDocument): DecodedDocument {
  const document = decodeResourceSync(text);
  if (document.ok) return document.value;
  const reason = `${where} is no document of ResourceSync: ${document.issues[0].message}`;
  throw new UnreadableTargetError(place.name, reason, 'retry-later');
}
