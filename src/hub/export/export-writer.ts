import { hash } from 'node:crypto';
import type { ExportedDocument } from '../../dialects/shelf-export.ts';
import { exportDiffersError, exportStoppedError } from '../../errors/export-error.ts';
import type { ExportManifest } from './export-manifest.ts';
import type { ExportProgress, ExportReport } from './export-report.ts';
import type { ExportTarget, TargetFile } from './export-target.ts';

export interface ExportWriterParts {
  /** The files at the target. */
  readonly files: Map<string, TargetFile>;
  /** Which versions were written as which files. */
  readonly large: ExportManifest['large'];
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Smaller documents are compared as a whole each time. */
const LARGE_BYTES = 256 * 1024;

/** Writes documents to a target unless they are already there, and stops if a lasting file would change. */
export class ExportWriter {
  /** Files that can be recognised as unchanged without reading them. */
  readonly large: Record<string, readonly [string, string]> = {};
  readonly #target: ExportTarget;
  readonly #parts: ExportWriterParts;
  /** Lasting files that hold what the hub serves. */
  readonly #same = new Set<string>();
  #documents = 0;
  #looked = 0;
  #written = 0;
  #bytesWritten = 0;

  constructor(target: ExportTarget, parts: ExportWriterParts) {
    this.#target = target;
    this.#parts = parts;
  }

  get report(): ExportReport {
    return { documents: this.#documents, written: this.#written, bytesWritten: this.#bytesWritten };
  }

  /** As it lies at the target; undefined where nothing does. */
  fileAt(path: string): TargetFile | undefined {
    return this.#parts.files.get(path);
  }

  /** Whether a lasting document is known to be at the target, byte for byte. */
  isSame(path: string): boolean {
    return this.#same.has(path);
  }

  /** Somebody compared it before. */
  noteSame(path: string): void {
    this.#same.add(path);
    this.#look();
    this.#documents += 1;
  }

  async write(document: ExportedDocument & { readonly isOwn?: true }): Promise<void> {
    this.#look();
    const isThere = await (document.kind === 'lasting' ? this.#addLasting(document) : this.#writeHead(document));
    if (isThere && document.isOwn === undefined) this.#documents += 1;
  }

  #look(): void {
    const { signal, onProgress } = this.#parts;
    if (signal?.aborted) throw exportStoppedError(this.#target.name);
    this.#looked += 1;
    onProgress?.({ looked: this.#looked, written: this.#written });
  }

  async #addLasting(document: ExportedDocument): Promise<boolean> {
    const { path } = document;
    const bytes = await document.read();
    if (bytes === undefined) return false;
    const file = this.fileAt(path);
    const added = file === undefined ? await this.#target.add({ ...document, bytes }) : undefined;
    if (added !== undefined) this.#noteWritten(path, added);
    // Not listed and there all the same: another run is at work.
    else if (file === undefined) await this.#ensureEqual(path, bytes);
    else if (!(await this.#target.holds(path, file, bytes))) await this.#ensureEqual(path, bytes);
    this.#same.add(path);
    return true;
  }

  async #writeHead(document: ExportedDocument): Promise<boolean> {
    const { path, version } = document;
    const file = this.fileAt(path);
    if (file !== undefined && version !== undefined && this.#isKnown(path, file, version)) return true;
    const bytes = await document.read();
    if (bytes === undefined) return false;
    const isSame = file?.bytes === bytes.length && (await this.#target.holds(path, file, bytes));
    if (!isSame) {
      if (document.kind === 'growing' && file !== undefined) await this.#ensureGrows(path, file, bytes);
      this.#noteWritten(path, await this.#target.replace({ ...document, bytes }));
    }
    this.#noteLarge(document, bytes);
    return true;
  }

  #isKnown(path: string, file: TargetFile, { tag, bytes }: NonNullable<ExportedDocument['version']>): boolean {
    const [knownTag, stamp] = this.#parts.large[path] ?? [];
    if (file.bytes !== bytes || knownTag !== tag || stamp !== file.stamp) return false;
    this.large[path] = [tag, file.stamp];
    return true;
  }

  #noteLarge({ path, version }: ExportedDocument, bytes: Uint8Array): void {
    const file = this.fileAt(path);
    if (version === undefined || file === undefined || bytes.length < LARGE_BYTES) return;
    this.large[path] = [version.tag, file.stamp];
  }

  #noteWritten(path: string, file: TargetFile): void {
    this.#parts.files.set(path, file);
    this.#written += 1;
    this.#bytesWritten += file.bytes;
  }

  async #ensureGrows(path: string, file: TargetFile, bytes: Uint8Array): Promise<void> {
    if (file.bytes < bytes.length && (await this.#target.holds(path, file, bytes.subarray(0, file.bytes)))) return;
    const there = (await this.#target.read(path)) ?? new Uint8Array();
    throw exportDiffersError(this.#target.name, path, { there: hexOf(there), here: hexOf(bytes) });
  }

  async #ensureEqual(path: string, bytes: Uint8Array): Promise<void> {
    const there = (await this.#target.read(path)) ?? new Uint8Array();
    if (Buffer.compare(there, bytes) === 0) return;
    throw exportDiffersError(this.#target.name, path, { there: hexOf(there), here: hexOf(bytes) });
  }
}

function hexOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
