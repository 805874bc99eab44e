import { piecesOf } from '../../codecs/primitives/pieces-of.ts';
import type { ChangeDraft } from '../../model/change.ts';
import type { PageState, VisitCommit } from './hub-store.ts';

/**
 * Splits a visit into several, in the order of its changes, none with many more pages and changes than `most`. The changes of a page stay together with the
 * writes to that page: a process that is cut off between two parts has reported everything that it remembers, and no more.
 */
export function visitParts(visit: VisitCommit, most: number): readonly VisitCommit[] {
  const { source, drafts, pages = { put: [], remove: [] }, snapshots } = visit;
  if (drafts.length + pages.put.length + pages.remove.length <= most) return [visit];
  const edits = new PageEditsByUrl(pages.put, pages.remove);
  const pieces = cutBetweenPages(drafts, most);
  const lastPieceOf = new Map<string, number>();
  for (const [at, piece] of pieces.entries()) for (const { url } of piece) lastPieceOf.set(url, at);
  const parts: VisitCommit[] = pieces.map((piece, at) => {
    const urls = new Set(piece.map(({ url }) => url).filter((url) => lastPieceOf.get(url) === at));
    return { source, drafts: piece, pages: edits.take(urls) };
  });
  for (const urls of piecesOf(edits.left(), most)) parts.push({ source, drafts: [], pages: edits.take(urls) });
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return [visit];
  // Texts are stored before what refers to them. `foundBy` is stored when all pages are.
  parts[0] = { ...first, ...(snapshots !== undefined && { snapshots }) };
  if (pages.foundBy !== undefined) {
    const end = parts.at(-1) ?? last;
    parts[parts.length - 1] = { ...end, pages: { put: [], remove: [], ...end.pages, foundBy: pages.foundBy } };
  }
  return parts;
}

/** The writes to pages; each is given out once. */
class PageEditsByUrl {
  readonly #put: Map<string, PageState>;
  readonly #remove: Set<string>;

  constructor(put: readonly PageState[], remove: readonly string[]) {
    this.#put = new Map(put.map((state) => [state.record.url, state]));
    this.#remove = new Set(remove);
  }

  take(urls: Iterable<string>): { readonly put: readonly PageState[]; readonly remove: readonly string[] } {
    const [put, remove]: [PageState[], string[]] = [[], []];
    for (const url of urls) {
      const state = this.#put.get(url);
      if (state !== undefined) put.push(state);
      if (this.#remove.delete(url)) remove.push(url);
      this.#put.delete(url);
    }
    return { put, remove };
  }

  left(): readonly string[] {
    return [...new Set([...this.#remove, ...this.#put.keys()])];
  }
}

/** A piece ends after the last change of a page. */
function cutBetweenPages(drafts: readonly ChangeDraft[], size: number): ChangeDraft[][] {
  const pieces: ChangeDraft[][] = [];
  let piece: ChangeDraft[] = [];
  for (const draft of drafts) {
    if (piece.length >= size && piece.at(-1)?.url !== draft.url) {
      pieces.push(piece);
      piece = [];
    }
    piece.push(draft);
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}
