import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { serveDiffDelta } from '../../test/support/diffdelta-site.ts';
import { checkReport } from './check.ts';

/** Feeds of the running service, as they were one day. */
const CORPUS = new URL('../../../shared/corpora/diffdelta/', import.meta.url);

/** Laid out as its manifest says, which names sources of which no feed was kept, too. */
function corpusFiles(origin: string): Map<string, string> {
  const files = new Map<string, string>();
  const sources: string[] = [];
  for (const name of readdirSync(CORPUS)) {
    const text = readFileSync(new URL(name, CORPUS), 'utf8');
    const [, source, kind] = /^(.+)-(head|latest)\.json$/.exec(name) ?? [];
    if (source === undefined) continue;
    if (source === 'global') files.set(`/diff/${kind}.json`, text);
    else for (const folder of ['/diff/', '/diff/source/']) files.set(`${folder}${source}/${kind}.json`, text);
    if (source !== 'global' && kind === 'head') sources.push(source);
    const { archive_url: archive } = JSON.parse(text) as { archive_url?: string };
    if (archive !== undefined) files.set(archive, text);
  }
  const manifest = readFileSync(new URL('discovery.json', CORPUS), 'utf8').replaceAll('https://diffdelta.io/', origin);
  files.set(
    '/.well-known/diffdelta.json',
    JSON.stringify({ ...JSON.parse(manifest), sources_supported: sources.sort() }),
  );
  return files;
}

test.skipIf(!existsSync(CORPUS))(
  'of the running service the report says what is known of it, and no more',
  async () => {
    const site = await serveDiffDelta(corpusFiles);
    onTestFinished(() => site[Symbol.asyncDispose]());
    const report = await checkReport(site.origin, { spec: 'diffdelta', allowPrivate: true });
    const said = new Set(report.findings.map(({ clause, level }) => `${clause} ${level}`));
    expect([...said]).toEqual([
      // Two of the sources that were kept are of an earlier day than the feed of all.
      'DD-R6 MUST',
      'DD-H2 SHOULD',
      // `buckets.items` in place of `new` and `flagged`, and no status map.
      'DD-L1 MUST',
      // The archives before these were not kept.
      'DD-A2 MUST',
      // Their names have the digits of the hash.
      'DD-A3 MUST',
      'DD-C7 SHOULD',
      'DD-K1 SHOULD',
      // Newest first.
      'DD-O3 MUST',
      'DD-D5 SHOULD',
    ]);
  },
);
