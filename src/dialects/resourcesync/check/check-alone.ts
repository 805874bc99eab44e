import { CAPABILITIES, type Capability } from '../../../codecs/resourcesync/wire.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { openAudit } from './audit.ts';
import type { Bench, ResourceSyncCheckParts } from './bench.ts';
import { openFaultBook } from './fault-book.ts';
import type { GatheredResourceSync } from './gather-resourcesync.ts';
import { type Library, openLibrary } from './library.ts';
import { readRawDocument } from './raw-document.ts';
import { readList } from './read-list.ts';
import { reasonsOf } from './reasons.ts';
import { saidSite } from './said-site.ts';
import { walkAlone, wantedOf } from './walk.ts';

/** Nothing is behind the document: whatever it leads to is not asked for. */
const NOTHING: Pick<Library, 'ask' | 'isLive' | 'base'> = {
  isLive: false,
  base: undefined,
  ask: async (where) => ({ kind: 'unread', where }),
};

const ALONE =
  'This document alone was looked at, and nothing that it leads to. Give the address or the folder of the site for the rest.';

/**
 * One document by itself: what it says of itself, and not whether that is so.
 *
 * Throws when it is none of ResourceSync.
 */
export async function checkAlone(
  file: { readonly name: string; readonly bytes: Uint8Array },
  parts: ResourceSyncCheckParts,
): Promise<GatheredResourceSync> {
  const { name } = file;
  const read = async () =>
    ({ kind: 'answered', where: name, status: 200, headers: undefined, bytes: file.bytes }) as const;
  const answer = await openLibrary({ name, live: false, read }, parts).ask(name);
  const capability = answer.kind === 'there' ? kindOf(answer.document.bytes, name) : undefined;
  if (answer.kind !== 'there' || capability === undefined) {
    const reason = 'it is a file, and no document of ResourceSync: nothing in it says of which kind it is';
    throw new UnreadableTargetError(name, reason, 'fix-input');
  }
  const book = openFaultBook();
  const site = saidSite(answer.document.bytes);
  const bench: Bench = { ...parts, book, site };
  const url = new URL(name.split(/[\\/]/).at(-1) ?? '', site ?? 'https://example.com/').href;
  const list = readList(answer.document, url, wantedOf(capability), bench);
  const walk = { library: NOTHING, audit: openAudit(NOTHING, bench), bench, visited: new Set([url]) };
  if (list !== undefined) await walkAlone(list, capability, walk);
  book.remark(ALONE);
  const { notes, ...outcome } = book.close(reasonsOf());
  return { outcome, notes, unread: [] };
}

/** By what it says that it is, else by its name. */
function kindOf(bytes: Uint8Array, name: string): Capability | undefined {
  const { head } = readRawDocument(new TextDecoder().decode(bytes));
  const said = head?.mds[0]?.attributes.get('capability')?.toLowerCase();
  const isFile = (each: Capability) => new RegExp(`(?:^|[\\\\/])${each}\\b[^\\\\/]*$`, 'i').test(name);
  return CAPABILITIES.find((each) => each === said) ?? CAPABILITIES.toReversed().find(isFile);
}
