import type { PageState, VisitCommit } from '../../hub/store/hub-store.ts';
import { visitParts } from '../../hub/store/visit-parts.ts';
import type { VisitedPages } from '../sqlite/hub-commits.ts';
import type { WriteBody } from './write-body.ts';

/** A page without its line, which is a blob: in the order of the pages, before the texts. */
type WrittenPage = Omit<PageState, 'record'> & Pick<PageState['record'], 'url' | 'file' | 'extractor'>;

interface WrittenVisit {
  readonly source: string;
  readonly pages?: Omit<NonNullable<VisitCommit['pages']>, 'put'> & { readonly put: readonly WrittenPage[] };
  /** The names of the texts. */
  readonly texts: readonly string[];
  /** More of the same run follows. */
  readonly hasMore?: true;
}

/** How many changes and pages go into one write, so that nobody waits long. */
const WRITTEN_AT_ONCE = 200;
/** How many characters of texts go into one write: a writer blocks all others of the journal. */
const TEXT_CHARACTERS_AT_ONCE = 2 ** 22;

/**
 * Splits a visit into steps: each step is applied completely or not at all, and its parts are one run. All changes are one step. Texts come before what refers
 * to them, or with it if they are few; pages without changes come last, so that a process that is cut off has reported everything that is remembered.
 */
export function visitSteps(visit: VisitCommit): readonly (readonly VisitCommit[])[] {
  const { source } = visit;
  const texts = textSteps(visit.snapshots ?? new Map());
  const areMany = texts.length > 1;
  const ahead = areMany ? texts.map((snapshots) => [{ source, drafts: [], snapshots }]) : [];
  const parts = partsWithTexts(areMany ? { ...visit, snapshots: new Map() } : visit);
  const told = parts.filter(({ drafts }) => drafts.length > 0);
  const quiet = parts.filter(({ drafts }) => drafts.length === 0).map((part) => [part]);
  return [...ahead, ...(told.length > 0 ? [told] : []), ...quiet];
}

function textSteps(texts: ReadonlyMap<string, string>): readonly ReadonlyMap<string, string>[] {
  const steps: Map<string, string>[] = [];
  let left = 0;
  for (const [name, text] of texts) {
    if (left <= 0) {
      steps.push(new Map());
      left = TEXT_CHARACTERS_AT_ONCE;
    }
    steps.at(-1)?.set(name, text);
    left -= text.length;
  }
  return steps;
}

/** Each with the texts that it names first. */
function partsWithTexts(visit: VisitCommit): readonly VisitCommit[] {
  const { snapshots = new Map<string, string>(), ...rest } = visit;
  const left = new Map(snapshots);
  const parts = visitParts(rest, WRITTEN_AT_ONCE).map((part) => {
    const taken = new Map<string, string>();
    for (const name of namesIn(part)) {
      const text = left.get(name);
      if (text === undefined) continue;
      taken.set(name, text);
      left.delete(name);
    }
    return { ...part, snapshots: taken };
  });
  for (const [name, text] of left) parts[0]?.snapshots.set(name, text);
  return parts;
}

function namesIn({ drafts, pages }: VisitCommit): string[] {
  const said = drafts.flatMap(({ provenance: { before, after } = {} }) => [before, after]);
  const names = [...said, ...(pages?.put ?? []).map(({ snapshot }) => snapshot)];
  return names.filter((name) => typeof name === 'string');
}

export function visitBody({ source, pages, snapshots = new Map() }: VisitCommit, hasMore: boolean): WriteBody {
  const lines = (pages?.put ?? []).map(({ record: { url, line } }) => {
    if (line instanceof Uint8Array) return line;
    throw new Error(`The record of ${url} has no line.`);
  });
  const put = (pages?.put ?? []).map(({ record: { url, file, extractor }, ...rest }) => ({
    url,
    file,
    extractor,
    ...rest,
  }));
  const value: WrittenVisit = {
    source,
    ...(pages !== undefined && { pages: { ...pages, put } }),
    texts: [...snapshots.keys()],
    ...(hasMore && { hasMore }),
  };
  return { value, blobs: [...lines, ...[...snapshots.values()].map((text) => Buffer.from(text, 'utf8'))] };
}

export function decodeVisit({ value, blobs }: Required<WriteBody>): {
  readonly visited: VisitedPages;
  readonly hasMore: boolean;
} {
  const { source, pages, texts, hasMore = false } = value as WrittenVisit;
  const put = (pages?.put ?? []).map(({ url, file, extractor, ...rest }, at) => ({
    ...rest,
    record: { url, file, extractor, line: blobs[at] ?? new Uint8Array() },
  }));
  const snapshots = new Map(
    texts.map((name, at) => [name, Buffer.from(blobs[put.length + at] ?? []).toString('utf8')]),
  );
  return { visited: { source, ...(pages !== undefined && { pages: { ...pages, put } }), snapshots }, hasMore };
}
