/**
 * Validates XML by its schema, with libxml2. Each function takes any number of documents (a call costs about as much for a hundred as for one) and returns the
 * errors: none if all are valid.
 */

import { readFile } from 'node:fs/promises';
import { memoryPages, validateXML } from 'xmllint-wasm';

/** Atom feeds and entries, by the schema of RFC 4287. */
export function validAtom(...documents: string[]): Promise<string[]> {
  return complaints(documents, { extension: 'relaxng', schema: 'rfc4287.rng' });
}

/** Plain sitemaps and their indexes, by the schema of Sitemaps 0.9. Elements of other namespaces are refused. */
export function validSitemap(...documents: string[]): Promise<string[]> {
  return complaints(documents, { extension: 'schema', schema: 'schemas/sitemap.xsd' });
}

/** Documents of ResourceSync: sitemaps with `rs:md` and `rs:ln`, and attributes of other namespaces on these two. */
export function validResourceSync(...documents: string[]): Promise<string[]> {
  return complaints(documents, {
    extension: 'schema',
    schema: 'schemas/resourcesync.xsd',
    imported: 'schemas/sitemap.xsd',
  });
}

interface Rules {
  readonly extension: 'schema' | 'relaxng';
  readonly schema: string;
  /** The `schemaLocation` in the schema. */
  readonly imported?: string;
}

async function complaints(documents: readonly string[], { extension, schema, imported }: Rules): Promise<string[]> {
  const { valid, errors, rawOutput } = await validateXML({
    xml: documents.map((contents, at) => ({ fileName: `document-${at + 1}.xml`, contents })),
    extension,
    schema: await load(schema),
    preload: imported === undefined ? [] : [await load(imported)],
    maxMemoryPages: 1 * memoryPages.GiB,
  });
  if (valid) return [];
  return errors.length === 0 ? [rawOutput || 'refused'] : errors.map(({ rawMessage }) => rawMessage);
}

async function load(path: string): Promise<{ fileName: string; contents: string }> {
  const contents = await readFile(new URL(path, import.meta.url), 'utf8');
  return { fileName: path.replace(/^.*\//, ''), contents };
}
