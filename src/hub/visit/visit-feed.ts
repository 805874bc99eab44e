import type { Dialect } from '../../dialects/dialect.ts';
import { dialectNamed, feedDialects } from '../../dialects/feed-readers.ts';
import type { FeedQuestion, FeedReader, ReadingEnd, VisitLimits } from '../../dialects/reader.ts';
import { FeedDeadlineError } from '../../errors/fetch-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { halfReadError } from '../../errors/source-trouble.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { rememberedIn } from '../../follow/remembered.ts';
import type { FeedConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { type BatchTarget, commitBatches } from './commit-batches.ts';
import { createFeedDeadline } from './feed-deadline.ts';
import { shunning } from './own-addresses.ts';
import { createSender, type Sender } from './sender.ts';
import { isHalfRead, type SourceReading, shortNotes } from './source-reading.ts';
import { sourceRulesOf } from './source-rules.ts';
import { isOfTheStore } from './visit-end.ts';
import type { VisitPorts } from './visit-ports.ts';

/** A feed that trickles must not hold its place while others wait. */
const LIMITS: VisitLimits = { idleMs: 30_000, totalMs: 60_000 };

/** What a visit of a feed writes through. Its commits are counted by whoever called it. */
export interface FeedVisitPorts extends VisitPorts {
  readonly onWritten: (changes: number) => void;
}

/**
 * What a feed says since the last visit. Where it cannot be read, its fallbacks are asked; what one has told, the others do not
 * tell again. A feed that its origin ended can be read, and that is its answer.
 */
export async function visitFeed(
  config: FeedConfig,
  source: Pick<WatchedSource, 'health' | 'allowDeletes'>,
  ports: FeedVisitPorts,
): Promise<SourceReading> {
  const { url, fallbacks = [], apiKeyFile } = config;
  const { name, reader } = await readerOf(config.dialect, ports.dialects);
  const { idleMs, totalMs } = reader.limits ?? LIMITS;
  const places = [url, ...fallbacks];
  const limits = { idleMs: idleMs / places.length, totalMs };
  const secret = apiKeyFile === undefined ? undefined : await ports.readSecret?.(apiKeyFile);
  let own: TidingsError | undefined;
  for (const [index, address] of places.entries()) {
    const notes = new Set<string>();
    const note = (message: string) => void notes.add(message);
    const isVerified = reader.verifies ?? false;
    const sender = createSender();
    const target = targetOf(config, source, { ...ports, note, dialect: name, isVerified, sender: () => sender.id });
    // The key is for whoever the source itself is, not for its stand-ins elsewhere.
    const apiKey = new URL(address).origin === new URL(url).origin ? secret : undefined;
    const question = { ...questionOf(config, source, ports), url: new URL(address), apiKey };
    try {
      const end = await readInTime(reader, { question, target, limits, sender }, ports);
      return readingOf(end, { index, notes, before: source.health.notes ?? [] });
    } catch (error) {
      const isOurs = error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
      // A feed that was ended is answered for: nobody else speaks in its place.
      if (!isOurs || error.recovery === 'stop') throw error;
      own ??= error;
    }
  }
  throw own;
}

/** The reader of a dialect, by the name that the source gives it. */
export async function readerOf(
  name: string,
  dialects: readonly Dialect[],
): Promise<{ readonly name: string; readonly reader: FeedReader }> {
  const dialect = dialectNamed(dialects, name);
  const reader = await dialect?.reader?.();
  if (dialect !== undefined && reader !== undefined) return { name: dialect.name, reader };
  throw new SettingRefusedError('dialect', name, `Give one of these: ${feedDialects(dialects).join(', ')}.`);
}

function questionOf(
  { id }: FeedConfig,
  { allowDeletes }: Pick<WatchedSource, 'allowDeletes'>,
  { isAsked = false }: VisitPorts,
): Omit<FeedQuestion, 'url'> {
  const remedies = {
    deletes: `tidings source resume ${id} --allow-deletes`,
    trust: `tidings source retrust ${id}`,
  };
  return { isNamed: true, isAsked, allowDeletes: allowDeletes ?? false, remedies };
}

function targetOf(
  config: FeedConfig,
  { health }: Pick<WatchedSource, 'health'>,
  ports: FeedVisitPorts & Pick<BatchTarget, 'note' | 'dialect' | 'isVerified' | 'sender'>,
): BatchTarget {
  const { id, fallbacks = [] } = config;
  return {
    id,
    dialect: ports.dialect,
    state: ports.store.followStateOf(id),
    accepts: sourceRulesOf(config).accepts,
    hadEvents: fallbacks.length > 0 && health.lastChangeMs !== undefined,
    riskRules: ports.riskRules,
    isVerified: ports.isVerified ?? false,
    hubId: ports.hubId,
    ...(ports.sender !== undefined && { sender: ports.sender }),
    now: ports.now,
    note: ports.note,
    onCommit: ({ changes }) => ports.onWritten(changes),
  };
}

interface Place {
  readonly question: FeedQuestion;
  readonly target: BatchTarget;
  readonly limits: VisitLimits;
  readonly sender: Sender;
}

/** A feed that is too long or too slow for one visit is read on in the next one, as long as it tells something. */
async function readInTime(reader: FeedReader, place: Place, ports: VisitPorts): Promise<ReadingEnd> {
  const { question, target, limits, sender } = place;
  const { id, dialect, state, note } = target;
  using deadline = createFeedDeadline(ports, limits);
  const http = sender.over(shunning(deadline.http, ports.ownAddresses));
  const remembered = rememberedIn(state, { dialect, source: id });
  const { gunzip, now, signal, wait, store } = ports;
  try {
    const found = await reader.discover(question, {
      ...{ http, gunzip, now, signal, wait, remembered, remembersPauses: true },
      storage: (kind) => store.storage(kind),
      report: ({ message }) => note(message),
    });
    if ('nothing' in found) throw found.nothing;
    const onCommit: BatchTarget['onCommit'] = (written) => {
      target.onCommit(written);
      deadline.heard(written.events);
    };
    const end = await commitBatches(found.read(), { ...target, spare: deadline.spare, onCommit });
    for (const { message } of end.unread?.errors ?? []) note(message);
    stopIfHalfFailed(end);
    return end;
  } catch (error) {
    const isLate = deadline.isOver && error instanceof TidingsError && !isOfTheStore(error);
    if (!isLate || ports.signal.aborted) throw error;
    if (deadline.news === 0) throw new FeedDeadlineError(question.url, limits.idleMs);
    note(`${question.url.href} was not read to its end in time. The next check goes on from there.`);
    return {};
  }
}

/** Throws a `HalfReadError` where at least half of the feeds of a service could not be read. */
function stopIfHalfFailed({ unread }: ReadingEnd): void {
  if (unread?.of === undefined || !isHalfRead({ unread: unread.errors.length, pages: unread.of })) return;
  const { errors } = unread;
  // A pause ends a reading, so the last error is the one that asks for it.
  const last = errors.at(-1);
  const retryAfterMs = last !== undefined && 'retryAfterMs' in last ? last.retryAfterMs : undefined;
  throw halfReadError(errors.length, unread.of, errors[0]?.message ?? '', {
    what: 'feeds',
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  });
}

function readingOf(
  { freshMs, isBound, isUnasked, isSame, unread }: ReadingEnd,
  { index, notes, before }: { readonly index: number; readonly notes: Set<string>; readonly before: readonly string[] },
): SourceReading {
  return {
    ...(index > 0 && { fallback: index - 1 }),
    ...(freshMs !== undefined && { freshMs }),
    ...(unread !== undefined && { unread: unread.errors.length }),
    ...(isBound && { isBound }),
    ...(isUnasked && { isUnasked }),
    notes: shortNotes([...new Set([...(isSame ? before : []), ...notes])]),
  };
}
