import type { ExportedDocument, ShelfExport } from '../../dialects/shelf-export.ts';
import type { Artifact } from '../../model/artifact.ts';
import { HEADERS_FILE, NO_JEKYLL, publishHeaders } from '../../produce/static-host.ts';
import { decodeExportManifest, encodeManifest, MANIFEST_PATH } from './export-manifest.ts';
import type { ExportProgress, ExportReport } from './export-report.ts';
import type { ExportTarget } from './export-target.ts';
import { ExportWriter } from './export-writer.ts';
import { writeLasting } from './lasting-files.ts';

export interface ExportOptions {
  /** Where readers find the hub, with a final slash. */
  readonly base: URL;
  /** From then on the shelves give documents of one moment. Called once all that lasts is written for the first time. */
  readonly holdView: () => Promise<Disposable>;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the documents of a hub out, such that a host of static files serves them.
 *
 * Lasting files are written first and never replaced; heads are written after everything that they name. So a reader always finds what a head names, wherever
 * this stops. Files that are already at the target stay as they are: a run without news writes nothing.
 */
export async function exportHub(
  shelves: readonly ShelfExport[],
  target: ExportTarget,
  options: ExportOptions,
): Promise<ExportReport> {
  const files = await target.list();
  const manifest = files.has(MANIFEST_PATH) ? decodeExportManifest(await target.read(MANIFEST_PATH)) : undefined;
  const writer = new ExportWriter(target, { files, large: manifest?.large ?? {}, ...options });
  // This takes long, so it runs before the view is held: later changes are added below.
  await writeLasting(shelves, writer, manifest?.same ?? {});
  using _view = await options.holdView();
  const same = await writeLasting(shelves, writer, manifest?.same ?? {});
  for (const file of await headerFiles(shelves, target, options.base)) await writer.write(fileOf(file));
  for (const shelf of shelves) {
    for await (const document of shelf.heads()) await writer.write(document);
  }
  const base = options.base.href;
  await writer.write(fileOf(encodeManifest({ base, same, large: writer.large })));
  return writer.report;
}

/** Media types and cache rules, for hosts that read them from files. */
async function headerFiles(
  shelves: readonly ShelfExport[],
  target: ExportTarget,
  base: URL,
): Promise<readonly Artifact[]> {
  if (!target.wantsHeaderFiles) return [];
  const own = Buffer.from((await target.read(HEADERS_FILE)) ?? []).toString('latin1');
  const rules = [...shelves.flatMap((shelf) => shelf.rules), { path: MANIFEST_PATH, cacheControl: 'no-store' }];
  return [publishHeaders(own, rules, base, 'export'), NO_JEKYLL];
}

/** A file of the export itself, not a document of the hub. */
function fileOf({ bytes, ...facts }: Artifact): ExportedDocument & { readonly isOwn: true } {
  return { ...facts, kind: 'moving', read: () => bytes, isOwn: true };
}
