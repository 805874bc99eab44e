import { CAPABILITIES, type Capability } from '../../../codecs/resourcesync/wire.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import type { Checked, CheckedFile, CheckParts } from '../../checker.ts';
import { openClaimCheck } from './claim-check.ts';
import type { ListContext } from './list-context.ts';
import { wantedOf } from './list-kind.ts';
import { openListLedger } from './list-ledger.ts';
import { readRawDocument } from './raw-document.ts';
import { readList } from './read-list.ts';
import { saidSite } from './said-site.ts';
import { SiteDocuments } from './site-documents.ts';
import { walkAlone } from './walk.ts';

/** Stands in for a site that has no other documents: what the document leads to is not requested. */
const NOTHING: Pick<SiteDocuments, 'ask' | 'isLive' | 'base'> = {
  isLive: false,
  base: undefined,
  ask: async (where) => ({ kind: 'unread', where }),
};

const ALONE =
  'This document alone was looked at, and nothing that it leads to. Give the address or the folder of the site for the rest.';

/**
 * Checks a single document: what it says about itself, but not whether that is true.
 *
 * Throws if it is not a ResourceSync document.
 */
export async function checkAlone(file: CheckedFile, parts: CheckParts): Promise<Checked> {
  const { name } = file;
  const read = async () =>
    ({ kind: 'answered', where: name, status: 200, headers: undefined, bytes: file.bytes }) as const;
  const answer = await new SiteDocuments({ name, live: false, read }, parts).ask(name);
  const capability = answer.kind === 'there' ? kindOf({ bytes: answer.document.bytes, name }) : undefined;
  if (answer.kind !== 'there' || capability === undefined) {
    const reason = 'it is a file, and no document of ResourceSync: nothing in it says of which kind it is';
    throw new UnreadableTargetError(name, reason, 'fix-input');
  }
  const ledger = openListLedger();
  const site = saidSite(answer.document.bytes);
  const context: ListContext = { ...parts, nowMs: parts.now(), ledger, site };
  const url = new URL(name.split(/[\\/]/).at(-1) ?? '', site ?? 'https://example.com/').href;
  const list = readList(answer.document, url, wantedOf(capability), context);
  const walk = { documents: NOTHING, claims: openClaimCheck(NOTHING, context), context, visited: new Set([url]) };
  if (list !== undefined) await walkAlone(list, capability, walk);
  ledger.remark(ALONE);
  return ledger.close();
}

/** By the capability in the document, else by the file name. */
export function kindOf({ bytes, name }: CheckedFile): Capability | undefined {
  const { head } = readRawDocument(new TextDecoder().decode(bytes));
  const said = head?.mds[0]?.attributes.get('capability')?.toLowerCase();
  const isFile = (each: Capability) => new RegExp(`(?:^|[\\\\/])${each}\\b[^\\\\/]*$`, 'i').test(name);
  return CAPABILITIES.find((each) => each === said) ?? CAPABILITIES.toReversed().find(isFile);
}
