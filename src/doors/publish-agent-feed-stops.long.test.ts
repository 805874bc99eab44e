import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listenOnFreshPort } from '../../test/support/fresh-port.ts';
import { build, FEED, prefixed, publisher, RECORD, SITE, SURFACE } from '../../test/support/published-surface.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { LogLockedError } from '../errors/log-error.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { lockStateFolder } from '../io/state/state-folder.ts';
import type { publish } from './publish.ts';
import { announceEndpoint } from './surface.ts';

test('a feed without its record is carried as it is, and told where its signatures can be verified', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.announce('b');
  at.folder.remove(`site/${RECORD}`);
  const xml = at.folder.read(`site/${FEED}`).replace(/(.*)#key-1</s, '$1#other<');
  at.folder.write({ [`site/${FEED}`]: xml });
  const { changes } = await at.publish({ out: at.at('out') });
  expect(changes.filter(({ note }) => note === 'endpoint-announcement')).toMatchObject([{ url: `${SITE}a` }]);
  expect(at.folder.read(`out/${FEED}`)).toBe(xml);
  expect(Object.keys(at.folder.fingerprint())).not.toContain(`out/${RECORD}`);

  // A card that was built since is the author's.
  at.folder.write(prefixed('fresh', build()));
  at.folder.write({ 'fresh/.well-known/agent-card.json': '{"name":"New"}' });
  await at.publish({ dir: at.at('fresh'), previous: at.at('out') });
  expect(at.folder.read(`fresh/${FEED}`)).toBe(xml);
  expect(at.folder.read('fresh/.well-known/agent-card.json')).toBe('{"name":"New"}');
});

test('one id that says two things stops everything', async () => {
  using at = await publisher();
  at.copy('site', 'twin');
  const fact = { endpointId: 'a', endpoint: '/a', protocol: 'rest', assertedAt: '2026-04-27T12:00:00Z' };
  const target = { site: SITE, key: at.key, now: () => 1_777_291_200_000 };
  await announceEndpoint({ ...target, dir: at.at('site') }, { ...fact, version: '1.0' });
  await announceEndpoint({ ...target, dir: at.at('twin') }, { ...fact, version: '9.9' });
  await stops(at, { previous: at.at('twin') }, /different things under the id urn:af:docs\.example/);
});

test('what nobody signed is not published again, wherever it stands', async () => {
  using at = await publisher();
  await at.announce('orders');
  await at.publish();
  at.copy('site', 'forged');
  for (const path of [RECORD, FEED]) {
    at.folder.write({
      [`forged/${path}`]: at.folder.read(`forged/${path}`).replaceAll(`${SITE}orders`, `${SITE}evil`),
    });
  }
  at.folder.write(prefixed('fresh', build()));
  const refused = {
    name: 'StateCorruptError',
    recovery: 'fix-input',
    message: expect.stringContaining('urn:af:docs.'),
  };
  const before = at.folder.fingerprint();
  await expect(at.publish({ dir: at.at('fresh'), previous: at.at('forged') })).rejects.toMatchObject(refused);
  await expect(at.publish({ dir: at.at('forged') })).rejects.toMatchObject(refused);
  const state = at.at('forged/.well-known/tidings');
  await expect(at.publish({ dir: at.at('fresh'), state })).rejects.toMatchObject(refused);
  await using live = await serveFolder(at.at('forged'));
  await expect(at.publish({ dir: at.at('fresh'), previous: live.url })).rejects.toMatchObject(refused);
  expect(at.folder.fingerprint()).toEqual(before);
  // Also without the record.
  at.folder.remove(`forged/${RECORD}`);
  await expect(at.publish({ dir: at.at('fresh'), previous: at.at('forged') })).rejects.toMatchObject(refused);
});

test('a surface is carried whatever is written beside it, so that its end stays the end', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.terminate();
  await at.publish();
  at.folder.write(prefixed('fresh', build()));
  const { artifacts } = await at.publish({ dir: at.at('fresh'), previous: at.at('site'), formats: ['aicf'] });
  expect(artifacts).toEqual(expect.arrayContaining(SURFACE));
  expect(at.surface('fresh')).toEqual(at.surface());
  expect(at.folder.read('fresh/_headers')).toContain(FEED);
  await expect(at.announce('b', 'fresh')).rejects.toMatchObject({ name: 'FeedEndedError' });
});

test('histories that went apart stop everything', async () => {
  using at = await publisher();
  at.copy('site', 'twin');
  await at.announce('a');
  await at.announce('b', 'twin');
  await stops(at, { previous: at.at('twin') }, /only one of them has the entry/);
});

test('an end that would be undone stops everything, also one that only the feed tells of', async () => {
  using at = await publisher();
  await at.announce('a');
  at.copy('site', 'twin');
  await at.terminate('twin');
  await at.announce('b');
  await stops(at, { previous: at.at('twin') }, /terminated in one of them, and that is for good/);

  const xml = at.folder.read(`site/${FEED}`).replace('>active<', '>terminated<');
  at.folder.write({ [`site/${FEED}`]: xml });
  await stops(at, {}, /terminated in one of them/);
});

test('a feed that was lost, and a record that was cut, stop everything', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.publish();
  const record = at.folder.read(`site/${RECORD}`);
  at.folder.write({ [`site/${RECORD}`]: record.slice(0, -9) });
  await expect(at.publish()).rejects.toThrow(StateCorruptError);
  at.folder.remove(`site/${RECORD}`);
  at.folder.remove(`site/${FEED}`);
  await stops(at, {}, /tells of 1 facts of an agent-feed/);
  await at.publish({ formats: ['aicf', 'diffdelta'] });
  expect(at.folder.read('site/_headers')).not.toContain('agent-feed');
});

test('the surface of another site stops everything', async () => {
  using at = await publisher();
  await at.announce('a');
  await stops(at, { site: 'https://other.example/' }, /keys of did:web:docs\.example/);
});

test('a site without a surface gets none', async () => {
  using at = await publisher();
  const { artifacts } = await at.publish({ formats: ['agent-feed', 'aicf'] });
  expect(artifacts.filter((path) => /agent|did\.json|surface/.test(path))).toEqual([]);
  expect(at.folder.read('site/_headers')).not.toMatch(/agent-feed|did\.json/);
});

test('a host that answers with a page for what it does not have is no obstacle', async () => {
  using at = await publisher();
  await at.publish();
  at.copy('site', 'live');
  const files = at.folder.fingerprint();
  const server = createServer(({ url = '' }, response) => {
    const isThere = `live${url}` in files;
    response.writeHead(200, { 'content-type': isThere ? 'application/octet-stream' : 'text/html' });
    response.end(isThere ? readFileSync(at.at(`live${url}`)) : '<h1>Our app</h1>');
  });
  const port = await listenOnFreshPort(server);
  at.folder.write(prefixed('fresh', build()));
  const { changes } = await at.publish({ dir: at.at('fresh'), previous: `http://127.0.0.1:${port}/` });
  server.close();
  expect(changes).toEqual([]);
});

test('nobody publishes while a fact is being written, wherever the state is', async () => {
  using at = await publisher();
  await at.announce('a');
  const lock = await lockStateFolder(at.at('site/.well-known/tidings'));
  await expect(at.publish({ state: at.at('state') })).rejects.toThrow(LogLockedError);
  await lock.release();
  await at.publish({ state: at.at('state') });
});

async function stops(
  at: Awaited<ReturnType<typeof publisher>>,
  options: Partial<Parameters<typeof publish>[0]>,
  message: RegExp,
): Promise<void> {
  const before = at.folder.fingerprint();
  const stopped = at.publish(options);
  await expect(stopped).rejects.toThrow(message);
  await expect(stopped).rejects.toThrow(expect.objectContaining({ name: 'StateContradictionError' }));
  expect(at.folder.fingerprint()).toEqual(before);
}
