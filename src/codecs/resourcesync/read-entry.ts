import { shorten } from '../primitives/shorten.ts';
import { isHttpUrl } from './absolute-url.ts';
import type { PiecesAttributes } from './element-scope.ts';
import { type DocumentProblem, ENTRY } from './issue.ts';
import { copyOfText, type Report, readLinkAttributes, readMetadata } from './read-attributes.ts';
import { parseTimeSpan, type TimeSpan } from './time-span.ts';
import { type Head, hrefOf, type Link, type ResourceEntry } from './wire.ts';

/** An entry with its line. */
export interface ReadEntry extends ResourceEntry<TimeSpan> {
  /** From 1. */
  readonly line: number;
}

/** The raw content of a `url` or `sitemap`. */
export interface EntryParts {
  readonly line: number;
  loc: string | undefined;
  lastmod: string | undefined;
  /** It has a second address, so it is unclear which one is meant. */
  hasTwoLocs: boolean;
  readonly mds: PiecesAttributes[];
  readonly lns: PiecesAttributes[];
}

/** Twice what the sitemap protocol allows; longer ones are made to fill memory. */
const MAX_LOC_LENGTH = 4096;
const NO_ATTRIBUTES: PiecesAttributes = [];

type Flaw = readonly [clause: string, message: string];

/** Undefined for a skipped entry. All faults are reported. */
export function readEntry(
  raw: EntryParts,
  head: Head<TimeSpan>,
  tell: (problem: DocumentProblem) => void,
): ReadEntry | undefined {
  const { line } = raw;
  const report: Report = (clause, message) => tell({ clause, message, line, effect: 'kept' });
  const skip = ([clause, message]: Flaw): undefined => {
    const capability = raw.mds[0]?.find(({ name }) => name === 'capability')?.value.trim();
    const about = capability === undefined ? {} : { capability: copyOfText(capability) };
    tell({ clause, message, line, effect: 'skipped', ...about });
  };

  const loc = raw.loc?.trim() ?? '';
  if (raw.hasTwoLocs) return skip(['RS-L9', 'It has two addresses.']);
  const flaw = flawOfLoc(loc);
  if (flaw !== undefined) return skip(['RS-L9', flaw]);
  if (raw.mds.length > 1) report(ENTRY, 'It has more than one rs:md; the first counts.');

  const links: Link<TimeSpan>[] = [];
  for (const attributes of raw.lns) {
    const link = readLinkAttributes(attributes, report);
    if (link !== undefined) links.push(link);
  }
  const attributes = raw.mds[0] ?? NO_ATTRIBUTES;
  const md = readMetadata(attributes, report);
  const lastmod = readLastmod(raw.lastmod, report);
  const entry: ReadEntry =
    lastmod === undefined
      ? { loc: copyOfText(loc), md, links, line }
      : { loc: copyOfText(loc), lastmod, md, links, line };

  const unusable = head.isIndex ? undefined : flawOfKind(entry, head, attributes);
  if (unusable !== undefined) return skip(unusable);
  if (head.capability === 'description' && !head.isIndex && hrefOf(entry, 'describes') === undefined) {
    report('RS-S5', `${shorten(loc)} does not say which collection it describes.`);
  }
  return entry;
}

function flawOfLoc(loc: string): string | undefined {
  if (loc === '') return 'It has no address.';
  if (loc.length > MAX_LOC_LENGTH) return `Its address is over ${MAX_LOC_LENGTH} characters.`;
  if (!isHttpUrl(loc)) return `"${shorten(loc)}" is not an absolute http(s) URL.`;
  if (!loc.includes('@')) return undefined;
  const { username, password } = new URL(loc);
  return username === '' && password === '' ? undefined : 'Its address carries a password.';
}

function readLastmod(written: string | undefined, report: Report): TimeSpan | undefined {
  const text = written?.trim();
  if (text === undefined || text === '') return undefined;
  const span = parseTimeSpan(copyOfText(text));
  if (span === undefined) report(ENTRY, `The lastmod "${shorten(text)}" is no time; it is left out.`);
  return span;
}

/** Why a document of this kind cannot have this entry. */
function flawOfKind(entry: ReadEntry, { capability }: Head<TimeSpan>, attributes: PiecesAttributes): Flaw | undefined {
  const { loc, md } = entry;
  const about = shorten(loc);
  if (capability === 'description') {
    if (md.capability !== 'capabilitylist') return ['RS-S4', `${about} is not said to be a Capability List.`];
  } else if (capability === 'capabilitylist') {
    if (md.capability === undefined) return [ENTRY, `${about} does not say which capability it is.`];
  } else if (capability === 'changelist' || capability === 'changedump-manifest') {
    if (md.change === undefined) {
      const written = attributes.find(({ name }) => name === 'change')?.value;
      const said = written === undefined ? 'does not say what changed' : `says "${shorten(written)}" of a change`;
      return ['RS-L7', `${about} ${said}: it must be created, updated or deleted.`];
    }
    // A `lastmod` cannot replace it: nobody could tell whether the change was already seen.
    if (capability === 'changelist' && md.datetime === undefined) {
      return ['RS-G12', `${about} does not say when it changed.`];
    }
  }
  const isPacked = capability === 'resourcedump-manifest' || capability === 'changedump-manifest';
  if (isPacked && md.path === undefined && md.change !== 'deleted') {
    return [ENTRY, `${about} does not say where it is in the package.`];
  }
  return undefined;
}
