import { hash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError } from '../../errors/coded-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { HeldSections, SyncedPage } from '../../sync/sink.ts';
import { codeOf } from './folder.ts';
import { syncFolder } from './growth.ts';

/** What a sink remembers of a page that it cannot be asked for. */
export interface PageFacts extends HeldSections {
  /** Below the folder of the sink, with `/`; absent if there is none. */
  readonly file?: string;
  /** The checksum of the file as it was written. */
  readonly written?: string;
}

const OLD_TEMPORARY_MS = 60 * 60 * 1000;
const NO_SUCH = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** A folder with one JSON file for each page. Files are replaced in one step; made when it is first written to. */
export class PageFactsFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async *all(): AsyncIterable<PageFacts> {
    for (const name of await this.#names()) {
      const facts = name.endsWith('.json') ? decodeFacts(await bytesIfThere(join(this.#folder, name))) : undefined;
      if (facts !== undefined) yield facts;
    }
  }

  async of(url: string): Promise<PageFacts | undefined> {
    const facts = decodeFacts(await bytesIfThere(this.#fileOf(url)));
    return facts?.url === url ? facts : undefined;
  }

  async keep(facts: PageFacts): Promise<void> {
    await this.replace(this.#fileOf(facts.url), Buffer.from(`${JSON.stringify(facts)}\n`));
  }

  async drop(url: string): Promise<void> {
    await rm(this.#fileOf(url), { force: true });
  }

  /** Any file on the same disk: temp, fsync, rename, fsync of its folder. Writes nothing if the content is the same. */
  async replace(target: string, bytes: Uint8Array): Promise<void> {
    if ((await bytesIfThere(target))?.equals(bytes)) return;
    const temporary = join(this.#folder, `${randomBytes(8).toString('hex')}.tmp`);
    await mkdir(this.#folder, { recursive: true });
    await mkdir(dirname(target), { recursive: true });
    try {
      await writeDurably(temporary, bytes);
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(dirname(target));
  }

  /** What a killed run has left; that of one which runs now is younger. */
  async dropTemporary(): Promise<void> {
    for (const name of await this.#names()) {
      if (!name.endsWith('.tmp')) continue;
      const { mtimeMs } = await stat(join(this.#folder, name));
      if (Date.now() - mtimeMs > OLD_TEMPORARY_MS) await rm(join(this.#folder, name), { force: true });
    }
  }

  async #names(): Promise<readonly string[]> {
    return await readdir(this.#folder).catch((error: unknown) => {
      if (NO_SUCH.has(codeOf(error))) return [];
      throw error;
    });
  }

  #fileOf(url: string): string {
    return join(this.#folder, `${hash('sha256', url, 'hex').slice(0, 32)}.json`);
  }
}

/** What is to be remembered of a page that was put. */
export function heldOf({ url, source, checksum, sections }: SyncedPage): HeldSections {
  const held = sections.map((section) => ({
    anchor: section.anchor,
    checksum: section.checksum,
    chunks: section.chunks.map(({ id, fingerprint }) => ({ id, fingerprint })),
  }));
  return { url, source, checksum, sections: held };
}

export async function bytesIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (NO_SUCH.has(codeOf(error))) return undefined;
    throw error;
  }
}

/** What the disk says against it is said as an error of ours. */
export async function explainingDisk<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TidingsError) throw error;
    const message = `${root} cannot be used (${codeOf(error)}). What is there stays, and the next run goes on. Check its permissions and the disk.`;
    throw new CodedError('SinkFailedError', 'retry-later', message, { cause: error });
  }
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Undefined if it is not ours, or damaged: then the page is written again. */
function decodeFacts(bytes: Uint8Array | undefined): PageFacts | undefined {
  if (bytes === undefined) return undefined;
  try {
    const facts = JSON.parse(String(bytes)) as Partial<PageFacts> | null;
    const { url, source, checksum, file = '', written = '', sections } = facts ?? {};
    const isWhole = [url, source, checksum, file, written].every((value) => typeof value === 'string');
    const isInside = typeof file === 'string' && !file.split('/').includes('..') && !file.startsWith('/');
    return isWhole && isInside && Array.isArray(sections) ? (facts as PageFacts) : undefined;
  } catch {
    return undefined;
  }
}
