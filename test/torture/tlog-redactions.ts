import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsckFolder } from '../../src/doors/fsck-folder.ts';
import { publish } from '../../src/doors/publish.ts';
import { redactFolder } from '../../src/doors/redact-folder.ts';
import { signerIn } from '../../src/io/files/log-key.ts';
import type { Change } from '../../src/model/change.ts';
import { htmlPage } from '../support/site.ts';
import { readTestLog, rootOf, TEST_LOG_KEY } from '../support/tlog-site.ts';

const SITE = 'https://docs.example/';
const LOG = '.well-known/tidings/log.ndjson';

export interface RedactionReport {
  readonly name: string;
  readonly redactions: number;
  /** Texts that a file still holds which the command says not to. */
  readonly leaks: readonly string[];
  /** Heads of before that the log does not go on from any more, and what fsck finds. */
  readonly broken: number;
}

export function describeRedactions({ name, redactions, leaks, broken }: RedactionReport): string {
  return `${name}: ${redactions} redactions, ${leaks.length} texts left in files that the command calls clean, ${broken} proofs broken`;
}

/** Publishes secrets, takes them out again one by one, and looks for them in every file. */
export async function tortureTlogRedactions(redactions: number): Promise<RedactionReport> {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-torture-'));
  const logSigner = signerIn(TEST_LOG_KEY, 'the key of a test');
  try {
    await publishSecrets(dir, redactions);
    const heads = [readTestLog(dir)];
    const secretive = changesOf(dir).filter(({ excerpt = '', before = '' }) => /secret-\d/.test(excerpt + before));
    const kept = new Set<string>();
    let done = 0;
    for (const { id } of secretive) {
      const report = await redactFolder(dir, id, { logSigner });
      for (const path of report.kept) kept.add(path);
      done += 1;
      if (done % 20 === 0) heads.push(readTestLog(dir));
    }
    const last = readTestLog(dir);
    const forked = heads.filter(({ size, root }) => rootOf(last.bytes.slice(0, size)) !== root).length;
    const { findings } = await fsckFolder(dir);
    // A feed or a log that was named at first held other secrets then, which are gone by now.
    const leaks = telling(dir).filter((path) => !kept.has(path) || /\.(?:atom|ndjson)$/.test(path));
    return { name: 'tlog-redactions', redactions: done, leaks, broken: forked + last.faults.length + findings.length };
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Every publish tells ten secrets and takes back those before. */
async function publishSecrets(dir: string, redactions: number): Promise<void> {
  const pages = 10;
  // Each change names the secret of before and that of now; the last publish tells none.
  const publishes = Math.ceil(redactions / pages) + 1;
  for (let round = 0; round < publishes; round += 1) {
    for (let page = 0; page < pages; page += 1) {
      const text = round === publishes - 1 ? 'Nothing any more.' : `This is secret-${round}-${page}.`;
      writeFileSync(join(dir, `p${page}.html`), htmlPage(`Page ${page}`, [{ id: 'a', heading: 'First', text }]));
    }
    await publish({ dir, site: SITE, atomEntries: 4, logKeyText: TEST_LOG_KEY });
  }
}

function changesOf(dir: string): readonly Change[] {
  const [, ...lines] = readFileSync(join(dir, LOG), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Change);
}

function telling(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /secret-\d/.test(readFileSync(file, 'latin1')))
    .map((file) => file.slice(dir.length + 1));
}
