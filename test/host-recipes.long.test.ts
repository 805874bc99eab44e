import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../src/doors/check.ts';
import { publish } from '../src/doors/publish.ts';
import { freePort, NGINX, startNginx } from './support/nginx.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';

if (NGINX === undefined)
  process.stderr.write('nginx is not installed: the lines of docs/guides/hosts.md are NOT tested.\n');

const GUIDE = readFileSync('docs/guides/hosts.md', 'utf8');

test.skipIf(NGINX === undefined)(
  'a site behind the lines for nginx is right in every clause that must be',
  async () => {
    const [, recipe = ''] = /```nginx\n([\s\S]*?)```/.exec(GUIDE) ?? [];
    using folder = temporaryFolder();
    const port = await freePort();
    const site = `http://127.0.0.1:${port}/`;
    const dir = join(folder.path, 'site');
    folder.write({
      'site/index.html': htmlPage('Home', [{ id: 'one', heading: 'One', text: 'The first part of it.' }]),
      'site/guide/index.html': htmlPage('Guide', [{ id: 'two', heading: 'Two', text: 'The second part of it.' }]),
    });
    const { artifacts } = await publish({ dir, site, force: true });

    const lines = recipe.replace('listen 80;', `listen 127.0.0.1:${port};`).replace('/var/www/docs', dir);
    expect(lines).toContain(`root ${dir};`);
    await using _nginx = await startNginx(join(folder.path, 'nginx'), `types { text/html html; } ${lines}`);

    const typeOf = async (path: string) => (await fetch(site + path)).headers.get('content-type');
    expect(await typeOf('ai-changes.ndjson')).toBe('application/x-ndjson');
    expect(await typeOf('.well-known/ai-changefeed')).toMatch(/^application\/json/);
    expect(await typeOf('.well-known/resourcesync')).toMatch(/^application\/xml/);
    expect(await typeOf('changes.atom')).toMatch(/^application\/atom\+xml/);
    expect(await typeOf('guide/')).toMatch(/^text\/html/);
    expect((await fetch(`${site}_headers`)).status).toBe(404);
    const hidden = ['_headers', '.nojekyll'];
    for (const path of artifacts) if (!hidden.includes(path)) expect((await fetch(site + path)).status, path).toBe(200);

    const findings = await check(site, { allowPrivate: true, cooldownMs: 0 });
    expect(findings.filter(({ level }) => level === 'MUST')).toEqual([]);
  },
);
