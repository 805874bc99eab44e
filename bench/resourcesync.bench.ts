import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchResult, type Cost, type FigureResult, judgeCosts, measureInTurn } from './harness.ts';

const ENTRIES = 50_000;
const TIMES = 10;
const ROUNDS = 5;
const HEAD_BYTES = 512;

type Work = 'read' | 'saxes' | 'stream' | 'idle';

/** A Change List of 50,000 changes, read and validated, compared with saxes alone over the same bytes; and ten times as many. */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-resourcesync-'));
  try {
    const file = join(folder, 'changelist.xml');
    const xml = changeList();
    await writeFile(file, xml);
    process.stdout.write(`resourcesync: ${ENTRIES} changes, ${xml.length} bytes\n`);
    const costs = await measureInTurn({ ours: () => run('read', file), peer: () => run('saxes', file) }, ROUNDS);
    const shared = { unit: 'change', peerName: 'saxes without namespaces or handlers' };
    return [
      judgeCosts({ ...shared, name: 'resourcesync-read', by: 'cpu', goal: { atMost: 2.5 } }, costs),
      memoryOf(file),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Story {
  readonly entries: number;
  readonly cpuUs: number;
  readonly wallUs: number;
  readonly maxRssKb: number;
}

/** A run with another number of entries than expected says nothing about speed. */
function tell(work: Work, file: string, times = 1): Story {
  const words = [join('bench', 'resourcesync-child.mjs'), work, file, String(times)];
  const output = execFileSync(process.execPath, words, { encoding: 'utf8' });
  const story = JSON.parse(output) as Story;
  const expected = work === 'read' || work === 'stream' ? ENTRIES * times : 0;
  if (story.entries !== expected) throw new Error(`Not what was to be measured: ${work} ${output}`);
  return story;
}

function run(work: Work, file: string): Cost {
  const { cpuUs, wallUs } = tell(work, file);
  return { cpuUs: cpuUs / ENTRIES, wallUs: wallUs / ENTRIES };
}

function memoryOf(file: string): FigureResult {
  const megabytes = (work: Work, times: number) => Math.round(tell(work, file, times).maxRssKb / 1024);
  const [one, ten] = ['50,000: peak RSS in MB', '500,000: peak RSS in MB'] as const;
  const ours = { [one]: megabytes('stream', 1), [ten]: megabytes('stream', TIMES) };
  const peer = { [one]: megabytes('idle', 1), [ten]: megabytes('idle', TIMES) };
  const reached = ours[one] <= 100 && ours[ten] - ours[one] < 20;
  const goal = '≤ 100 MB, then + < 20 MB';
  return { name: 'resourcesync-memory', by: 'figures', ours, peer, peerName: 'the file alone', goal, reached };
}

/** Its entries are about as long as those of documentation with a link to metadata: 300 bytes. */
function changeList(): string {
  const head = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://docs.example/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2022-01-01T00:00:00Z"/>`;
  const entries = Array.from({ length: ENTRIES }, (_, at) => {
    const time = new Date(Date.UTC(2022, 0, 1) + at * 61_000).toISOString().replace('.000Z', 'Z');
    return `  <url>
    <loc>https://docs.example/collection/section-${at % 97}/page-${at}.html</loc>
    <lastmod>${time}</lastmod>
    <rs:md change="updated" datetime="${time}" type="text/html"/>
    <rs:ln rel="describedby" href="https://docs.example/metadata/page-${at}.json"/>
  </url>
`;
  });
  return `${head.padEnd(HEAD_BYTES - 1)}\n${entries.join('')}</urlset>\n`;
}
