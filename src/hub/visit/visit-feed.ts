import type { Dialect } from '../../dialects/dialect.ts';
import { dialectNamed, feedDialects } from '../../dialects/feed-readers.ts';
import type { FeedQuestion, FeedReader, ReadingEnd } from '../../dialects/reader.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { FeedConfig, SourceConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { type BatchTarget, commitBatches } from './commit-batches.ts';
import { FEED_LIMITS, readOneFeed, type TimedPlace } from './read-one-feed.ts';
import { createSender } from './sender.ts';
import { type SourceReading, shortNotes } from './source-reading.ts';
import { sourceRulesOf } from './source-rules.ts';
import { isOfTheStore } from './visit-end.ts';
import type { VisitPorts } from './visit-ports.ts';

/** Ports of a visit to a feed. The caller counts its commits. */
export interface FeedVisitPorts extends VisitPorts {
  readonly onWritten: (changes: number) => void;
}

/**
 * Reads what a feed has reported since the last visit. If it cannot be read, its fallbacks are asked; changes that one has reported are not repeated by the
 * others. A feed that its origin has ended counts as read.
 */
export async function visitFeed(
  config: FeedConfig,
  source: Pick<WatchedSource, 'health' | 'allowDeletes'>,
  ports: FeedVisitPorts,
): Promise<SourceReading> {
  const { url, fallbacks = [], apiKeyFile } = config;
  const { name, reader } = await readerOf(config.dialect, ports.dialects);
  const { idleMs, totalMs } = reader.limits ?? FEED_LIMITS;
  const places = [url, ...fallbacks];
  const hadEvents = fallbacks.length > 0 && source.health.lastChangeMs !== undefined;
  const limits = { idleMs: idleMs / places.length, totalMs };
  const secret = apiKeyFile === undefined ? undefined : await ports.readSecret?.(apiKeyFile);
  let own: TidingsError | undefined;
  for (const [index, address] of places.entries()) {
    const notes = new Set<string>();
    const note = (message: string) => void notes.add(message);
    const isVerified = reader.verifies ?? false;
    const sender = createSender();
    const target = batchTarget(
      config,
      { hadEvents },
      { ...ports, note, dialect: name, isVerified, sender: () => sender.id },
    );
    // The key is for the origin of the source itself, not for fallbacks elsewhere.
    const apiKey = new URL(address).origin === new URL(url).origin ? secret : undefined;
    const question = { ...questionOf(config, source, ports), isNamed: true, url: new URL(address), apiKey };
    try {
      const take = takeInto(target);
      const end = await readOneFeed(
        reader,
        { id: target.id, dialect: name, question, limits, sender, note, take },
        ports,
      );
      return readingOf(end, { index, notes, before: source.health.notes ?? [] });
    } catch (error) {
      const isOurs = error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
      // An ended feed has given its answer: no fallback replaces it.
      if (!isOurs || error.recovery === 'stop') throw error;
      own ??= error;
    }
  }
  throw own;
}

/** The reader of the dialect that the source names. */
export async function readerOf(
  name: string,
  dialects: readonly Dialect[],
): Promise<{ readonly name: string; readonly reader: FeedReader }> {
  const dialect = dialectNamed(dialects, name);
  const reader = await dialect?.reader?.();
  if (dialect !== undefined && reader !== undefined) return { name: dialect.name, reader };
  throw new SettingRefusedError('dialect', name, `Give one of these: ${feedDialects(dialects).join(', ')}.`);
}

export function questionOf(
  { id }: Pick<SourceConfig, 'id'>,
  { allowDeletes }: Pick<WatchedSource, 'allowDeletes'>,
  { isAsked = false }: VisitPorts,
): Omit<FeedQuestion, 'url' | 'isNamed'> {
  const remedies = {
    deletes: `tidings source resume ${id} --allow-deletes`,
    trust: `tidings source retrust ${id}`,
  };
  return { isAsked, allowDeletes: allowDeletes ?? false, remedies };
}

/** `hadEvents`: the source has reported changes before, by this feed or another, so that an empty feed was not served properly. */
export function batchTarget(
  config: SourceConfig,
  { hadEvents }: Pick<BatchTarget, 'hadEvents'>,
  ports: FeedVisitPorts & Pick<BatchTarget, 'note' | 'dialect' | 'isVerified' | 'sender'>,
): BatchTarget {
  const { id } = config;
  return {
    id,
    dialect: ports.dialect,
    state: ports.store.followStateOf(id),
    accepts: sourceRulesOf(config).accepts,
    hadEvents,
    riskRules: ports.riskRules,
    isVerified: ports.isVerified ?? false,
    hubId: ports.hubId,
    ...(ports.sender !== undefined && { sender: ports.sender }),
    now: ports.now,
    note: ports.note,
    onCommit: ({ changes }) => ports.onWritten(changes),
  };
}

/** Commits what a feed reports. */
export function takeInto(target: BatchTarget): TimedPlace['take'] {
  return (batches, deadline) => {
    const onCommit: BatchTarget['onCommit'] = (written) => {
      target.onCommit(written);
      deadline.heard(written.events);
    };
    return commitBatches(batches, { ...target, spare: deadline.spare, onCommit });
  };
}

export function readingOf(
  { freshMs, isBound, isUnasked, isSame, unread, hubs }: ReadingEnd,
  { index, notes, before }: { readonly index: number; readonly notes: Set<string>; readonly before: readonly string[] },
): SourceReading {
  return {
    ...(index > 0 && { fallback: index - 1 }),
    ...(freshMs !== undefined && { freshMs }),
    ...(unread !== undefined && { unread: unread.errors.length }),
    ...(isBound && { isBound }),
    ...(isUnasked && { isUnasked }),
    // A fallback names hubs only for itself.
    ...(hubs !== undefined && index === 0 && { hubs }),
    notes: shortNotes([...new Set([...(isSame ? before : []), ...notes])]),
  };
}
