/**
 * A history as the engine makes feeds of it. The engine is an argument: a child takes it from dist/, a test from src/, and
 * a test of the test a broken one.
 */

const ROOT = '/';
const TTL_SEC = 300;
const GLOBAL_ID = '_global';

/** Every file that was written, in order: `{ name, feed, latestText, headText, archivePath }`. */
export function replay(history, engine) {
  const state = { files: [], served: new Map(), records: new Map(), last: undefined, runOf: undefined, engine };
  for (const step of history) {
    if (step.is === 'run') run(state, step);
    else pause(state, step);
  }
  return state.files;
}

function run(state, { source, atMs, drafts }) {
  const { engine, served, records } = state;
  const changes = engine.placeChanges(drafts, {
    last: state.last,
    nowMs: atMs,
    random: (size) => new Uint8Array(size).fill(atMs % 251),
  });
  state.last = changes.at(-1);
  const known = records.get(source) ?? new Map();
  records.set(source, known);
  const items = engine.itemsOfRun(changes, (id) => known.get(id));
  for (const { item, isRemoved } of items) known.set(item.id, { item, isRemoved });

  const facts = { source, time: changes[0].time, items, root: ROOT, ttlSec: TTL_SEC, facts: { status: 'ok' } };
  const own = engine.sourceRunFeed(facts, served.get(source));
  write(state, source, own);
  const entryOfOther = (id) => engine.unchangedEntry(served.get(id).sources[id]);
  write(
    state,
    GLOBAL_ID,
    engine.globalRunFeed({ ...facts, entry: own.feed.sources[source], entryOfOther }, served.get(GLOBAL_ID)),
  );
  state.runOf = source;
}

function pause(state, { source, atMs, is }) {
  const { engine, served } = state;
  const before = served.get(source);
  const cursor = before?.cursor ?? null;
  const facts =
    is === 'failure' ? failureFacts(before, source, atMs) : before === undefined ? undefined : { status: 'ok' };
  // Nothing is known of a source that was never read, unless that failed.
  if (facts === undefined) return;
  const entry = engine.entryOf(source, facts, {
    root: ROOT,
    ttlSec: TTL_SEC,
    changed: false,
    cursor,
    prev_cursor: cursor,
  });
  const place = { root: ROOT, ttlSec: TTL_SEC, atMs };
  const own =
    before === undefined
      ? engine.emptyFeed({ ...place, name: source, sources: { [source]: entry } })
      : engine.restatedFeed({ ...place, name: source, before, changed: false, sources: { [source]: entry } });
  if (own !== undefined) write(state, source, own);

  const all = served.get(GLOBAL_ID);
  if (all === undefined || !all.sources_included.includes(source)) return;
  const sources = { ...all.sources, [source]: entry };
  const restated = engine.restatedFeed({
    ...place,
    name: GLOBAL_ID,
    before: all,
    changed: state.runOf !== source,
    sources,
  });
  if (restated !== undefined) write(state, GLOBAL_ID, restated);
}

function failureFacts(before, source, atMs) {
  const since = before?.sources[source]?.stale_since ?? new Date(atMs).toISOString();
  return { status: 'error', stale: true, stale_since: since, error: { code: 'timeout' } };
}

function write(state, name, made) {
  state.served.set(name, made.feed);
  state.files.push({ name, ...made });
}

/** What must be the same wherever and in whatever order the history was discovered. */
export function cursorsOf(files) {
  return files.map(({ name, feed }) => `${name} ${feed.changed} ${feed.cursor} ${feed.prev_cursor}`).join('\n');
}
