import { strictHttpUrl } from '../codecs/atom/http-url.ts';
import { collapsedText } from '../codecs/atom/xml-escape.ts';
import { AtomDocuments } from '../dialects/atom/shelf/atom-documents.ts';
import { type OpenAtomShelf, openAtomShelf } from '../dialects/atom/shelf/atom-keeper.ts';
import { isWatched } from '../dialects/diffdelta/shelf/entry-facts.ts';
import { addressOf } from '../hub/config/source-address.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { gzipDocument } from '../io/zlib/document.ts';
import type { HubParts } from './open-hub-parts.ts';

/** The Atom feeds of a hub. From then on they follow what is committed to the store. */
export async function keepAtom(
  { store }: Pick<HubParts, 'store'>,
  watch: Pick<Watch, 'source'>,
  { onBug }: { readonly onBug: (error: unknown) => void },
): Promise<OpenAtomShelf> {
  const atom = await openAtomShelf({
    store: store.openAtom(),
    readChanges: (after) => store.changes({ after }),
    sourceOf: (id) => atomSourceOf(watch, id),
  });
  store.onChanges((changes) => void atom.add(changes).catch(onBug));
  return atom;
}

/** What is served of them. */
export function atomDocuments(
  shelf: OpenAtomShelf,
  watch: Pick<Watch, 'source'>,
  { baseUrl, now }: { readonly baseUrl: () => string; readonly now: () => number },
): AtomDocuments {
  const sourceOf = (id: string) => atomSourceOf(watch, id);
  return new AtomDocuments({ shelf, baseUrl, sourceOf, gzip: gzipDocument, now });
}

/** Undefined for a source that is gone. */
function atomSourceOf(watch: Pick<Watch, 'source'>, id: string) {
  const source = watch.source(id);
  if (!isWatched(source)) return undefined;
  const { config, addedAtMs } = source;
  const url = strictHttpUrl(addressOf(source));
  return { title: collapsedText(config.title ?? '') || id, addedAtMs, ...(url !== undefined && { url }) };
}
