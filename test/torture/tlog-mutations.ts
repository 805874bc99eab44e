import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsckFolder } from '../../src/doors/fsck-folder.ts';
import { publish } from '../../src/doors/publish.ts';
import { htmlPage } from '../support/site.ts';
import { TEST_LOG_KEY } from '../support/tlog-site.ts';
import { Random } from './hub-random.ts';

const SITE = 'https://docs.example/';

export interface MutationReport {
  readonly name: string;
  readonly mutations: number;
  readonly found: number;
  /** What nobody found: a mutation and the file that it was done to. */
  readonly missed: readonly string[];
  /** How often each kind of file was altered. */
  readonly kinds: Readonly<Record<string, number>>;
}

export function describeMutations({ name, mutations, found, missed, kinds }: MutationReport): string {
  const of = Object.entries(kinds).map(([kind, count]) => `${count} of ${kind}`);
  return `${name}: ${mutations} mutations (${of.join(', ')}), ${found} found${missed.map((each) => `; MISSED ${each}`).join('')}`;
}

/** Alters one file of a published folder, at random, and asks fsck whether anything is wrong. */
export async function tortureTlogMutations(options: {
  readonly mutations: number;
  readonly publishes: number;
  readonly seed: number;
}): Promise<MutationReport> {
  const { mutations, publishes } = options;
  const random = new Random(options.seed);
  const dir = await mkdtemp(join(tmpdir(), 'tidings-torture-'));
  try {
    await publishOften(dir, publishes);
    const clean = await fsckFolder(dir);
    if (!clean.ok) throw new Error(`Before anything was altered: ${JSON.stringify(clean.findings.slice(0, 3))}`);
    const files = protectedFiles(dir);
    const missed: string[] = [];
    const kinds: Record<string, number> = {};
    let done = 0;
    while (done < mutations) {
      // Each kind as often as the others, however many files it has.
      const path = random.pick(random.pick(Object.values(files)));
      const before = readFileSync(join(dir, path));
      const { name, after } = mutate(before, random);
      if (after !== undefined && Buffer.compare(before, after) === 0) continue;
      done += 1;
      const kind = kindOf(path);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (after === undefined) rmSync(join(dir, path));
      else writeFileSync(join(dir, path), after);
      if ((await fsckFolder(dir)).ok) missed.push(`${name} of ${path}`);
      writeFileSync(join(dir, path), before);
    }
    return { name: 'tlog-mutations', mutations, found: mutations - missed.length, missed, kinds };
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function publishOften(dir: string, publishes: number): Promise<void> {
  for (let round = 0; round < publishes; round += 1) {
    const sections = [{ id: 'a', heading: 'First', text: `This is text ${round}.` }];
    writeFileSync(join(dir, 'index.html'), htmlPage('Home', sections));
    writeFileSync(join(dir, 'x.html'), htmlPage('X', [{ id: 'b', heading: 'Second', text: `And ${round % 3}.` }]));
    await publish({ dir, site: SITE, atomEntries: 5, logKeyText: TEST_LOG_KEY });
  }
}

/** All that the log protects, by kind. */
function protectedFiles(dir: string): Readonly<Record<string, readonly string[]>> {
  const all = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
  const kinds: Record<string, string[]> = {};
  for (const path of all.sort()) {
    const kind = kindOf(path);
    if (kind !== 'other') kinds[kind] = [...(kinds[kind] ?? []), path];
  }
  return kinds;
}

function kindOf(path: string): string {
  // Pages are their author's; lists.json only saves work.
  if (/\.html$|^_headers$|^\.nojekyll$|\.lock$|lists\.json$/.test(path)) return 'other';
  if (path.startsWith('.well-known/tidings/tile/')) return path.includes('.p/') ? 'partial tiles' : 'tiles';
  if (/log(?:-\d+)?\.ndjson$/.test(path)) return 'log.ndjson';
  if (path.startsWith('.well-known/tidings/')) return 'files of the log and state';
  return path.startsWith('archive/') || /changes-\d+/.test(path) ? 'archives' : 'feeds';
}

function mutate(before: Buffer, random: Random): { readonly name: string; readonly after: Buffer | undefined } {
  const at = random.integer(0, before.length - 1);
  const kind = random.integer(0, 5);
  if (kind === 0) return { name: 'a removal', after: undefined };
  if (kind === 1) return { name: 'a cut', after: before.subarray(0, at) };
  if (kind === 2) return { name: 'an addition', after: Buffer.concat([before, Buffer.from('x\n')]) };
  if (kind === 3) {
    const end = Math.min(before.length, at + random.integer(1, 40));
    return { name: 'a gap', after: Buffer.concat([before.subarray(0, at), before.subarray(end)]) };
  }
  if (kind === 4 && before.includes('\n')) {
    const lines = before.toString('latin1').split('\n');
    const [one, other] = [random.integer(0, lines.length - 1), random.integer(0, lines.length - 1)];
    [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
    return { name: 'a swap of lines', after: Buffer.from(lines.join('\n'), 'latin1') };
  }
  const flipped = Buffer.from(before);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << random.integer(0, 7));
  return { name: 'a flipped bit', after: flipped };
}
