import { groupBy } from '../codecs/primitives/group-by.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import { encodeTermsNote } from '../model/terms-note.ts';
import { decodeUses, type RememberedTerms, type Uses } from '../model/uses.ts';
import type { SiteChange } from './site-source.ts';

interface Turn {
  readonly url: string;
  readonly before: Uses;
  readonly after: Uses;
  /** The page and its response are unchanged: the statement of the site changed. */
  readonly isBySite: boolean;
}

/** If this many pages of a site change in the same way for the same reason, that is reported once. */
const SHARED_PAGES = 5;
const SHARED_SHARE = 0.5;

/**
 * Compares what is said about the use of pages with what was said at the last reading.
 *
 * The first statement about a page is not news, nor is a file that could not be read. A change that the pages of a site share is reported once.
 */
export class TermsNews {
  readonly #turns = new Map<string, Turn>();

  /** What to store about a page that was read now. */
  settle(url: string, known: RememberedTerms | undefined, said: RememberedTerms): RememberedTerms {
    if (known === undefined) return said;
    if (said.isPart && !known.isPart) return known;
    const isMore = known.isPart === true && said.isPart !== true;
    if (known.uses !== said.uses && !isMore) {
      const isBySite = known.own === said.own && known.tdm === said.tdm && known.rsl?.join() === said.rsl?.join();
      this.#turns.set(url, { url, before: decodeUses(known.uses), after: decodeUses(said.uses), isBySite });
    }
    return said;
  }

  forget(url: string): void {
    this.#turns.delete(url);
  }

  /** `changes` with those of the terms. `start` is the page that represents its site, if it is a page. */
  told(changes: readonly SiteChange[], { records, start }: ToldPages): readonly SiteChange[] {
    if (this.#turns.size === 0) return changes;
    const news = [...this.#shared(records)].flatMap((turns) => newsOf(turns, { records, start }));
    const wholes = new Map(changes.flatMap((change) => (isWholeUpdate(change) ? [[change.url, change] as const] : [])));
    const merged = new Map(
      news.flatMap((one) => {
        const whole = wholes.get(one.url);
        return whole === undefined ? [] : [[whole, { ...whole, ...both(one, whole) }] as const];
      }),
    );
    return [...changes.map((change) => merged.get(change) ?? change), ...news.filter(({ url }) => !wholes.has(url))];
  }

  /** Groups of changes that are reported as one. */
  *#shared(records: ReadonlyMap<string, PageRecord>): Generator<readonly Turn[]> {
    const pagesOf = groupBy([...records.keys()], (url) => new URL(url).origin);
    const groups = groupBy(this.#turns.values(), (turn) => `${new URL(turn.url).origin} ${noteOf(turn, false)}`);
    for (const turns of groups.values()) {
      const [first] = turns;
      const pages = first === undefined ? 0 : (pagesOf.get(new URL(first.url).origin)?.length ?? 0);
      const isOfMost = turns.length > pages * SHARED_SHARE || turns.every(({ isBySite }) => isBySite);
      const isOfAll = turns.length > 1 && turns.length >= pages;
      if (isOfAll || (turns.length >= SHARED_PAGES && isOfMost)) yield turns;
      else for (const turn of turns) yield [turn];
    }
  }
}

export interface ToldPages {
  readonly records: ReadonlyMap<string, PageRecord>;
  readonly start: string;
}

/** What a change says about the use of its page; empty if nothing is refused or granted. */
export function usesFact(terms: RememberedTerms | undefined): { readonly uses?: Uses } {
  return terms === undefined || terms.uses === '' ? {} : { uses: decodeUses(terms.uses) };
}

/** The change of the page that represents all of them. */
function newsOf(turns: readonly Turn[], { records, start }: ToldPages): readonly SiteChange[] {
  const turn = turns.find(({ url }) => url === start) ?? shortest(turns);
  const record = records.get(turn?.url ?? '');
  if (turn === undefined || record === undefined) return [];
  const { url, title, checksum } = decodePageRecord(record);
  const note = noteOf(turn, turns.length > 1);
  const uses = Object.keys(turn.after).length === 0 ? {} : { uses: turn.after };
  return [{ action: 'update', url, checksum, title, note, pageChecksum: checksum, ...uses }];
}

function noteOf({ before, after }: Turn, isOfSite: boolean): string {
  return encodeTermsNote({ isOfSite, before, after });
}

/** Of several equally short URLs, the first by name: the result does not depend on the reading order. */
function shortest(turns: readonly Turn[]): Turn | undefined {
  return turns.toSorted(({ url: a }, { url: b }) => a.length - b.length || (a < b ? -1 : 1))[0];
}

function isWholeUpdate({ action, anchor }: SiteChange): boolean {
  return action === 'update' && anchor === undefined;
}

/** Merges two changes of a page into one: the note about its terms comes first. */
function both({ note: terms = '', uses }: SiteChange, { note }: SiteChange): Pick<SiteChange, 'note' | 'uses'> {
  return { note: note === undefined ? terms : `${terms}; ${note}`, ...(uses !== undefined && { uses }) };
}
