import type { BeginLogEntry, ChangeLogEntry } from '../../../codecs/tlog/entry.ts';
import { changeDifference } from '../fsck/fsck-changes.ts';
import type { FsckFinding } from '../fsck/fsck-finding.ts';
import { earlierChanges } from './earlier-changes.ts';
import { type FsckEntry, type FsckStoreParts, fsckTable } from './fsck-parts.ts';
import { unpackSalts } from './packed-salts.ts';
import type { TlogRecord } from './tlog-store.ts';

export interface PlacesParts {
  readonly record: TlogRecord;
  readonly parts: FsckStoreParts;
  /** `id field` of every text that the log says was redacted. */
  readonly redacted: ReadonlySet<string>;
  /** The last change in the entries before these. */
  readonly after: number;
}

/** How far the entries have come, or a finding. */
export type PlacesStep = { readonly finding: FsckFinding } | { readonly last: { readonly seq: number } };

/** Compares the changes of the hub, and their salts, with the entries of one bundle. */
export async function* fsckPlaces(
  entries: readonly FsckEntry[],
  { record, parts, redacted, after }: PlacesParts,
): AsyncGenerator<PlacesStep, void, undefined> {
  let seq = after;
  for (const { entry, index } of entries) {
    if ((entry.type === 'begin') !== (index === 0))
      yield { finding: { what: 'A log begins with its first entry.', where: `entry ${index} of log ${record.log}` } };
    if (entry.type !== 'begin') continue;
    if (entry.origin !== record.origin)
      yield { finding: { what: `It began as ${entry.origin}, not as ${record.origin}.`, where: fsckTable(record) } };
    const begun = await beginning(entry, parts);
    if (begun.finding !== undefined)
      yield { finding: { ...begun.finding, where: `entry ${index} of log ${record.log}` } };
    seq = begun.seq ?? seq;
  }
  const told = entries.flatMap(({ entry, ...place }) => (entry.type === 'change' ? [{ ...place, entry }] : []));
  const [first, last] = [told[0]?.entry.seq ?? 0, told.at(-1)?.entry.seq ?? 0];
  const changes = new Map(
    (await parts.changesAt(told.map(({ entry }) => entry.seq))).map((change) => [change.seq, change]),
  );
  const places = new Map(parts.store.places(first, last).map((place) => [place.seq, place]));
  for (const { entry, bytes, index } of told) {
    const where = `entry ${index} of log ${record.log}`;
    if (seq !== 0 && entry.seq !== seq + 1)
      yield { finding: { what: `It is of change ${entry.seq}, where ${seq + 1} follows.`, where } };
    seq = entry.seq;
    const place = places.get(entry.seq);
    if (place?.entry !== index || place.log !== record.log)
      yield {
        finding: {
          what: `Change ${entry.seq} is not said to stand at entry ${index}.`,
          where: fsckTable(record, 'changes'),
        },
      };
    const change = changes.get(entry.seq);
    const why =
      change === undefined
        ? goneOf(entry, parts)
        : differenceOf(entry, { change, salts: place?.salts, bytes, redacted });
    if (why !== undefined) yield { finding: { what: `Change ${entry.seq} (${entry.id}) ${why}.`, where: 'changes' } };
  }
  const unknown = [...places.values()].find(
    ({ seq: at, log }) => log === record.log && !told.some(({ entry }) => entry.seq === at),
  );
  if (unknown !== undefined)
    yield {
      finding: {
        what: `Change ${unknown.seq} is said to have an entry, and has none.`,
        where: fsckTable(record, 'changes'),
      },
    };
  yield { last: { seq } };
}

/** Changes that were cut off the log are in its archives. */
function goneOf({ seq }: ChangeLogEntry, { cutSeq }: FsckStoreParts): string | undefined {
  return seq <= cutSeq ? undefined : 'is not there';
}

interface Compared {
  readonly change: Parameters<typeof changeDifference>[1];
  readonly salts: Uint8Array | undefined;
  readonly bytes: Uint8Array;
  readonly redacted: ReadonlySet<string>;
}

function differenceOf(entry: ChangeLogEntry, { change, salts, bytes, redacted }: Compared): string | undefined {
  const unpacked = unpackSalts(salts ?? new Uint8Array());
  if (unpacked === undefined) return 'has salts that are none';
  return changeDifference(entry, { ...change, salts: unpacked }, { bytes, redacted });
}

/** If the log was cut since, nothing can be said about the changes before the beginning. */
async function beginning(
  { count, earlier }: BeginLogEntry,
  { readChanges, cutSeq }: FsckStoreParts,
): Promise<{ readonly seq?: number; readonly finding?: Omit<FsckFinding, 'where'> }> {
  if (cutSeq > 0) return {};
  const before = await earlierChanges(firstOf(readChanges(0), count));
  const what = `The ${count} changes before the provable log are not those that its first entry commits to.`;
  const isSame = before.count === count && `sha256:${before.hash}` === earlier;
  return { seq: before.seq, ...(!isSame && { finding: { what } }) };
}

async function* firstOf<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T, void, undefined> {
  let taken = 0;
  if (count === 0) return;
  for await (const item of items) {
    yield item;
    taken += 1;
    if (taken === count) return;
  }
}
