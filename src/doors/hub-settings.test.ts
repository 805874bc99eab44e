import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { HubSettings } from './hub-settings.ts';

test('the types are in sync with schema/tidings.config.schema.json (npm run settings writes them)', () => {
  const script = fileURLToPath(new URL('../../scripts/generate-settings.mjs', import.meta.url));
  expect(spawnSync(process.execPath, [script, '--check']).status).toBe(0);
});

test('each kind of source is a type of its own, and a key that there is not is an error of the compiler', () => {
  const settings: HubSettings = {
    port: 0,
    sources: [
      { id: 'any', kind: 'auto', url: 'https://any.example/' },
      { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/' },
      { id: 'terms', kind: 'page', urls: ['https://acme.example/terms'] },
      { id: 'blog', kind: 'feed', url: 'https://blog.example/feed.xml', dialect: 'atom' },
    ],
  };
  const wrong: HubSettings[] = [
    // @ts-expect-error: there is no such key.
    { prot: 0 },
    // @ts-expect-error: a folder has a path.
    { sources: [{ id: 'docs', kind: 'folder', site: 'https://docs.example/' }] },
  ];
  expect([settings, ...wrong]).toHaveLength(3);
});
