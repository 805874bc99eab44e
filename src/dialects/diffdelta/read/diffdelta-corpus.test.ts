import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startFeedServer } from '../../../../test/support/feed-server.ts';
import { createFollower } from '../../../../test/support/publisher.ts';

const CORPUS = new URL('../../../../../shared/corpora/diffdelta/', import.meta.url);
const corpusIsHere = existsSync(CORPUS);
if (!corpusIsHere) process.stderr.write('diffdelta: ../shared/corpora/diffdelta is not here, real feeds are skipped\n');

test.skipIf(!corpusIsHere)(
  `the feeds of the running service: every item comes once${corpusIsHere ? '' : ' (SKIPPED: no ../shared/corpora/diffdelta)'}`,
  async () => {
    await using server = await startFeedServer();
    const sources = readdirSync(CORPUS).flatMap((name) => /^(?!global)(.+)-latest\.json$/.exec(name)?.[1] ?? []);
    const put = (path: string, file: string, edit = (text: string) => text) => {
      const body = edit(readFileSync(new URL(file, CORPUS), 'utf8'));
      server.put(path, { body, headers: { 'content-type': 'application/json' } });
    };
    put('/.well-known/diffdelta.json', 'discovery.json', (text) =>
      JSON.stringify({
        ...JSON.parse(text.replaceAll('https://diffdelta.io/', server.origin)),
        sources_supported: sources,
      }),
    );
    put('/diff/head.json', 'global-head.json');
    put('/diff/latest.json', 'global-latest.json');
    for (const source of sources) {
      for (const folder of ['/diff/source', '/diff']) {
        put(`${folder}/${source}/head.json`, `${source}-head.json`);
        put(`${folder}/${source}/latest.json`, `${source}-latest.json`);
      }
    }
    const follower = createFollower(server);
    const first = await follower();
    expect(first.error).toBeUndefined();
    const wanted = sources.flatMap((source) => itemsIn(`${source}-latest.json`));
    expect(wanted.length).toBeGreaterThan(100);
    expect(first.events.map(({ itemId }) => itemId).toSorted()).toEqual(wanted.toSorted());
    expect(first.events.filter(({ flagged }) => flagged)).toHaveLength(7);
    expect(new Set(first.codes), 'archives that are not in the corpus').toEqual(new Set(['gap']));
    expect(await follower()).toMatchObject({ ids: [], error: undefined, codes: [] });

    const all = createFollower(server);
    const urls = [new URL('/diff/head.json', server.origin).href];
    const everything = await all({ urls });
    expect(everything.events.map(({ itemId }) => itemId).toSorted()).toEqual(itemsIn('global-latest.json').toSorted());
    expect(await all({ urls })).toMatchObject({ ids: [], error: undefined });
  },
);

function itemsIn(file: string): string[] {
  const { buckets } = JSON.parse(readFileSync(new URL(file, CORPUS), 'utf8')) as {
    buckets: Record<string, { id: string }[]>;
  };
  return Object.values(buckets).flatMap((items) => items.map(({ id }) => id));
}
