import { createHash } from 'node:crypto';
import { CodedError } from '../errors/coded-error.ts';
import { sinkUnavailableError } from '../errors/sink-error.ts';
import type { ChunkRecord, RecordedPage } from './chunk-record.ts';
import { ensureVectors } from './ensure-vectors.ts';
import type { Chunk, HeldSections, Sink, SyncedPage, SyncedSection } from './sink.ts';

/** The used part of a LangChain.js document. */
export interface LangchainDocument {
  readonly pageContent: string;
  readonly metadata: Record<string, unknown>;
}

/** A vector store of LangChain.js, or anything that adds and deletes by id. */
export interface LangchainVectorStore {
  addDocuments(documents: LangchainDocument[], options: { ids: string[] }): Promise<unknown>;
  delete(options: { ids: string[] }): Promise<unknown>;
  /** Called if every chunk has a vector: then the store embeds nothing. */
  addVectors?(vectors: number[][], documents: LangchainDocument[], options: { ids: string[] }): Promise<unknown>;
}

export interface LangchainSinkOptions {
  /** The content of the store: see {@link ChunkRecord}. */
  readonly record: ChunkRecord;
}

const PLACE = 'The vector store';
const BATCH = 100;

/**
 * Keeps a LangChain.js vector store equal to sites. New chunks are added before old ones are deleted. A chunk with the same text is neither embedded
 * nor touched: its metadata (`url`, `anchor`, `title`, `heading`, `source`) dates from when it was added.
 *
 * @example
 * const record = await openChunkRecord('docs-record.db');
 * const sink = langchainSink(vectorStore, { record });
 * for await (const report of sync({ urls: 'https://docs.example/', sink, once: true })) console.log(report);
 */
export function langchainSink(store: LangchainVectorStore, { record }: LangchainSinkOptions): Sink {
  return {
    pages: () => record.pages(),
    held: async (url) => heldOf(await record.read(url)),
    put: async (page) => await record.inTurn(async () => await put(page, store, record)),
    remove: async (url) => await record.inTurn(async () => await remove(url, store, record)),
    async prepare() {
      const missing = (['addDocuments', 'delete'] as const).filter((method) => typeof store[method] !== 'function');
      if (missing.length === 0) return;
      const message = `${PLACE} has no ${missing.join(', no ')}. Give one that adds and deletes documents by id.`;
      throw new CodedError('SinkSchemaError', 'fix-config', message);
    },
    [Symbol.asyncDispose]: async () => await record[Symbol.asyncDispose](),
  };
}

/** The record lists what may exist before it does, and drops it only after it is gone: after any interruption, the next put knows every id. */
async function put(page: SyncedPage, store: LangchainVectorStore, record: ChunkRecord): Promise<void> {
  const vectors = ensureVectors(page, undefined);
  const known = await record.read(page.url);
  const before = new Set(known === undefined ? [] : storeIds(known));
  const strays = new Set(known?.strays);
  const after = new Set(storeIds(page));
  const added = chunksOf(page).filter(({ id }) => !before.has(id));

  if (added.length > 0) {
    const doubtful = added.map(({ id }) => id).filter((id) => strays.has(id));
    for (const { id } of added) strays.add(id);
    await record.write({ ...(known ?? nothingOf(page)), strays: [...strays] });
    await drop(store, doubtful);
    await add(store, added, vectors);
  }
  const old = [...before, ...strays].filter((id) => !after.has(id));
  await record.write({ ...factsOf(page), strays: old });
  if (old.length === 0) return;
  await drop(store, old);
  await record.write({ ...factsOf(page), strays: [] });
}

/** Records the page without sections until it is gone, so that chunks that may already be deleted do not count as held. */
async function remove(url: string, store: LangchainVectorStore, record: ChunkRecord): Promise<void> {
  const known = await record.read(url);
  if (known === undefined) return;
  const ids = [...new Set([...storeIds(known), ...known.strays])];
  await record.write({ ...nothingOf(known), strays: ids });
  await drop(store, ids);
  await record.forget(url);
}

interface AddedChunk {
  readonly id: string;
  readonly chunk: Chunk;
  readonly document: LangchainDocument;
}

function chunksOf(page: SyncedPage): AddedChunk[] {
  return page.sections.flatMap((section) =>
    section.chunks.map((chunk) => ({ id: storeId(chunk), chunk, document: documentOf(page, section, chunk) })),
  );
}

function documentOf({ url, title, source }: SyncedPage, section: SyncedSection, chunk: Chunk): LangchainDocument {
  const { anchor, heading } = section;
  return { pageContent: chunk.text, metadata: { url, anchor, title, heading, source, chunk: chunk.id } };
}

async function add(
  store: LangchainVectorStore,
  added: readonly AddedChunk[],
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  for (let start = 0; start < added.length; start += BATCH) {
    const batch = added.slice(start, start + BATCH);
    const options = { ids: batch.map(({ id }) => id) };
    const documents = batch.map(({ document }) => document);
    const given = batch.flatMap(({ chunk }) => vectors.get(chunk.id) ?? []);
    const isEmbedded = given.length === batch.length && store.addVectors !== undefined;
    await asked(() =>
      isEmbedded
        ? store.addVectors?.(
            given.map((vector) => [...vector]),
            documents,
            options,
          )
        : store.addDocuments(documents, options),
    );
  }
}

async function drop(store: LangchainVectorStore, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    await asked(() => store.delete({ ids: batch }));
  }
}

/** Any exception of a store means that it did not do the work, and may do it later. */
async function asked(ask: () => Promise<unknown> | undefined): Promise<void> {
  try {
    await ask();
  } catch (error) {
    throw sinkUnavailableError(PLACE, error);
  }
}

function storeIds({ sections }: HeldSections): string[] {
  return sections.flatMap(({ chunks }) => chunks.map(storeId));
}

/**
 * A different id for each pipeline, so that new chunks can exist beside old ones even in a store that cannot replace. Some stores accept only UUIDs;
 * this is one of version 8, https://www.rfc-editor.org/rfc/rfc9562#section-5.8.
 */
function storeId({ id, fingerprint }: Pick<Chunk, 'id' | 'fingerprint'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, fingerprint]))
    .digest('hex');
  const variant = '89ab'[Number.parseInt(hash[16] ?? '0', 16) % 4];
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

function heldOf(page: RecordedPage | undefined): HeldSections | undefined {
  if (page === undefined) return undefined;
  const { strays: _, ...held } = page;
  return held;
}

function factsOf({ url, source, checksum, sections }: SyncedPage): HeldSections {
  const held = sections.map(({ anchor, checksum, chunks }) => ({
    anchor,
    checksum,
    chunks: chunks.map(({ id, fingerprint }) => ({ id, fingerprint })),
  }));
  return { url, source, checksum, sections: held };
}

function nothingOf({ url, source }: HeldSections | SyncedPage): HeldSections {
  return { url, source, checksum: '', sections: [] };
}
