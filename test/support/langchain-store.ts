import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import { VectorStore } from '@langchain/core/vectorstores';
import { toyVector } from './synced-page.ts';

/** Numbers derived from the text, and the list of embedded texts. */
export class ToyEmbeddings extends Embeddings {
  readonly embedded: string[] = [];

  constructor() {
    super({});
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    this.embedded.push(...texts);
    return texts.map((text) => [...toyVector(text)]);
  }

  async embedQuery(text: string): Promise<number[]> {
    return [...toyVector(text)];
  }
}

interface Stored {
  readonly id: string;
  readonly document: DocumentInterface;
  readonly vector: readonly number[];
}

/** A store that inserts and never replaces: what is added twice under an id is there twice. */
export class ListStore extends VectorStore {
  readonly toy: ToyEmbeddings;
  readonly stored: Stored[] = [];
  /** Called before each operation; may throw. */
  onStep: () => void = () => {};
  /** Called after each deleted document. */
  onDeleted: (document: DocumentInterface) => void = () => {};

  constructor(embeddings = new ToyEmbeddings()) {
    super(embeddings, {});
    this.toy = embeddings;
  }

  override _vectorstoreType(): string {
    return 'list';
  }

  override async addDocuments(documents: DocumentInterface[], options?: { ids?: string[] }): Promise<string[]> {
    this.onStep();
    const vectors = await this.toy.embedDocuments(documents.map(({ pageContent }) => pageContent));
    return await this.addVectors(vectors, documents, options);
  }

  override async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    { ids = [] }: { ids?: string[] } = {},
  ): Promise<string[]> {
    for (const [index, document] of documents.entries()) {
      this.onStep();
      this.stored.push({ id: ids[index] ?? '', document: new Document(document), vector: vectors[index] ?? [] });
    }
    return ids;
  }

  override async delete({ ids = [] }: { ids?: string[] } = {}): Promise<void> {
    for (const id of ids) {
      this.onStep();
      const gone = this.stored.filter((stored) => stored.id === id);
      this.stored.splice(0, this.stored.length, ...this.stored.filter((stored) => stored.id !== id));
      for (const { document } of gone) this.onDeleted(document);
    }
  }

  override async similaritySearchVectorWithScore(query: number[], k: number): Promise<[DocumentInterface, number][]> {
    const dot = (vector: readonly number[]) => vector.reduce((sum, part, index) => sum + part * (query[index] ?? 0), 0);
    const found = this.stored.map(({ document, vector }): [DocumentInterface, number] => [document, dot(vector)]);
    return found.toSorted(([, a], [, b]) => b - a).slice(0, k);
  }
}
