import { onTestFinished } from 'vitest';
import { sha256Name } from '../../src/codecs/diffdelta/cursor.ts';
import { type DiffDeltaSite, makeDiffDeltaFiles, type SiteRun, serveDiffDelta } from './diffdelta-site.ts';

export const RUNS: readonly SiteRun[] = [
  { source: 'docs', pages: { a: { action: 'create' }, b: { action: 'create', excerpt: 'First words.' } } },
  { source: 'blog', pages: { x: { action: 'create' }, evil: { action: 'create', risk: 0.4 } } },
  { source: 'docs', pages: { a: { action: 'update' }, c: { action: 'create' } } },
  { source: 'docs', pages: { b: { action: 'delete' }, a: { action: 'update' }, c: { action: 'update' } } },
];

export const OPTIONS = { spec: 'diffdelta', allowPrivate: true } as const;

export async function serveSite(): Promise<DiffDeltaSite> {
  const site = await serveDiffDelta((origin) => makeDiffDeltaFiles(RUNS, origin));
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

export const LATEST = '/diff/docs/latest.json';
export const HEAD = '/diff/docs/head.json';
export const MANIFEST = '/.well-known/diffdelta.json';

/** By the path of a field: its new value, a function of the old value, or undefined to remove it. */
export type Edits = Readonly<Record<string, unknown>>;
export type Fields = Record<string, unknown>;

export function edited(text: string | undefined, edits: Edits): Fields {
  const fields: Fields = JSON.parse(text ?? '{}');
  for (const [path, value] of Object.entries(edits)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const place = keys.reduce((at, key) => at[key] as Fields, fields);
    place[last] = typeof value === 'function' ? value(place[last], fields) : value;
    // Undefined in a list would become null.
    if (place[last] === undefined) delete place[last];
  }
  return fields;
}

export function edit(site: DiffDeltaSite, path: string, edits: Edits): void {
  site.files.set(path, JSON.stringify(edited(site.files.get(path), edits)));
}

/** Changes one archive, and seals it again. */
export function editArchive(site: DiffDeltaSite, path: string, edits: Edits): void {
  site.files.set(path, sealed(edited(site.files.get(path), edits)));
}

/** A feed in our formatting, with its hash. */
export function sealed({ hash: _, ...fields }: Fields): string {
  const body = `${JSON.stringify(fields).slice(1)}\n`;
  return `{"hash":"${sha256Name(`{${body}`)}",${body}`;
}

/** The path of the archive of the last run of docs, or of an earlier one. */
export function archiveOf(site: DiffDeltaSite, runsBefore = 0): string {
  let path = String(edited(site.files.get(LATEST), {}).archive_url);
  for (let run = 0; run < runsBefore; run += 1) path = String(edited(site.files.get(path), {}).prev_archive_url);
  return path;
}

export const sameCursor = (_: unknown, feed: Fields) => feed.cursor;

export const setHeader = (name: string, value: string | undefined, where: RegExp) => (site: DiffDeltaSite) => {
  site.headers = (path, headers) => (where.test(path) ? { ...headers, [name]: value } : headers);
};

export const ONES = `sha256:${'1'.repeat(64)}`;
