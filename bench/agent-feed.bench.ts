import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeDid } from '../src/codecs/agent-feed/encode-did.ts';
import { encodeAgentFeed, type FeedEntry } from '../src/codecs/agent-feed/encode-feed.ts';
import { encodePayload, summaryOf } from '../src/codecs/agent-feed/encode-payload.ts';
import { encodeSignature } from '../src/codecs/agent-feed/signature-text.ts';
import type { Fact } from '../src/codecs/agent-feed/wire.ts';
import { publicKeyOfSeed, signBytes } from '../src/surface/ed25519.ts';
import { type BenchResult, type Cost, type FigureResult, judgeCosts, measureInTurn } from './harness.ts';

const ENTRIES = 10_000;
const ENDPOINTS = 1000;
const ROUNDS = 5;
const DID = 'did:web:api.example';
const TIME = '2026-04-27T12:00:00Z';

type Work = 'verify' | 'read' | 'reread' | 'append';

/**
 * A feed of 10,000 signed entries, read by a reader with a state file, compared with the bare verification of the same signatures. Each run is a separate
 * process, so that neither side pays for the heap of the other.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-agent-feed-'));
  try {
    await writeDocuments(folder);
    const onOneCore = isBound();
    const one = (work: Work) => () => run(work, folder, onOneCore ? ['taskset', '-c', '0'] : []);
    const costs = await measureInTurn({ ours: one('read'), peer: one('verify') }, ROUNDS);
    const all = await measureInTurn({ ours: () => run('read', folder), peer: () => run('verify', folder) }, ROUNDS);
    const again = await measureInTurn({ reread: one('reread'), append: one('append') }, ROUNDS);
    const shared = { unit: 'fact', peerName: 'node:crypto verify' };
    return [
      judgeCosts({ ...shared, name: 'agent-feed-one-core', by: 'cpu', goal: { atLeast: 0.6 } }, costs),
      judgeCosts({ ...shared, name: 'agent-feed-all-cores', by: 'wall', goal: { atLeast: 1 } }, all),
      judgeCosts(
        { ...shared, name: 'agent-feed-unchanged', by: 'cpu', goal: { atMost: 0.1 } },
        { ours: again.reread, peer: costs.peer },
      ),
      judgeCosts(
        { ...shared, name: 'agent-feed-one-appended', by: 'cpu', goal: { atMost: 0.6 } },
        { ours: again.append, peer: costs.peer },
      ),
      memoryOf(folder),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

const APPLIED: Readonly<Record<Work, number>> = { verify: ENTRIES, read: ENTRIES, reread: 0, append: 1 };

interface Story {
  readonly entries: number;
  readonly cpuUs: number;
  readonly wallUs: number;
  readonly maxRssKb: number;
}

/** A run with another number of entries than expected says nothing about speed. */
function tell(work: Work, folder: string, before: readonly string[] = []): Story {
  const [command = '', ...words] = [...before, process.execPath, join('bench', 'agent-feed-child.mjs'), work, folder];
  const output = execFileSync(command, words, { encoding: 'utf8' });
  const story = JSON.parse(output) as Story;
  if (story.entries !== APPLIED[work]) throw new Error(`Not what was to be measured: ${work} ${output}`);
  return story;
}

/** Per entry of the feed, however many of them were new. */
function run(work: Work, folder: string, before: readonly string[] = []): Cost {
  const { cpuUs, wallUs } = tell(work, folder, before);
  return { cpuUs: cpuUs / ENTRIES, wallUs: wallUs / ENTRIES };
}

function memoryOf(folder: string): FigureResult {
  const megabytes = (work: Work) => Math.round(tell(work, folder).maxRssKb / 1024);
  const ours = { 'peak RSS in MB': megabytes('read') };
  const peer = { 'peak RSS in MB': megabytes('verify') };
  const reached = ours['peak RSS in MB'] < 300;
  return { name: 'agent-feed-memory', by: 'figures', ours, peer, peerName: 'verify', goal: '< 300 MB', reached };
}

/** Without `taskset` other cores may help, and their time counts. */
function isBound(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true']);
    return true;
  } catch {
    process.stdout.write('agent-feed: taskset is not here, so that CPU time on all cores counts\n');
    return false;
  }
}

async function writeDocuments(folder: string): Promise<void> {
  // A key for benches only: anybody can derive it.
  const seed = createHash('sha256').update('agent-feed bench key, not a secret').digest();
  const publicKey = Buffer.from(publicKeyOfSeed(seed)).toString('base64url');
  const did = encodeDid(DID, [{ id: `${DID}#key-1`, publicKey }]);
  if (!did.ok) throw new Error(did.issues[0].message);
  const entries = Array.from({ length: ENTRIES + 1 }, (_, at) => entryOf(at, factAt(at), seed));
  const feed = {
    url: 'https://api.example/',
    title: 'Bench',
    author: 'Bench',
    updated: TIME,
    status: 'active' as const,
  };
  await writeFile(join(folder, 'did.json'), did.value);
  await writeFile(join(folder, 'appended.xml'), encodeAgentFeed({ ...feed, entries }));
  const xml = encodeAgentFeed({ ...feed, entries: entries.slice(0, ENTRIES) });
  await writeFile(join(folder, 'feed.xml'), xml);
  process.stdout.write(`agent-feed: ${ENTRIES} entries of ${ENDPOINTS} endpoints, ${xml.length} bytes\n`);
}

function entryOf(at: number, fact: Fact, seed: Uint8Array): FeedEntry {
  const content = encodePayload(fact);
  if (!content.ok) throw new Error(content.issues[0].message);
  const signature = encodeSignature(signBytes(seed, Buffer.from(content.value)));
  return {
    id: `urn:af:api.example:${1_745_755_200_000 + at}`,
    updated: TIME,
    type: fact.type,
    content: content.value,
    signature,
    signer: `${DID}#key-1`,
    summary: summaryOf(fact),
  };
}

/** First all endpoints are announced. Most later entries are schema changes, and a tenth are deprecations. */
function factAt(at: number): Fact {
  const endpointId = `service-${at % ENDPOINTS}-api`;
  const round = Math.floor(at / ENDPOINTS);
  if (round === 0 || round === 5) {
    const endpoint = `https://api.example/v${round}/services/${at % ENDPOINTS}`;
    return {
      type: 'endpoint-announcement',
      endpointId,
      endpoint,
      protocol: 'rest',
      version: `${round}.0`,
      assertedAt: TIME,
    };
  }
  if (round === 9) {
    const sunset = `2027-01-01T00:00:0${at % 10}Z`;
    return { type: 'deprecation', endpointId, announcedAt: TIME, sunset, replacement: null, reason: 'It is replaced.' };
  }
  const migration = {
    add: [`/items/*/currency-${round}`, `/items/*/tax-${round}`],
    remove: [`/legacy-${round}`],
    rename: { [`/total-${round - 1}`]: `/total-${round}` },
  };
  const [fromVersion, toVersion] = [`${round - 1}.0`, `${round}.0`];
  return { type: 'schema-change', endpointId, fromVersion, toVersion, effectiveAt: TIME, migration };
}
