import { hash } from 'node:crypto';
import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ForeignFileError } from '../../errors/foreign-file-error.ts';
import { pageFile, pageFileUrl } from '../../sync/front-matter.ts';
import { hashedFileName, pageFileName } from '../../sync/page-file-name.ts';
import type { HeldPage, HeldSections, Sink, SyncedPage } from '../../sync/sink.ts';
import { bytesIfThere, explainingDisk, heldOf, type PageFacts, PageFactsFolder } from './page-facts.ts';

/** Inside the folder: what is remembered of its files. */
const FACTS = '.tidings-sync';

/**
 * A folder of Markdown files, one for each page. Made when it is first written to.
 *
 * Files are replaced in one step, so that a reader finds the old or the new one. A file that is not as it was written says so by another checksum. What was
 * not written by this sink is neither changed nor removed.
 */
export async function openDirSink(target: string): Promise<Sink> {
  const sink = new DirSink(resolve(target));
  await sink.open();
  return sink;
}

class DirSink implements Sink {
  readonly #root: string;
  readonly #facts: PageFactsFolder;
  /** Which page has which file, by its name in lower case: some disks know no other. */
  readonly #owners = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
    this.#facts = new PageFactsFolder(join(root, FACTS));
  }

  async open(): Promise<void> {
    await explainingDisk(this.#root, async () => {
      for await (const { url, file = '' } of this.#facts.all()) this.#owners.set(file.toLowerCase(), url);
      await this.#facts.dropTemporary();
    });
  }

  async *pages(): AsyncIterable<HeldPage> {
    for await (const facts of this.#facts.all()) {
      const { url, source, checksum } = await explainingDisk(this.#root, () => this.#asItLies(facts));
      yield { url, source, checksum };
    }
  }

  async held(url: string): Promise<HeldSections | undefined> {
    return await explainingDisk(this.#root, async () => {
      const facts = await this.#facts.of(url);
      return facts === undefined ? undefined : await this.#asItLies(facts);
    });
  }

  async put(page: SyncedPage): Promise<void> {
    const { url } = page;
    await explainingDisk(this.#root, async () => {
      const file = (await this.#facts.of(url))?.file ?? (await this.#freeName(url));
      const bytes = Buffer.from(pageFile(page));
      await this.#ensureOurs(file, url);
      await this.#facts.replace(join(this.#root, file), bytes);
      await this.#facts.keep({ ...heldOf(page), file, written: digestOf(bytes) });
      this.#owners.set(file.toLowerCase(), url);
    });
  }

  async remove(url: string): Promise<void> {
    await explainingDisk(this.#root, async () => {
      const { file } = (await this.#facts.of(url)) ?? {};
      if (file === undefined) return;
      const text = await this.#read(file);
      if (text !== undefined && pageFileUrl(String(text)) === url) {
        await rm(join(this.#root, file), { force: true });
        await this.#dropEmptyFolders(file);
      }
      await this.#facts.drop(url);
      this.#owners.delete(file.toLowerCase());
    });
  }

  /** Without a checksum if the file is not as it was written: then it is written again. */
  async #asItLies({ url, source, checksum, sections, file = '', written }: PageFacts): Promise<HeldSections> {
    const bytes = await this.#read(file);
    const isAsWritten = bytes !== undefined && digestOf(bytes) === written;
    return { url, source, checksum: isAsWritten ? checksum : '', sections };
  }

  async #read(file: string): Promise<Buffer | undefined> {
    return await bytesIfThere(join(this.#root, file));
  }

  /** Its own name, unless another page has it, or a folder or file is in the way. */
  async #freeName(url: string): Promise<string> {
    const wanted = pageFileName(url);
    const owner = this.#owners.get(wanted.toLowerCase()) ?? url;
    return owner === url && (await this.#canStandAt(wanted)) ? wanted : hashedFileName(url);
  }

  async #canStandAt(file: string): Promise<boolean> {
    if ((await this.#kindOf(file)) === 'folder') return false;
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      if ((await this.#kindOf(folder)) === 'file') return false;
    }
    return true;
  }

  async #kindOf(path: string): Promise<'file' | 'folder' | undefined> {
    const facts = await stat(join(this.#root, path)).catch(() => undefined);
    if (facts === undefined) return undefined;
    return facts.isDirectory() ? 'folder' : 'file';
  }

  async #ensureOurs(file: string, url: string): Promise<void> {
    const text = await this.#read(file);
    if (text === undefined || pageFileUrl(String(text)) !== undefined) return;
    const what = `was not written by sync, so that ${url} is not written there.`;
    throw new ForeignFileError(join(this.#root, file), 'Move it away, or choose another folder.', what);
  }

  async #dropEmptyFolders(file: string): Promise<void> {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      try {
        await rmdir(join(this.#root, folder));
      } catch {
        return;
      }
    }
  }
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
