import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { percentDecoded } from '../../codecs/primitives/percent-decoded.ts';
import { withoutFragment } from '../../codecs/primitives/without-fragment.ts';
import type { Change } from '../../model/change.ts';

/** What is asked about: a change by its id, here or at its origin, or the last change of a page or section. */
export interface WantedChange {
  /** Whether the change is one of those. */
  fits(change: NamedChange): boolean;
  /** Whether it is, at least, one of the page that has the section. */
  concerns(change: NamedChange): boolean;
}

/** The fields that identify a change. */
type NamedChange = Pick<Change, 'id' | 'url' | 'anchor' | 'provenance'>;

export function wantedChange(target: string): WantedChange {
  if (!canParseUrl(target) || !/^https?:/i.test(target)) {
    const fits = ({ id, provenance }: NamedChange) => id === target || provenance.originId === target;
    return { fits, concerns: fits };
  }
  const pages = new Set([withoutFragment(target), withoutFragment(new URL(target).href)]);
  const concerns = ({ url }: NamedChange) => pages.has(url);
  const [, fragment = ''] = target.split('#', 2);
  if (fragment === '') return { fits: concerns, concerns };
  const anchors = new Set([fragment, percentDecoded(fragment)]);
  const boundary = new URL(target).href;
  const fits = (change: NamedChange) =>
    concerns(change) && change.anchor !== undefined && (anchors.has(change.anchor) || boundaryOf(change) === boundary);
  return { fits, concerns: (change) => concerns(change) && change.anchor === undefined };
}

/**
 * The newest matching change, with those learned of the same page at the same moment; if there is none, the newest related one. `changes` come oldest first.
 */
export async function newestOf(
  changes: AsyncIterable<Change> | Iterable<Change>,
  wanted: WantedChange,
): Promise<Change[]> {
  let fitting: Change[] = [];
  let concerning: Change[] = [];
  for await (const change of changes) {
    if (wanted.fits(change)) fitting = withThis(fitting, change);
    else if (wanted.concerns(change)) concerning = withThis(concerning, change);
  }
  return fitting.length > 0 ? fitting : concerning;
}

function withThis(earlier: Change[], change: Change): Change[] {
  const [first] = earlier;
  if (first === undefined || !isSameMoment(first, change)) return [change];
  earlier.push(change);
  return earlier;
}

/** Whether both were found by one look at one page. */
export function isSameMoment(one: Change, other: Change): boolean {
  const isSamePage = one.source === other.source && one.url === other.url;
  return isSamePage && one.time === other.time && one.provenance.after === other.provenance.after;
}
