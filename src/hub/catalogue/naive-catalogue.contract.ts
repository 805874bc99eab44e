import { matchesGlob, pathOf, readPathGlob } from '../../extract/rules/path-glob.ts';
import type { Change } from '../../model/change.ts';
import { type Catalogue, type ChangeSearch, type DayRange, MOST_LISTED, type TimelineQuery } from './catalogue.ts';
import { dayOf, dayText, sectionsOfChange } from './catalogue-entry.ts';
import { changeWords, wordsOf } from './change-words.ts';

/** The answers of a catalogue by looking at every change of the log, oldest first: what an index must say, too. */
export function naiveCatalogue(log: readonly Change[]): Omit<Catalogue, 'standing'> {
  const newest = log.toReversed();
  const tally = (changes: readonly Change[]) => ({
    creates: changes.filter(({ action }) => action === 'create').length,
    updates: changes.filter(({ action }) => action === 'update').length,
    deletes: changes.filter(({ action }) => action === 'delete').length,
  });
  const within = ({ from, to }: DayRange) =>
    log.filter(({ time }) => time.slice(0, 10) >= from && time.slice(0, 10) <= to);
  const paged = (
    changes: readonly Change[],
    { before = Number.POSITIVE_INFINITY, limit = 50 }: { before?: number | undefined; limit?: number | undefined },
  ) => {
    const found = changes.filter(({ seq }) => seq < before);
    const shown = found.slice(0, limit);
    const last = shown.at(-1)?.seq;
    return { shown, ...(found.length > limit && last !== undefined && { older: last }) };
  };
  const lastOf = ({ seq, id, time, action }: Change) => ({ seq, id, time, action });
  return {
    async tallies(range, source) {
      const days = [];
      for (let day = dayOf(Date.parse(range.from)); dayText(day) <= range.to; day += 1) {
        const changes = within({ from: dayText(day), to: dayText(day) });
        days.push({
          day: dayText(day),
          ...tally(changes.filter((one) => source === undefined || one.source === source)),
        });
      }
      return days;
    },
    async busiestSources(range, limit) {
      const bySource = grouped(within(range), ({ source }) => source);
      return [...bySource]
        .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([source, changes]) => ({ source, ...tally(changes) }));
    },
    async timeline(query) {
      const { shown, ...rest } = paged(
        newest.filter((change) => isOf(change, query)),
        query,
      );
      return { changes: shown, ...rest };
    },
    async pages({ source, words, ...paging }) {
      const byUrl = grouped(
        newest.filter((change) => change.source === source),
        ({ url }) => url,
      );
      const lasts = [...byUrl.values()].flatMap(([last]) => last ?? []);
      const { shown, ...rest } = paged(
        lasts.filter((change) => hasWords(change, words)),
        paging,
      );
      const pages = shown.map((last) => ({
        url: last.url,
        ...(last.title !== undefined && { title: last.title }),
        changes: byUrl.get(last.url)?.length ?? 0,
        last: lastOf(last),
      }));
      return { pages, ...rest };
    },
    async sections(source, url) {
      const found = new Map<string, Change>();
      for (const change of newest.filter((one) => one.source === source && one.url === url)) {
        for (const anchor of sectionsOfChange(change)) if (!found.has(anchor)) found.set(anchor, change);
      }
      return [...found].slice(0, MOST_LISTED).map(([anchor, change]) => ({
        anchor,
        ...(change.anchor !== undefined && change.heading !== undefined && { heading: change.heading }),
        last: lastOf(change),
      }));
    },
    async find(search) {
      const { shown, ...rest } = paged(
        newest.filter((change) => fits(change, search)),
        search,
      );
      return { changes: shown, ...rest };
    },
  };
}

function isOf(change: Change, { source, url, anchor }: TimelineQuery): boolean {
  if (change.url !== url || (source !== undefined && change.source !== source)) return false;
  return anchor === undefined || sectionsOfChange(change).includes(anchor);
}

function fits(change: Change, { words, source, action, kind, path, fromMs, toMs }: ChangeSearch): boolean {
  const timeMs = Date.parse(change.time);
  if (source !== undefined && change.source !== source) return false;
  if (action !== undefined && change.action !== action) return false;
  if (kind !== undefined && change.kind !== kind) return false;
  if (fromMs !== undefined && timeMs < fromMs) return false;
  if (toMs !== undefined && timeMs >= toMs) return false;
  return isBelow(change.url, path) && hasWords(change, words);
}

function isBelow(url: string, glob: string | undefined): boolean {
  if (glob === undefined) return true;
  const [read, path] = [readPathGlob(glob), pathOf(url)];
  return read.ok && path !== undefined && matchesGlob(read.value, path);
}

function hasWords(change: Change, words = ''): boolean {
  const wanted = wordsOf(words);
  if (wanted.length === 0) return words.trim() === '';
  const has = changeWords(change);
  return wanted.every((word) => has.some((one) => one.startsWith(word)));
}

function grouped(changes: readonly Change[], nameOf: (change: Change) => string): Map<string, Change[]> {
  const groups = new Map<string, Change[]>();
  for (const change of changes) groups.set(nameOf(change), [...(groups.get(nameOf(change)) ?? []), change]);
  return groups;
}
