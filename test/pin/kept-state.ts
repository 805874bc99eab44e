import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDatabase, sqlOfDatabase } from './sqlite-text.ts';

/** A file of a state, as text: itself, or the SQL that makes it, or its bytes. */
type KeptFile = string | { readonly sql: string } | { readonly base64: string };

const FILE = new URL('archives/0.1.0/state.json', import.meta.url);
const IS_DATABASE = /\.db$/;
/** Where a server stood, in what is kept. */
const HOST = 'docs.example';

/** Every state by its name, each a small tree of files. */
export function readKeptState(): Readonly<Record<string, Readonly<Record<string, KeptFile>>>> {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

export function writeKeptState(states: Readonly<Record<string, Readonly<Record<string, KeptFile>>>>): void {
  writeFileSync(FILE, `${JSON.stringify(states, null, 2)}\n`);
}

/** Files below a folder, as they are kept. `host` is written as one that never changes. */
export function keptFiles(folder: string, paths: readonly string[], host?: string): Record<string, KeptFile> {
  const hide = (text: string) =>
    host === undefined ? text : text.replaceAll(host, HOST).replaceAll(host.replace(/\W/g, '_'), 'docs');
  return Object.fromEntries(
    paths.map((path) => {
      const file = join(folder, path);
      if (IS_DATABASE.test(path)) return [path, { sql: hide(sqlOfDatabase(file)) }];
      const bytes = readFileSync(file);
      const text = bytes.toString('utf8');
      const isText = Buffer.from(text).equals(bytes) && !text.includes('\0');
      return [path, isText ? hide(text) : { base64: bytes.toString('base64') }];
    }),
  );
}

/** Puts a kept state into a folder. */
export function placeKept(state: string, folder: string): void {
  for (const [path, kept] of Object.entries(readKeptState()[state] ?? {})) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof kept === 'string') writeFileSync(file, kept);
    else if ('sql' in kept) makeDatabase(file, kept.sql);
    else writeFileSync(file, Buffer.from(kept.base64, 'base64'));
  }
}
