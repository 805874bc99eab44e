import { hashOfText } from '../../../codecs/diffdelta/encode.ts';
import { othersFirst } from '../../../log/others-first.ts';
import type { DocumentFault } from '../../shelf.ts';
import { latestPath } from '../runs/feed-paths.ts';
import type { RunStore } from './run-store.ts';

/** Finds feeds and archives that do not match their own hash. */
export async function* runFaults(
  store: Pick<RunStore, 'archivePaths' | 'archive' | 'feeds' | 'latest' | 'unpack'>,
): AsyncGenerator<DocumentFault, void, undefined> {
  for (const path of store.archivePaths()) {
    const what = await faultOf(() => store.archive(path));
    if (what !== undefined) yield { path, what };
    await othersFirst();
  }
  for (const { name, hash } of store.feeds()) {
    const latest = store.latest(name);
    const what = await faultOf(async () => latest && (await store.unpack(latest)), hash);
    if (what !== undefined) yield { path: latestPath(name, ''), what };
    await othersFirst();
  }
}

async function faultOf(read: () => Promise<Uint8Array | undefined>, hash?: string): Promise<string | undefined> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await read();
  } catch {
    return 'It cannot be read: what is stored of it is damaged.';
  }
  if (bytes === undefined) return 'It is missing.';
  const text = Buffer.from(bytes).toString();
  const own = hashOfText(text);
  if (own === undefined || !text.startsWith(`{"hash":"${own}",`)) return 'It is not what its own hash is of.';
  return hash !== undefined && hash !== own ? 'It is not the feed that its record is of.' : undefined;
}
