import { feedDialects } from '../../src/dialects/feed-readers.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { openPolite } from '../../src/doors/open-http.ts';
import { decodeSource } from '../../src/hub/config/decode-source.ts';
import type { SourceConfig } from '../../src/hub/config/source-config.ts';
import { createPreviewer, type Previewer, type PreviewerParts } from '../../src/hub/preview/previewer.ts';
import { gunzip } from '../../src/io/zlib/gunzip.ts';
import { FakeWatch, watchedSource } from './fake-watch.ts';

export interface PreviewLab extends AsyncDisposable {
  readonly previewer: Previewer;
  readonly watch: FakeWatch;
}

export interface PreviewLabOptions extends Partial<Pick<PreviewerParts, 'deadline' | 'now'>> {
  readonly watched?: readonly SourceConfig[];
  readonly allowPrivate?: boolean;
  /** Replaces the HTTP clients. */
  readonly ways?: Partial<ReturnType<PreviewerParts['waysTo']>>;
}

/** Previews like those of a hub, over real sockets and without a pause between two pages. */
export async function openPreviewLab(options: PreviewLabOptions = {}): Promise<PreviewLab> {
  const { watched = [], allowPrivate = true, now = Date.now, deadline = (ms) => AbortSignal.timeout(ms) } = options;
  const ways = await openPolite({ allowPrivate, cooldownMs: 0 });
  const watch = new FakeWatch(watched.map((config) => watchedSource(config)));
  const previewer = createPreviewer({
    watch,
    decodeSource: (value, at) => decodeSource(value, { allowPrivate, dialects: feedDialects(DIALECTS), at }),
    waysTo: ({ host }) => ({
      ...ways.of({ name: `preview:${host}`, isOwn: () => false }),
      dialects: DIALECTS,
      gunzip,
      now,
      ...options.ways,
    }),
    allowPrivate,
    cooldownMs: 2000,
    now,
    deadline,
  });
  return { previewer, watch, [Symbol.asyncDispose]: () => ways[Symbol.asyncDispose]() };
}
