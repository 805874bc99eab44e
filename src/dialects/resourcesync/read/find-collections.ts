import { oneLine } from '../../../codecs/primitives/one-line.ts';
import { shorten } from '../../../codecs/primitives/shorten.ts';
import { isHttpUrl } from '../../../codecs/resourcesync/absolute-url.ts';
import { hrefOf } from '../../../codecs/resourcesync/wire.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';
import { isOnSite } from '../../../fetch/same-site.ts';
import { collectionKey } from './change-key.ts';
import type { Fault } from './harvested.ts';
import type { ListedCollection } from './list-collections.ts';
import { hasLost, lostError } from './lost-entry.ts';
import { Notes } from './notes.ts';
import { type DocumentPorts, openDocument } from './open-document.ts';
import { type Fail, orFail } from './or-fail.ts';

/** What the Capability Lists of one collection say. Nearly always there is only one. */
export interface FoundCollection {
  /** The URL that it describes, normalized, because it is shown to people and used in ids. */
  readonly describes: string;
  readonly capabilityList: string;
  readonly changeLists: string[];
  readonly describedBy?: string;
  readonly siteDescribedBy?: string;
  readonly notes: Notes;
  readonly faults: Fault[];
}

const MAX_CHANGE_LISTS = 100;
const MAX_DESCRIBES = 4096;

/** Reads each Capability List. Lists that describe the same URL form one collection, named after the first of them. */
export async function findCollections(
  listed: readonly ListedCollection[],
  ports: DocumentPorts,
  fail: Fail,
): Promise<FoundCollection[]> {
  const found = new Map<string, FoundCollection>();
  for (const collection of listed) {
    const { capabilityList: url, describes } = collection;
    await orFail(fail, { url, ...(describes !== undefined && { describes: collectionKey(describes) }) }, async () => {
      const read = await readCapabilityList(collection, ports);
      const key = collectionKey(read.describes);
      const same = found.get(key);
      if (same === undefined) found.set(key, read);
      else {
        same.changeLists.push(...read.changeLists.filter((list) => !same.changeLists.includes(list)));
        same.notes.add(url, `It describes ${read.describes}, as ${same.capabilityList} does; they share one feed.`);
        same.faults.push(...read.faults);
      }
    });
  }
  return [...found.values()];
}

async function readCapabilityList(listed: ListedCollection, ports: DocumentPorts): Promise<FoundCollection> {
  const { capabilityList: url } = listed;
  const opened = await openDocument(url, { capability: 'capabilitylist', isIndex: false }, ports);
  if (opened.is !== 'open') throw new Error('Nothing was known of this document.');
  const notes = new Notes();
  const changeLists = new Set<string>();
  let changeListCount = 0;
  let describes: string | undefined;
  let { describedBy } = listed;
  for await (const part of opened.parts) {
    if (part.kind === 'document') {
      describes = hrefOf(part.document, 'describes');
      describedBy = hrefOf(part.document, 'describedby') ?? describedBy;
    } else if (part.kind === 'problem') {
      if (hasLost(part.problem, 'changelist')) throw lostError(url, part.problem);
      if (part.problem.clause !== 'RS-C8') notes.addProblem(url, part.problem);
    } else if (part.entry.md.capability === 'changelist' && !changeLists.has(part.entry.loc)) {
      changeListCount += 1;
      if (changeLists.size < MAX_CHANGE_LISTS) changeLists.add(part.entry.loc);
    }
  }
  if (describes === undefined || describes.length > MAX_DESCRIBES) {
    throw new HarvestError(url, 'RS-G7', 'It does not say which collection it describes, or at excessive length.');
  }
  if (!isHttpUrl(describes)) {
    throw new HarvestError(url, 'RS-G7', `It describes "${shorten(describes)}", which is not an http(s) URL.`);
  }
  if (!isOnSite(describes, ports.sites)) {
    notes.add(url, `${describes} is on another site: it names the collection, but nobody is led there.`);
  }
  if (listed.describes === undefined) notes.add(url, 'RS-S5: The Source Description does not say what it describes.');
  else if (collectionKey(listed.describes) !== collectionKey(describes)) {
    notes.add(url, `RS-S6: It describes ${describes}, but the Source Description says ${listed.describes}.`);
  }
  if (changeLists.size === 0) notes.add(url, 'RS-G9: It names no Change List, so that no changes can be told.');
  return {
    describes: collectionKey(describes),
    capabilityList: url,
    changeLists: [...changeLists],
    ...(describedBy !== undefined && { describedBy }),
    ...(listed.siteDescribedBy !== undefined && { siteDescribedBy: listed.siteDescribedBy }),
    notes,
    faults: changeListCount > 1 ? [severalLists(url, changeListCount)] : [],
  };
}

function severalLists(url: string, count: number): Fault {
  const read = count > MAX_CHANGE_LISTS ? `Only the first ${MAX_CHANGE_LISTS} were read.` : 'All of them were read.';
  const message = oneLine(`${url}: It names ${count} Change Lists, where it must name exactly one. ${read}`);
  return { url: oneLine(url), code: 'RS-C8', message };
}
