import { hash } from 'node:crypto';
import type { Result } from '../../../codecs/primitives/result.ts';
import { type DecodedDocument, decodeResourceSync } from '../../../codecs/resourcesync/decode.ts';
import type { ReadEntry } from '../../../codecs/resourcesync/read-entry.ts';
import { readZipDirectory } from '../../../codecs/zip/read-directory.ts';
import { readZipEntry } from '../../../codecs/zip/read-entry.ts';
import type { ByteSource, Inflate, ZipEntry } from '../../../codecs/zip/wire.ts';
import { DumpRefusedError } from '../../../errors/dump-error.ts';

export interface DumpLimits {
  /** The most files besides the manifest; 50,000 by default. */
  readonly maxEntries?: number | undefined;
  /** The most bytes that all files may unpack to, and so the most held in memory for one; 512 MB by default. */
  readonly maxBytes?: number | undefined;
}

/** A resource that a package describes. */
export interface DumpEntry extends ReadEntry {
  /** Its file in the package, without a leading slash. Absent for a deleted resource. */
  readonly file?: string | undefined;
  /** Its bytes, checked against the manifest. Undefined for a deleted resource. */
  read(): Promise<Uint8Array | undefined>;
}

/** A problem with one entry; the others can be used. */
export interface DumpProblem {
  /** `manifest`: the entry is invalid. `missing`: its file does not exist. `unnamed`: no entry names the file. */
  readonly kind: 'manifest' | 'missing' | 'length' | 'hash' | 'unnamed';
  readonly message: string;
}

/** A package that was read to its end. */
export interface Dump {
  readonly capability: 'resourcedump-manifest' | 'changedump-manifest';
  readonly manifest: DecodedDocument;
  /** In the order of the manifest: for changes, the oldest first. Entries with a problem are left out. */
  readonly entries: readonly DumpEntry[];
  /** The first hundred problems. */
  readonly problems: readonly DumpProblem[];
  /** The bytes of the manifest as they are in the package. */
  readManifest(): Promise<Uint8Array>;
}

export interface DumpWorld {
  readonly name: string;
  readonly source: ByteSource;
  readonly inflate: Inflate;
}

export const MANIFEST_FILE = 'manifest.xml';
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 512 * 1024 * 1024;
/** Room for the manifest and for folders, which may be separate entries. */
const OTHER_ENTRIES = 1000;
const MAX_PROBLEMS = 100;

/**
 * Reads a package of a Resource Dump or Change Dump. Every file is unpacked once and compared with its checksums before anything is
 * returned. So a package that is unsafe or damaged anywhere is refused as a whole, with a {@link DumpRefusedError}.
 */
export async function readDumpFrom(world: DumpWorld, limits: DumpLimits = {}): Promise<Dump> {
  const { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = limits;
  const { name, source } = world;
  const found = taken(name, await readZipDirectory(source, { maxEntries: maxEntries + OTHER_ENTRIES, maxBytes }));
  const files = new Map(found.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]));
  if (files.size > maxEntries + 1) throw new DumpRefusedError(name, 'ZIP-LIMIT', `It has over ${maxEntries} files.`);
  const { manifest, packed: packedManifest } = await readManifest(world, files);
  const claims = claimsOf(manifest);
  const problems: DumpProblem[] = manifest.problems.map(({ line, message }) => ({
    kind: 'manifest',
    message: `Line ${line}: ${message}`,
  }));
  const flawed = new Set<ReadEntry>();
  for (const entry of found) {
    const bytes = taken(name, await readZipEntry(source, entry, world.inflate));
    if (entry.isFolder || entry.name === MANIFEST_FILE) continue;
    const claimed = claims.get(entry.name);
    if (claimed === undefined) problems.push({ kind: 'unnamed', message: `The manifest does not name ${entry.name}.` });
    for (const claim of claimed ?? []) {
      const problem = problemOf(claim, bytes);
      if (problem === undefined) continue;
      flawed.add(claim);
      problems.push(problem);
    }
  }
  const entries: DumpEntry[] = [];
  for (const entry of manifest.entries) {
    const file = fileOf(entry);
    const packed = file === undefined ? undefined : files.get(file);
    if (file === MANIFEST_FILE) {
      problems.push({ kind: 'manifest', message: `${entry.loc}: the manifest names itself.` });
    } else if (file !== undefined && packed === undefined) {
      problems.push({ kind: 'missing', message: `${entry.loc}: there is no file ${file} in the package.` });
    } else if (!flawed.has(entry))
      entries.push({ ...entry, file, read: async () => packed && (await readAgain(world, packed)) });
  }
  const { capability } = manifest;
  return {
    capability,
    manifest,
    entries,
    problems: problems.slice(0, MAX_PROBLEMS),
    readManifest: () => readAgain(world, packedManifest),
  };
}

type Manifest = DecodedDocument & Pick<Dump, 'capability'>;

async function readManifest(
  world: DumpWorld,
  files: ReadonlyMap<string, ZipEntry>,
): Promise<{ readonly manifest: Manifest; readonly packed: ZipEntry }> {
  const refuse = (message: string) => new DumpRefusedError(world.name, 'DUMP-MANIFEST', message);
  const entry = files.get(MANIFEST_FILE);
  if (entry === undefined) throw refuse(`It has no ${MANIFEST_FILE}.`);
  const bytes = taken(world.name, await readZipEntry(world.source, entry, world.inflate));
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse(`Its ${MANIFEST_FILE} is not UTF-8.`);
  }
  const decoded = decodeResourceSync(text, { isIndex: false });
  if (!decoded.ok) throw refuse(`Its ${MANIFEST_FILE} cannot be read. ${decoded.issues[0].message}`);
  const { capability } = decoded.value;
  if (capability !== 'resourcedump-manifest' && capability !== 'changedump-manifest') {
    throw refuse(`Its ${MANIFEST_FILE} is no manifest, but has the capability ${capability}.`);
  }
  return { manifest: { ...decoded.value, capability }, packed: entry };
}

/** The manifest entries about each file. */
function claimsOf({ entries }: DecodedDocument): ReadonlyMap<string, readonly ReadEntry[]> {
  const claims = new Map<string, ReadEntry[]>();
  for (const entry of entries) {
    const file = fileOf(entry);
    if (file === undefined) continue;
    const known = claims.get(file);
    if (known === undefined) claims.set(file, [entry]);
    else known.push(entry);
  }
  return claims;
}

function fileOf({ md: { path, change } }: ReadEntry): string | undefined {
  return change === 'deleted' ? undefined : path?.replace(/^\//, '');
}

const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['md5', 'md5'],
  ['sha-1', 'sha1'],
  ['sha-256', 'sha256'],
]);

function problemOf({ loc, md }: ReadEntry, bytes: Uint8Array): DumpProblem | undefined {
  if (md.length !== undefined && md.length !== bytes.length) {
    return { kind: 'length', message: `${loc}: the file has ${bytes.length} bytes, not ${md.length}.` };
  }
  for (const digest of md.hash?.trim().split(/\s+/) ?? []) {
    const [name = '', value = ''] = digest.split(':', 2);
    const algorithm = ALGORITHMS.get(name.toLowerCase());
    if (algorithm !== undefined && hash(algorithm, bytes, 'hex') !== value.toLowerCase()) {
      return { kind: 'hash', message: `${loc}: the ${name} of the file is not that of the manifest.` };
    }
  }
  return undefined;
}

/** Checked again, because a file on disk may have changed since. */
async function readAgain(world: DumpWorld, entry: ZipEntry): Promise<Uint8Array> {
  return taken(world.name, await readZipEntry(world.source, entry, world.inflate));
}

function taken<T>(name: string, result: Result<T>): T {
  if (!result.ok) throw new DumpRefusedError(name, result.issues[0].clause, result.issues[0].message);
  return result.value;
}
