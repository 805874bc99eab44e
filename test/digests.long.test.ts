import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { publish } from '../src/doors/publish.ts';
import { clause } from './clause.ts';
import { pageOf, type Served, sitemapOf, startLiveSite } from './support/live-site.ts';
import { seedChanges } from './support/seeded-hub.ts';
import { temporaryFolder } from './support/site.ts';

const digestOf = (bytes: string | Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly body: Buffer;
}

function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) });
    });
    sent.on('error', reject).end();
  });
}

const fieldsOf = ({ headers }: Answer) => [headers['content-digest'], headers['repr-digest']];
const DOCUMENTS = ['ai-changes.ndjson', 'aicf/docs.ndjson', 'changes.atom', 'diff/latest.json', 'diff/head.json'];
const OTHERS = [
  '.well-known/ai-changefeed',
  '.well-known/diffdelta.json',
  'api/v1/changes',
  'schema/v1/diff.schema.json',
];

async function openHub(settings: { readonly digests?: boolean } = {}): Promise<string> {
  const folder = temporaryFolder();
  await seedChanges(folder.path, 60);
  const hub = await startHub({ port: 0, data: folder.path, ...settings }, { token: 'tdg_0123456789abcdef' });
  onTestFinished(async () => {
    await hub.close();
    folder[Symbol.dispose]();
  });
  return hub.url;
}

clause(['DG-2', 'DG-4'], 'every form of every document names the digest of the bytes that come', async () => {
  const hub = await openHub();
  const packed = new Map<string, Set<string>>();
  for (const path of [...DOCUMENTS, ...OTHERS]) {
    for (const encoding of ['identity', 'gzip', 'br']) {
      // The second answer comes out of memory, with a head that was written before.
      for (const time of ['first', 'second']) {
        const answer = await ask(hub + path, { 'accept-encoding': encoding });
        const digest = digestOf(answer.body);
        expect([path, encoding, time, answer.status, ...fieldsOf(answer)]).toEqual([
          path,
          encoding,
          time,
          200,
          digest,
          digest,
        ]);
        const codings = packed.get(path) ?? new Set();
        packed.set(path, codings.add(`${answer.headers['content-encoding']} ${digest}`));
      }
    }
  }
  expect(packed.get('aicf/docs.ndjson')?.size, 'plain, gzip and br are three').toBe(3);
  expect(packed.get('changes.atom')?.size, 'plain and gzip are two').toBe(2);
});

clause('DG-2', 'a part has its own digest and that of the whole', async () => {
  const hub = await openHub();
  const whole = await ask(`${hub}ai-changes.ndjson`);
  const part = await ask(`${hub}ai-changes.ndjson`, { range: 'bytes=5-104' });
  expect([part.status, part.body.length]).toEqual([206, 100]);
  expect(fieldsOf(part)).toEqual([digestOf(part.body), digestOf(whole.body)]);
});

clause('DG-3', 'HEAD names the digest of what GET would bring, and 304 names none', async () => {
  const hub = await openHub();
  for (const path of [...DOCUMENTS, ...OTHERS]) {
    for (const encoding of ['identity', 'gzip']) {
      const head = await ask(hub + path, { 'accept-encoding': encoding }, 'HEAD');
      const whole = await ask(hub + path, { 'accept-encoding': encoding });
      expect([path, encoding, ...fieldsOf(head)]).toEqual([path, encoding, undefined, digestOf(whole.body)]);
      if (whole.headers.etag === undefined) continue;
      const known = await ask(hub + path, { 'accept-encoding': encoding, 'if-none-match': whole.headers.etag });
      expect([known.status, ...fieldsOf(known)]).toEqual([304, undefined, undefined]);
    }
  }
});

clause('DG-6', 'an error names no digest of the document', async () => {
  const hub = await openHub();
  const feed = `${hub}ai-changes.ndjson`;
  const errors = [
    await ask(`${hub}aicf/nobody.ndjson`),
    await ask(feed, { 'if-match': '"other"' }),
    await ask(feed, { range: 'bytes=9999999-' }),
  ];
  expect(errors.map(({ status }) => status)).toEqual([404, 412, 416]);
  for (const error of errors) expect(fieldsOf(error)).toEqual([undefined, undefined]);
});

test('with the setting off no document names a digest', async () => {
  const hub = await openHub({ digests: false });
  for (const path of [...DOCUMENTS, ...OTHERS]) expect(fieldsOf(await ask(hub + path))).toEqual([undefined, undefined]);
});

clause('DG-5', 'a page that is broken on the way is a failed read: no change, and what was known stays', async () => {
  const texts = { a: pageOf('Page a'), b: pageOf('Page b') };
  await using site = await startLiveSite({ '/a': texts.a, '/b': texts.b });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['a', 'b']) });
  using out = temporaryFolder();
  const look = () => publish({ url: site.url, out: out.path, allowPrivate: true, force: true, cooldownMs: 0 });
  expect(await look()).toMatchObject({ created: 2, failed: [] });

  const other = pageOf('Page a', 'It says something else now, in other words.');
  const broken: Served = (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'repr-digest': digestOf(`${other} `) }).end(other);
  site.put({ '/a': broken });
  site.takeRequests();
  const report = await look();
  expect(report).toMatchObject({ pages: 2, updated: 0, deleted: 0 });
  expect(report.failed).toEqual([expect.objectContaining({ file: `${site.url}a` })]);
  expect(JSON.stringify(report.failed)).toContain('digest');
  expect(site.takeRequests().filter((each) => each.endsWith(' /a'))).toEqual(['200 /a', '200 /a']);

  site.put({ '/a': other });
  expect(await look()).toMatchObject({ updated: 1, failed: [] });
});
