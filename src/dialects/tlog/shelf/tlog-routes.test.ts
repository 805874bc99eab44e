import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { changedPage } from '../../../../test/support/atom-lab.ts';
import { openTlogLab } from '../../../../test/support/tlog-lab.ts';
import type { HubRequest, HubResponse } from '../../../hub/http/route.ts';
import { gunzipDocument, gzipDocument } from '../../../io/zlib/document.ts';
import { TlogDocuments } from './tlog-documents.ts';
import { tlogRoutes } from './tlog-routes.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-tlog-routes-'));
afterAll(() => rm(root, { recursive: true }));

async function openServed() {
  const lab = await openTlogLab({ folder: await mkdtemp(join(root, 'hub-')) });
  const documents = new TlogDocuments({
    store: lab.tables,
    record: () => lab.shelf.record,
    gzip: gzipDocument,
    gunzip: gunzipDocument,
  });
  const routes = tlogRoutes({ documents, now: () => lab.nowMs });
  const get = async (path: string, headers: Record<string, string> = {}): Promise<HubResponse> => {
    const prefix = '/.well-known/tidings/';
    const route =
      routes.find((each) => each.path === `${prefix}${path}`) ?? routes.find((each) => each.path.endsWith('tile/*'));
    const params = { '*': path.replace(/^tile\//, '') };
    const request = {
      method: 'GET',
      params,
      headers,
      query: new URLSearchParams(),
      clientIp: '',
      isAdmin: false,
      body: undefined,
    };
    return (await route?.handle({ ...request, signal: new AbortController().signal } as HubRequest)) as HubResponse;
  };
  return { ...lab, lab, get, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

clause(
  ['TL-T1', 'TL-T2', 'TL-N13'],
  'checkpoint and key are plain text that nobody keeps, with an ETag each',
  async () => {
    await using hub = await openServed();
    expect((await hub.get('checkpoint')).status, 'before the first entry').toBe(404);
    await hub.lab.commit('docs', [changedPage('a')]);
    const answer = await hub.get('checkpoint');
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
    });
    expect(Buffer.from(answer.body as Uint8Array).toString()).toBe(await hub.lab.text('checkpoint'));
    expect((await hub.get('checkpoint', { 'if-none-match': answer.headers.etag ?? '' })).status).toBe(304);
    const vkey = Buffer.from((await hub.get('vkey')).body as Uint8Array).toString();
    expect(vkey).toBe(`${hub.lab.shelf.record?.vkey}\n`);
  },
);

clause(
  ['TL-T9', 'TL-T12', 'TL-E1'],
  'every tile and bundle of every size that was ever signed is served for ever, in the same bytes',
  async () => {
    await using hub = await openServed();
    const seen = new Map<string, string>();
    for (let size = 1; size <= 4; size += 1) {
      await hub.lab.commit(
        'docs',
        Array.from({ length: 90 }, (_, at) => changedPage(`${size}-${at}`)),
      );
      await hub.lab.advance(1000);
      const { treeSize } = await hub.lab.head();
      const [full, width] = [Math.floor(treeSize / 256), treeSize % 256];
      for (const level of ['0', 'entries']) {
        const path = `tile/${level}/00${full}.p/${width}`;
        const { status, headers, body } = await hub.get(path);
        expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream']);
        expect(headers['cache-control']).toMatch(/max-age=31536000, immutable/);
        seen.set(path, Buffer.from(body as Uint8Array).toString('base64'));
      }
    }
    expect(seen.size).toBe(8);
    for (const [path, bytes] of seen) {
      const { status, body } = await hub.get(path);
      expect([path, status, Buffer.from(body as Uint8Array).toString('base64')]).toEqual([path, 200, bytes]);
    }
  },
);

clause('TL-E6', 'a bundle is given compressed to who takes that, under an ETag of its own', async () => {
  await using hub = await openServed();
  await hub.lab.commit(
    'docs',
    Array.from({ length: 300 }, (_, at) => changedPage(`${at}`)),
  );
  await hub.lab.advance(1000);
  for (const path of ['tile/entries/000', 'tile/entries/000.p/7', 'tile/entries/001.p/45']) {
    const [plain, packed] = [await hub.get(path), await hub.get(path, { 'accept-encoding': 'gzip' })];
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body as Uint8Array)).toEqual(Buffer.from(plain.body as Uint8Array));
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
  }
});

clause(
  ['TL-T4', 'TL-T5', 'TL-T8'],
  'what is no path of a tile, or not there yet, is a 404 that nobody keeps',
  async () => {
    await using hub = await openServed();
    await hub.lab.commit(
      'docs',
      Array.from({ length: 255 }, (_, at) => changedPage(`${at}`)),
    );
    await hub.lab.advance(1000);
    const absent = [
      '0/000.p/256',
      '0/000.p/0',
      '0/000.p/07',
      '00/000',
      '64/000',
      '-1/000',
      '0/0',
      '0/67',
      '0/1000',
      '0/x000/067',
      '0/001',
      '0/001.p/1',
      '1/000.p/2',
      '2/000.p/1',
      'data/000',
      '../checkpoint',
    ];
    for (const path of absent) {
      const { status, headers } = await hub.get(`tile/${path}`);
      expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-store']);
    }
    expect((await hub.get('tile/0/000')).status).toBe(200);
    expect((await hub.get('tile/1/000.p/1')).status).toBe(200);
  },
);
