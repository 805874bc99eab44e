import { concatBytes } from '../codecs/primitives/bytes.ts';
import type { OpenedCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
import { encodeTilePath } from '../codecs/tlog/tile-path.ts';
import { hashesOfLevel, tileWidth } from '../codecs/tlog/tiles-of-size.ts';
import { encodeVerifierKey, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DocumentSource } from '../dialects/document-source.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { TileError } from '../errors/tile-error.ts';
import { TreeReader } from '../tlog/tree-reader.ts';
import { type AuditedContents, auditContents } from './audit-contents.ts';
import { type AuditMemory, knowledgeOf } from './audit-memory.ts';
import { type AuditFinding, type AuditReport, type EvidenceFile, keyOf, type OpenFinding } from './audit-report.ts';
import { type AuditedPlace, findLog } from './audited-place.ts';
import { compareHeads } from './compare-heads.ts';
import { forkEvidence, forkFinding } from './fork-finding.ts';
import { judgeNote, openServed, type Served, type ServedCheckpoint } from './open-served.ts';
import { patientSource } from './patient-source.ts';
import { type ReadLog, readAuditedLog } from './read-log.ts';
import { type TrustedKey, trustedKey } from './trusted-key.ts';

export interface AuditRequest {
  readonly source: DocumentSource;
  readonly dialects: readonly Dialect[];
  /** What the last audit stored. */
  readonly memory?: AuditMemory | undefined;
  /** A signed checkpoint that was seen before. */
  readonly since?: Uint8Array | undefined;
  /** The key of the log, known from another place. */
  readonly vkey?: string | undefined;
  /** The witnesses that must have cosigned, in addition to the log itself. */
  readonly quorum?: AuditQuorum | undefined;
  /** How often a live place is looked at again if its log and its feeds are not at the same point. Default: 4. */
  readonly looks?: number | undefined;
  /** How long the limits of a live place are waited out in total. Default: 10 minutes. */
  readonly maxWaitMs?: number | undefined;
}

/** Witnesses that a follower knows, and whether enough of them have cosigned a checkpoint. */
export interface AuditQuorum {
  readonly witnesses: readonly VerifierKey[];
  /** Undefined if enough have; otherwise what is missing, in words. */
  missing(checkpoint: OpenedCheckpoint): string | undefined;
}

export interface AuditPorts {
  readonly wait: (ms: number) => Promise<void>;
  readonly onStatus: (line: string) => void;
}

export interface Audited {
  readonly report: AuditReport;
  /** For the next audit; absent if nothing new was proven. */
  readonly memory?: AuditMemory;
}

/** A hub writes a checkpoint at least every 5 s. */
const PAUSE_MS = 3000;
const LOOKS = 4;
const MAX_WAIT_MS = 10 * 60_000;
/** The maximum number of new entries that are read in one audit. */
const MAX_NEW_ENTRIES = 2_000_000;

/**
 * Proves that what was seen of a log before is a prefix of what is served now, and that the feeds and files of its place match the log.
 *
 * Throws if there is no log, if nothing can be read now, and for invalid settings.
 */
export async function auditLog(request: AuditRequest, ports: AuditPorts): Promise<Audited> {
  const { maxWaitMs = MAX_WAIT_MS } = request;
  const place = await findLog(patientSource(request.source, { ...ports, maxWaitMs }));
  const { witnesses } = request.quorum ?? {};
  const found = await trustedKey(place.tiles, { given: request.vkey, pinned: request.memory?.vkey });
  const trusted = { ...found, ...(witnesses && { witnesses }) };
  const held = heldOf(request, trusted);
  const audit = new Audit({ request, ports, place, trusted, held });
  try {
    return await audit.run();
  } catch (error) {
    if (!(error instanceof TileError)) throw error;
    return error.isMissing ? audit.close({ unread: [error.message] }) : audit.close({ findings: [tileFinding(error)] });
  }
}

interface AuditParts {
  readonly request: AuditRequest;
  readonly ports: AuditPorts;
  readonly place: AuditedPlace;
  readonly trusted: TrustedKey;
  /** What was seen before, the largest last. */
  readonly held: readonly ServedCheckpoint[];
}

class Audit {
  readonly #parts: AuditParts;
  readonly #log: ReadLog;
  readonly #notes: string[] = [];
  /** The largest checkpoint that was proven. */
  #proven: ServedCheckpoint | undefined;
  /** Set once its entries were read as well. */
  #tree: TreeReader | undefined;

  constructor(parts: AuditParts) {
    this.#parts = parts;
    const { request, trusted, held } = parts;
    const entries = [...(request.memory?.entries ?? [])];
    this.#log = { knowledge: knowledgeOf(entries, trusted.key.name), entries, findings: [] };
    this.#proven = held.at(-1);
    if (trusted.isFirstSight) {
      this.#notes.push(`The key was taken from the place itself, at first sight: ${encodeVerifierKey(trusted.key)}`);
    }
  }

  async run(): Promise<Audited> {
    const { request, ports, place, held } = this.#parts;
    const from = this.#log.knowledge.size;
    const looked = await this.#look(held);
    if (looked !== undefined) return looked;
    const looks = place.documents.live ? (request.looks ?? LOOKS) : 1;
    const contents = await this.#contents(from);
    let { open } = contents;
    for (let look = 1; look < looks && open.length > 0; look += 1) {
      ports.onStatus('the log and what is told are not equally far; looking again');
      await ports.wait(PAUSE_MS);
      const lookedAgain = await this.#look(this.#proven === undefined ? [] : [this.#proven]);
      if (lookedAgain !== undefined) return lookedAgain;
      open = await this.#stillOpen(open, from);
    }
    const { lasting, unread, notes } = contents;
    const findings = [...this.#keyFinding(), ...this.#log.findings, ...lasting, ...open.map(({ finding }) => finding)];
    return this.close({ findings, unread, notes });
  }

  async #contents(from: number): Promise<AuditedContents> {
    const { request, ports, place } = this.#parts;
    const { onStatus } = ports;
    return await auditContents({ ...request, place: place.documents, log: this.#log.knowledge, from, onStatus });
  }

  /** The findings that neither the log nor the feeds explain by now. New ones are left to the next audit: an active place always has some. */
  async #stillOpen(open: readonly OpenFinding[], from: number): Promise<readonly OpenFinding[]> {
    const left = open.filter(({ isLogged }) => isLogged?.() !== true);
    if (left.every(({ isLogged }) => isLogged !== undefined)) return left;
    const again = new Set((await this.#contents(from)).open.map(keyOf));
    return left.filter((each) => each.isLogged !== undefined || again.has(keyOf(each)));
  }

  /** Reads the checkpoint, compares it with those seen before and reads what is new. Undefined if everything is correct. */
  async #look(held: readonly ServedCheckpoint[]): Promise<Audited | undefined> {
    const { place, trusted, request, ports } = this.#parts;
    const { served, missing } = await this.#served();
    if (served.is === 'unread') return this.close({ unread: [served.reason], evidence: [refused(served.text)] });
    if (served.is === 'wrong') return this.close({ findings: [served.finding], evidence: [refused(served.text)] });
    const { checkpoint } = served;
    if (missing !== undefined) return this.close({ unread: [missing] });
    for (const before of held) {
      const ended = await this.#compare(before, checkpoint);
      if (ended !== undefined) return ended;
    }
    const { treeSize } = checkpoint.checkpoint;
    if (treeSize - this.#log.knowledge.size > MAX_NEW_ENTRIES) {
      return this.close({
        unread: [`${place.tiles.name} has ${treeSize} entries; at most ${MAX_NEW_ENTRIES} new ones are read`],
      });
    }
    const tree = new TreeReader(place.tiles, checkpoint.checkpoint);
    await readAuditedLog(tree, this.#log, { origin: trusted.key.name, onStatus: ports.onStatus });
    this.#proven = checkpoint;
    this.#tree = tree;
    await this.#tree.edge();
    if (request.since === undefined && treeSize === 0) this.#notes.push('The log is empty.');
    return undefined;
  }

  /** The checkpoint, and what its quorum lacks. A checkpoint signed a moment ago may not have reached its witnesses yet. */
  async #served(): Promise<{ readonly served: Served; readonly missing?: string | undefined }> {
    const { place, trusted, request, ports } = this.#parts;
    const looks = place.documents.live ? (request.looks ?? LOOKS) : 1;
    for (let look = 1; ; look += 1) {
      const served = await openServed(place.tiles, trusted);
      const missing = served.is === 'good' ? request.quorum?.missing(served.checkpoint) : undefined;
      if (missing === undefined || look >= looks) return { served, missing };
      ports.onStatus('witnesses have not cosigned yet; looking again');
      await ports.wait(PAUSE_MS);
    }
  }

  async #compare(before: ServedCheckpoint, now: ServedCheckpoint): Promise<Audited | undefined> {
    const { place, request } = this.#parts;
    const isRemembered = before.text === request.memory?.checkpoint;
    const course = await compareHeads(place.tiles, {
      held: before.checkpoint,
      served: now.checkpoint,
      ...(isRemembered && request.memory !== undefined && { heldTiles: request.memory.edge }),
    });
    if (course.is === 'grown') return undefined;
    const sizes = `${now.checkpoint.treeSize} entries, and ${before.checkpoint.treeSize} were seen before`;
    if (course.is === 'stale') {
      return this.close({ unread: [`${place.tiles.name} serves an old copy of the log: ${sizes}`] });
    }
    const fork = { held: before, served: now, where: `${place.tiles.name}/checkpoint` };
    const proof = course.is === 'fork' ? course.proof : undefined;
    const evidence = forkEvidence({ ...fork, proof });
    if (course.is === 'fork') return this.close({ findings: [forkFinding({ ...fork, proof })], evidence });
    const reason = `${place.tiles.name} went back: ${sizes}, and whether one is the beginning of the other cannot be told: ${course.reason}`;
    return this.close({ unread: [reason], evidence });
  }

  #keyFinding(): readonly AuditFinding[] {
    const { place, trusted } = this.#parts;
    if (trusted.other === undefined) return [];
    const [trustedKeyText, served] = [encodeVerifierKey(trusted.key), encodeVerifierKey(trusted.other)];
    const what =
      'Two logs under one name: the place names another key as its own than the one that is trusted and has signed its checkpoint.';
    return [{ what, where: `${place.tiles.name}/vkey`, evidence: { trusted: trustedKeyText, served } }];
  }

  async close(said: Said): Promise<Audited> {
    const { findings = [], unread = [], notes = [], evidence = [] } = said;
    const { trusted, held } = this.#parts;
    const previous = held.at(-1);
    const { newest } = this.#log.knowledge;
    const vkey = encodeVerifierKey(trusted.key);
    const report: AuditReport = {
      ok: findings.length === 0 && unread.length === 0,
      proven: this.#tree !== undefined,
      size: this.#proven?.checkpoint.treeSize ?? 0,
      ...(previous !== undefined && { previousSize: previous.checkpoint.treeSize }),
      findings,
      unread,
      notes: [...this.#notes, ...notes],
      vkey,
      ...(newest !== undefined && { newest }),
      evidence,
    };
    if (this.#tree === undefined || this.#proven === undefined) return { report };
    const edge = await edgeTiles(this.#tree);
    const { size } = this.#tree;
    const entries = this.#log.entries.filter(({ index }) => index < size);
    return { report, memory: { vkey, checkpoint: this.#proven.text, edge, entries } };
  }
}

interface Said {
  readonly findings?: readonly AuditFinding[];
  readonly unread?: readonly string[];
  readonly notes?: readonly string[];
  readonly evidence?: readonly EvidenceFile[];
}

/** What was seen before: it counts only under the trusted key. */
function heldOf({ since, memory }: AuditRequest, trusted: TrustedKey): readonly ServedCheckpoint[] {
  const notes = [since, memory === undefined ? undefined : new TextEncoder().encode(memory.checkpoint)];
  const held = notes.flatMap((bytes) => {
    if (bytes === undefined) return [];
    const judged = judgeNote(bytes, { key: trusted.key, isFirstSight: false }, 'The checkpoint that was seen before');
    if (judged.is === 'good') return [judged.checkpoint];
    const reason = judged.is === 'wrong' ? judged.finding.what : judged.reason;
    throw new SettingRefusedError(
      'since',
      judged.text.slice(0, 100),
      `${reason} Give a checkpoint of this log, and its key with --vkey.`,
    );
  });
  return held.sort((one, other) => one.checkpoint.treeSize - other.checkpoint.treeSize);
}

async function edgeTiles(tree: TreeReader): Promise<ReadonlyMap<string, Uint8Array>> {
  const tiles = new Map<string, Uint8Array>();
  for (const [level, hashes] of await tree.edge()) {
    const index = Math.floor(hashesOfLevel(tree.size, level) / 256);
    tiles.set(encodeTilePath({ level, index, width: tileWidth(tree.size, level, index) }), concatBytes(...hashes));
  }
  return tiles;
}

function refused(text: string): EvidenceFile {
  return { name: 'refused.checkpoint', text };
}

function tileFinding({ message, log, paths, reason }: TileError): AuditFinding {
  return { what: message, where: `${log}/${paths[0] ?? ''}`, evidence: { paths, reason } };
}
