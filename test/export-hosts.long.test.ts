import { readFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkReport } from '../src/doors/check.ts';
import { type ExportDataOptions, exportData } from '../src/doors/export.ts';
import { type FollowedEvent, type FollowOptions, follow } from '../src/doors/follow.ts';
import { startHub } from '../src/doors/hub.ts';
import { announceEndpoint, newSigningKey } from '../src/doors/surface.ts';
import { decodeHubConfig } from '../src/hub/config/decode-config.ts';
import { pageOf } from './support/live-site.ts';
import { freePort, NGINX, startNginx } from './support/nginx.ts';
import { S3_KEY, startS3Server } from './support/s3-server.ts';
import { type TestFolder, temporaryFolder } from './support/site.ts';
import { createTestAuthority, type TestCertificate } from './support/test-ca.ts';

if (NGINX === undefined) process.stderr.write('nginx is not installed: what is exported is NOT served by it here.\n');

const TOKEN = 'test-token-of-the-hub-behind-nginx';
/** Which feeds are followed, by dialect: where discovery leads to them, the address of the hub is enough. */
const FEEDS = { aicf: '', diffdelta: '', atom: 'changes.atom', 'agent-feed': '' };
const FIRST = ['create https://docs.example/'];
/** How a dialect tells of a section that was edited. */
const EDITED = { 'agent-feed': [], atom: FIRST };
/** What no host of files can say: ETags of ours, and how often one may ask. */
const OF_SERVERS = ['DD-T2 SHOULD', 'DD-U6 SHOULD'];

test.skipIf(NGINX === undefined)(
  'what is exported to nginx is followed and checked in every dialect, without the hub',
  async () => {
    await using place = await startPlace(serveWithNginx);
    await expectFollowed(place);
    await expectChecked(place, OF_SERVERS);
  },
);

test('what is exported to a bucket is followed and checked in every dialect through a CDN, without the hub', async () => {
  await using place = await startPlace(serveFromBucket);
  await expectFollowed(place);
  // An object of S3 has a Cache-Control, and no other one for CDNs.
  await expectChecked(place, ['DD-T2 SHOULD', 'DD-T8 SHOULD', 'DD-U6 SHOULD']);
});

type Place = Awaited<ReturnType<typeof startPlace>>;

async function expectFollowed(place: Place): Promise<void> {
  await place.live('First.');
  const followers = Object.entries(FEEDS).map(([dialect, path]) => ({ dialect, poll: place.follower(dialect, path) }));
  for (const { dialect, poll } of followers) {
    expect([dialect, await poll()]).toEqual([dialect, dialect === 'agent-feed' ? [expect.any(String)] : FIRST]);
    expect([dialect, await poll()]).toEqual([dialect, []]);
  }
  await place.live('Second.');
  for (const { dialect, poll } of followers) {
    const edited = dialect in EDITED ? EDITED[dialect as keyof typeof EDITED] : ['update https://docs.example/#one'];
    expect([dialect, await poll()]).toEqual([dialect, edited]);
  }
  expect(await place.exported()).toMatchObject({ written: 0 });
}

async function expectChecked(place: Place, ofDiffDelta: readonly string[]): Promise<void> {
  for (const spec of ['aicf', 'diffdelta', 'agent-feed']) {
    const { findings, unread } = await checkReport(place.url, { spec, ...place.http });
    const found = findings.map(({ clause, level }) => `${clause} ${level}`);
    expect([spec, found, unread]).toEqual([spec, spec === 'diffdelta' ? ofDiffDelta : [], undefined]);
  }
}

interface Host extends AsyncDisposable, Pick<ExportDataOptions, 'to' | 's3'> {}

interface HostParts {
  readonly folder: TestFolder;
  readonly port: number;
  readonly certificate: TestCertificate;
}

async function serveWithNginx({ folder, port, certificate }: HostParts): Promise<Host> {
  const at = (name: string) => join(folder.path, name);
  folder.write({ 'hub.key': certificate.key, 'hub.pem': certificate.cert });
  const site = readFileSync(new URL('../deploy/nginx-export.conf', import.meta.url), 'utf8')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll('/etc/ssl/hub.example.', at('hub.'))
    .replace('root /var/www/hub', `root ${at('out')}`);
  return Object.assign(await startNginx(at('nginx'), site), { to: at('out') });
}

/** A bucket, and before it a server that asks it for what is below a prefix, as CDNs do. */
async function serveFromBucket({ folder, port, certificate }: HostParts): Promise<Host> {
  const bucket = await startS3Server(join(folder.path, 'bucket'));
  const known = new Map<string | undefined, OutgoingHttpHeaders>();
  const cdn = createServer(certificate, (asked, answer) => {
    const { host: _host, ...headers } = asked.headers;
    const onward = request(new URL(`feeds/hub${asked.url}`, bucket.url), { method: asked.method, headers }, (came) => {
      const { statusCode = 500, headers: said } = came;
      // A 304 of s3rver says nothing more; a cache knows the rest by then (RFC 9111, 4.3.4).
      const { etag, 'cache-control': rule } = said;
      if (statusCode === 200) known.set(asked.url, { etag, 'cache-control': rule });
      answer.writeHead(statusCode, { ...(statusCode === 304 && known.get(asked.url)), ...said });
      came.pipe(answer);
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => cdn.listen(port, '127.0.0.1', resolve));
  return {
    to: 's3://feeds/hub',
    s3: { endpoint: bucket.url, credentials: S3_KEY, allowPrivate: true },
    async [Symbol.asyncDispose]() {
      cdn.closeAllConnections();
      await new Promise((resolve) => cdn.close(resolve));
      await bucket[Symbol.asyncDispose]();
    },
  };
}

async function startPlace(serve: (parts: HostParts) => Promise<Host>) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const [port, at] = [await freePort(), (name: string) => join(folder.path, name)];
  const url = `https://localhost:${port}/`;
  const authority = createTestAuthority();
  const host = await serve({ folder, port, certificate: authority.issue('localhost') });
  await newSigningKey({ key: at('key.json') });
  await announceEndpoint(
    { dir: at('surface'), site: url, key: at('key.json') },
    { endpointId: 'changes', endpoint: '/ai-changes.ndjson', protocol: 'rest', version: '1' },
  );
  const docs = {
    id: 'docs',
    kind: 'folder' as const,
    path: './site',
    site: 'https://docs.example/',
    intervalSeconds: 1,
  };
  const settings = { port: 0, data: './data', baseUrl: url, allowPrivate: true, surface: { dir: './surface' } };
  const http = { allowPrivate: true, ca: authority.cert };
  const exported = () => {
    const config = decodeHubConfig({ ...settings, sources: [] }, { base: folder.path, dialects: [] });
    return exportData(config, { to: host.to, ...(host.s3 && { s3: host.s3 }) });
  };
  let told = 0;
  return {
    url,
    http,
    exported,
    /** A hub that finds this text and ends; then what it served is exported. */
    async live(text: string) {
      folder.write({ 'site/index.html': pageOf('Home', text) });
      told += 1;
      {
        await using hub = await startHub({ ...settings, sources: [docs] }, { base: folder.path, token: TOKEN });
        await vi.waitFor(async () => {
          const feed = await (await fetch(new URL('atom/docs.atom', hub.url))).text();
          expect(feed.split('<entry>')).toHaveLength(told + 1);
        }, WAIT);
      }
      await exported();
    },
    follower: (dialect: string, path: string) =>
      follower({ url: url + path, dialect, state: at(`${dialect}.db`), ...http }),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const WAIT = { timeout: 30_000, interval: 50 };

/** Gives what is new each time. */
function follower(options: FollowOptions): () => Promise<readonly string[]> {
  return async () => {
    const events: FollowedEvent[] = [];
    const diagnostics: unknown[] = [];
    const onDiagnostic = (said: unknown) => void diagnostics.push(said);
    for await (const event of follow({ ...options, once: true, content: false, onDiagnostic })) events.push(event);
    expect([options.dialect, diagnostics]).toEqual([options.dialect, []]);
    return events.map(({ action, boundary }) => `${action} ${boundary}`);
  };
}
