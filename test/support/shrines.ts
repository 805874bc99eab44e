import { expect } from 'vitest';
import { type PublishOptions, publish } from '../../src/doors/publish.ts';
import { decodeChangeList, decodeResourceSync } from '../../src/doors/resourcesync.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './site.ts';

export const SITE = 'https://docs.example/';
export const DESCRIPTION = '.well-known/resourcesync';
export const PAGES = '.well-known/tidings/pages.ndjson';

export const page = (title: string, text: string) =>
  htmlPage(title, [
    { id: 'a', heading: 'First', text },
    { id: 'b', heading: 'Second', text: 'Stays.' },
  ]);

/** A site with two shrines and pages beside them. */
export const SHRINES = {
  'index.html': page('Home', 'One.'),
  'cats/index.html': page('Cats', 'One.'),
  'cats/tom.html': page('Tom & <Jerry>', 'One.'),
  'dogs/index.html': page('Dogs', 'One.'),
};

export const COLLECTIONS = [{ path: '/cats/', title: 'Cats', author: 'Ann' }, { path: 'dogs' }];

export function siteOf(files: Readonly<Record<string, string>>, options: Partial<PublishOptions> = {}) {
  const folder = temporaryFolder();
  folder.write(files);
  const { site = SITE } = options;
  return {
    folder,
    publish: (more: Partial<PublishOptions> = {}) =>
      publish({ dir: folder.path, site, formats: ['resourcesync'], ...options, ...more }),
    document: (path: string) => documentOf(folder, path),
    changes: (path: string) => {
      const list = decodeChangeList(folder.read(path));
      if (!list.ok) throw new Error(list.issues[0].message);
      return list.value.entries.map(({ loc, md }) => `${md.change} ${loc.slice(site.length - 1)}`);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

export function documentOf(folder: TestFolder, path: string) {
  const document = decodeResourceSync(folder.read(path));
  if (!document.ok) throw new Error(`${path}: ${document.issues[0].message}`);
  expect(document.value.problems, path).toEqual([]);
  return document.value;
}

export const listed = (folder: TestFolder) =>
  Object.keys(folder.fingerprint()).filter((path) => path === DESCRIPTION || path.startsWith('resourcesync/'));
