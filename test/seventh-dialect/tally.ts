import { clauseTable } from '../../src/codecs/primitives/clause.ts';
import { openLedger } from '../../src/codecs/primitives/ledger.ts';
import type { Checker } from '../../src/dialects/checker.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { answerOf, hasDocument } from '../../src/dialects/document-source.ts';
import { NOT_WRITTEN, type Projection, projectedFiles } from '../../src/dialects/projection.ts';
import type { Batch, FeedReader, ReaderPorts } from '../../src/dialects/reader.ts';
import type { ShelfKind } from '../../src/dialects/shelf.ts';
import { FeedUnreadableError } from '../../src/errors/feed-error.ts';
import { ForeignFileError } from '../../src/errors/foreign-file-error.ts';
import type { Change } from '../../src/model/change.ts';
import { sourceIdOf } from '../../src/model/source.ts';
import { decodeTally, encodeTally, TALLY_FILE, TALLY_HEAD, TALLY_TYPE, type TallyLine } from './tally-text.ts';

const PROJECTION: Projection = {
  async load({ out }, _published, { isChosen }) {
    if (!isChosen) return NOT_WRITTEN;
    const there = Buffer.from((await out.read(TALLY_FILE)) ?? []).toString();
    if (there !== '' && !there.startsWith(TALLY_HEAD)) throw new ForeignFileError(TALLY_FILE, 'Move it away.');
    return {
      async project({ changes }) {
        const bytes = Buffer.from(encodeTally(changes));
        return projectedFiles([{ path: TALLY_FILE, mediaType: TALLY_TYPE, cacheControl: 'no-cache', bytes }]);
      },
    };
  },
};

const READER: FeedReader = {
  noun: 'a tally',
  recognizes: (url) => url.pathname.endsWith(`/${TALLY_FILE}`),
  entriesAt: (url) => [new URL(TALLY_FILE, url).href],
  async discover({ url }, ports) {
    const entry = new URL(TALLY_FILE, url).href;
    const lines = await fetchTally(entry, ports);
    if (lines === undefined) return { nothing: new FeedUnreadableError(entry, 'is no tally.', { status: 404 }) };
    return {
      read: () => readTally(entry, lines, ports),
      describe: async () => ({ url: entry, words: `a tally of ${lines.length} changes` }),
    };
  },
};

async function fetchTally(entry: string, { http, signal }: ReaderPorts): Promise<readonly TallyLine[] | undefined> {
  const response = await http.get({ url: new URL(entry), maxBodyBytes: 1_000_000, signal });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  return response.status === 200 ? decodeTally(Buffer.concat(pieces).toString()) : undefined;
}

/** Two changes a batch, so that a reading has several. The memory is the number of the last line. */
async function* readTally(
  entry: string,
  lines: readonly TallyLine[],
  { remembered }: ReaderPorts,
): AsyncGenerator<Batch, Record<never, never>> {
  const known = Number((await remembered.memoryOf(entry)) ?? 0);
  const fresh = lines.filter(({ number }) => number > known);
  const about = { entry, id: sourceIdOf(new URL(entry)) };
  if (fresh.length === 0) yield { ...about, changes: [], isBlank: lines.length === 0 };
  for (let at = 0; at < fresh.length; at += 2) {
    const piece = fresh.slice(at, at + 2);
    yield { ...about, changes: piece.map(changeOf), memory: piece.at(-1)?.number };
  }
  return {};
}

function changeOf({ number, action, boundary }: TallyLine) {
  const [url = '', anchor] = boundary.split('#');
  const provenance = { by: 'tally', originId: String(number) };
  return { id: `tally-${number}`, action, url, ...(anchor !== undefined && { anchor }), provenance };
}

/** Kept in memory, and made again from the log when a hub starts. */
const SHELF: ShelfKind = {
  exported: ({ readChanges }) => ({
    rules: [{ path: TALLY_FILE, mediaType: TALLY_TYPE }],
    lasting: () => [],
    async *heads() {
      const changes: Change[] = [];
      for await (const change of readChanges(0)) changes.push(change);
      const read = () => Buffer.from(encodeTally(changes));
      yield { path: TALLY_FILE, kind: 'growing', mediaType: TALLY_TYPE, cacheControl: 'no-cache', read };
    },
  }),
  async open({ readChanges }) {
    const changes: Change[] = [];
    for await (const change of readChanges(0)) changes.push(change);
    const seq = () => changes.at(-1)?.seq ?? 0;
    const add = async (more: readonly Change[]) => void changes.push(...more.filter((change) => change.seq > seq()));
    return {
      get seq() {
        return seq();
      },
      trouble: undefined,
      add,
      mend: async () => {},
      links: { feeds: [[{ path: TALLY_FILE }]] },
      routes: () => [
        {
          method: 'GET',
          path: `/${TALLY_FILE}`,
          access: 'open',
          summary: 'All changes, as a tally.',
          responses: { 200: 'The tally.' },
          handle: () => ({ status: 200, headers: { 'content-type': TALLY_TYPE }, body: encodeTally(changes) }),
        },
      ],
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

const CLAUSES = clauseTable(
  'TALLY-1\tMUST\tpublisher\tThe first line is `tally 1`.\nTALLY-2\tMUST\tpublisher\tLines are counted from 1 without a hole.',
);

const CHECKER: Checker = {
  hints: { 'TALLY-*': { where: `/${TALLY_FILE}`, write: 'tally 1' } },
  holds: (source) => hasDocument(source, [`/${TALLY_FILE}`]),
  async check(source) {
    const ledger = openLedger(CLAUSES);
    const { where, bytes } = answerOf(source, await source.read(`/${TALLY_FILE}`));
    const lines = decodeTally(Buffer.from(bytes).toString());
    ledger.looked('TALLY-1');
    if (lines === undefined) {
      ledger.note({ clause: 'TALLY-1', where, seen: 'Another first line.', remedy: 'Begin with `tally 1`.' });
      ledger.skipped('It is no tally.', 'TALLY-2');
      return ledger.close();
    }
    ledger.looked('TALLY-2');
    for (const [at, { number }] of lines.entries()) {
      if (number === at + 1) continue;
      ledger.note({ clause: 'TALLY-2', where: `${where}:${at + 2}`, seen: `It says ${number}.`, remedy: 'Count on.' });
    }
    return ledger.close();
  },
};

export const TALLY: Dialect = {
  name: 'tally',
  clauses: async () => CLAUSES,
  projection: async () => PROJECTION,
  reader: async () => READER,
  shelf: async () => SHELF,
  checker: async () => CHECKER,
};
