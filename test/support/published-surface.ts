import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { AicfEvent } from '../../src/codecs/aicf/wire.ts';
import { publish } from '../../src/doors/publish.ts';
import {
  announceEndpoint,
  archiveEntries,
  changeSchema,
  newSigningKey,
  rotateSigningKey,
  terminateFeed,
} from '../../src/doors/surface.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './site.ts';

export const SITE = 'https://docs.example/';
export const RECORD = '.well-known/tidings/surface.ndjson';
export const FEED = '.well-known/agent-feed.xml';
export const SURFACE = ['.well-known/did.json', '.well-known/agent-card.json', FEED, RECORD];

export const build = (text = 'Some text.') => ({
  'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]),
  'orders.html': htmlPage('Orders', [{ id: 'a', heading: 'First', text: 'How to order.' }]),
});

/** A site with pages, its key beside it, and the actions of its publisher. */
export async function publisher() {
  const folder = temporaryFolder();
  folder.write(prefixed('site', build()));
  const key = join(folder.path, 'key.json');
  await newSigningKey({ key });
  const at = (name: string) => join(folder.path, name);
  const targetIn = (dir: string) => ({ dir: at(dir), site: SITE, key });
  return {
    folder,
    at,
    key,
    announce: (id: string, dir = 'site', endpoint = `${SITE}${id}`) =>
      announceEndpoint(targetIn(dir), { endpointId: id, endpoint, protocol: 'rest', version: '1.0' }),
    change: (id: string, dir = 'site') =>
      changeSchema(targetIn(dir), { endpointId: id, from: '1.0', to: '1.1', migration: { add: ['/currency'] } }),
    terminate: (dir = 'site') => terminateFeed(targetIn(dir)),
    archive: (dir = 'site') => archiveEntries(targetIn(dir)),
    rotate: (dir = 'site') => rotateSigningKey(targetIn(dir)),
    publish: (options: Partial<Parameters<typeof publish>[0]> = {}) =>
      publish({ dir: at('site'), site: SITE, title: 'Docs', author: 'Ann', allowPrivate: true, ...options }),
    copy: (from: string, to: string) => cpSync(at(from), at(to), { recursive: true }),
    /** The bytes of the surface in a folder. */
    surface: (dir = 'site') => SURFACE.map((path) => folder.read(`${dir}/${path}`)),
    events: (dir = 'site') => eventsIn(folder, dir),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

export function prefixed(dir: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${dir}/${name}`, text]));
}

function eventsIn(folder: TestFolder, dir: string): AicfEvent[] {
  const lines = folder.read(`${dir}/ai-changes.ndjson`).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as AicfEvent);
}
