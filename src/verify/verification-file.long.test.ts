import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import type { SitePage } from '../../test/support/tls-site.ts';
import { FILE_PATH, type Lab, openLab } from '../../test/support/verification-lab.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { createUndiciHttpClient, type HttpClientOptions } from '../io/undici/http-client.ts';
import { type FileReport, searchFile } from './verification-file.ts';

clause('AWI-V6', 'a line of the file is the token, among comments, blank lines and other tokens', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  await using http = openClient(lab);
  const look = lookerFor(lab, http, value);
  const bodies = [
    value,
    `# ${lab.url('example.test')}\n${value}\n`,
    `\uFEFF${value}\r\n`,
    `\r\n\r\n  ${value}\t\r\n# end\r\n`,
    `aiwi-verify=older\raiwi-verify=other\r${value}`,
    Buffer.concat([Buffer.from([0x23, 0xe9, 0xff, 0x0a]), Buffer.from(value)]),
    `${value}\n${'x'.repeat(65_000)}`,
  ];
  for (const body of bodies) {
    expect(await look({ body }), String(body).slice(0, 99)).toMatchObject({ outcome: 'match', status: 200 });
  }
});

clause('AWI-V6', 'what only contains the token, or is another one, is no proof', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  await using http = openClient(lab);
  const look = lookerFor(lab, http, value);
  const bodies = [
    '',
    `${value}0`,
    value.slice(0, -1),
    value.toUpperCase(),
    `# ${value}`,
    `// ${value}`,
    `<!doctype html><p>${value}</p>`,
    `"${value}"`,
    `${value} # comment`,
    value.replace('=', ' = '),
    value.replace('aiwi-verify=', ''),
    await lab.issue('other.co.uk'),
  ];
  for (const body of bodies) {
    expect(await look({ body }), body).toMatchObject({ outcome: 'no-such-line', status: 200 });
  }
});

test('any other status than 200 is no proof, whatever the body', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  await using http = openClient(lab);
  const look = lookerFor(lab, http, value);
  for (const status of [201, 203, 206, 300, 304, 401, 403, 404, 410, 500]) {
    expect(await look({ status, body: value })).toMatchObject({ outcome: 'wrong-status', status });
  }
});

test('over 64 KB nothing is read, packed or not', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  const large = `${value}\n${'x'.repeat(65_536)}`;
  const failed = { verified: false, file: { outcome: 'failed', reason: expect.stringMatching(/over 65536 bytes/) } };
  lab.site.put('example.test', FILE_PATH, { body: large });
  expect(await lab.check('example.test')).toMatchObject(failed);
  lab.site.put('example.test', FILE_PATH, { body: gzipSync(large), headers: { 'content-encoding': 'gzip' } });
  expect(await lab.check('example.test')).toMatchObject({ verified: false, file: { outcome: 'failed' } });
});

clause('AWI-UA3', 'the web server sees who verifies, on every hop', async () => {
  const lab = await openLab();
  await lab.issue('example.test');
  lab.site.redirect('example.test', FILE_PATH, lab.url('www.example.test'));
  await lab.check('example.test', { botUrl: 'https://us.test/bot' });
  expect(lab.site.asked.map(({ userAgent }) => userAgent)).toEqual([
    'AIWebIndex/2.0 verification (+https://us.test/bot)',
    'AIWebIndex/2.0 verification (+https://us.test/bot)',
  ]);
  await lab.check('example.test');
  expect(lab.site.asked.at(-1)?.userAgent).toBe('AIWebIndex/2.0 verification (tidings)');
});

clause('AWI-V7', 'a server that speaks only http is not asked over http', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  lab.plain.put('example.test', FILE_PATH, { body: value });
  const { verified, file } = await lab.check('example.test', { httpsPort: lab.plain.port });
  expect([verified, file.outcome]).toEqual([false, 'failed']);
  expect(lab.plain.asked).toEqual([]);
});

test('a certificate that nobody trusts is no proof', async () => {
  const lab = await openLab();
  lab.site.put('example.test', FILE_PATH, { body: await lab.issue('example.test') });
  expect(await lab.check('example.test')).toMatchObject({ verified: true });
  expect(await lab.check('example.test', { ca: undefined })).toMatchObject({
    verified: false,
    file: { outcome: 'failed' },
  });
  expect(lab.site.asked).toHaveLength(1);
});

clause(['AWI-V8', 'AWI-V7'], 'a redirect from https to http is not followed', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  for (const host of ['example.test', 'www.example.test']) {
    lab.plain.put(host, FILE_PATH, { body: value });
    lab.site.redirect('example.test', FILE_PATH, `http://${host}:${lab.plain.port}${FILE_PATH}`);
    for (const allowPrivate of [true, false]) {
      expect((await lab.check('example.test', { allowPrivate })).verified).toBe(false);
    }
  }
  expect(await lab.check('example.test')).toMatchObject({
    file: { outcome: 'redirect-refused', reason: expect.stringContaining('not https') },
  });
  expect(lab.plain.asked).toEqual([]);
});

clause('AWI-V9', 'up to three redirects within the registrable domain are followed, a fourth is not', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  const chain = (hops: number) => {
    const hosts = ['example.test', 'www.example.test', 'docs.example.test', 'www.example.test', 'example.test'];
    const urls = hosts.slice(0, hops + 1).map((host, index) => [host, index === 0 ? FILE_PATH : `/${hops}/${index}`]);
    urls.forEach(([host = '', path = ''], index) => {
      const [nextHost = '', nextPath = ''] = urls[index + 1] ?? [];
      if (nextHost === '') lab.site.put(host, path, { body: value });
      else lab.site.redirect(host, path, lab.url(nextHost, nextPath), [301, 302, 303, 307, 308][index]);
    });
  };
  for (const hops of [1, 2, 3]) {
    chain(hops);
    const { verified, file } = await lab.check('example.test');
    expect([verified, file.asked.length], `${hops} redirects`).toEqual([true, hops + 1]);
  }
  chain(4);
  lab.site.asked.length = 0;
  const { verified, file } = await lab.check('example.test');
  expect([verified, file.outcome, file.asked.length]).toEqual([false, 'redirect-refused', 4]);
  expect(lab.site.asked).toHaveLength(4);

  lab.site.redirect('example.test', FILE_PATH, '/relative.txt');
  lab.site.put('example.test', '/relative.txt', { body: value });
  expect(await lab.check('example.test')).toMatchObject({ verified: true });
  lab.site.redirect('example.test', FILE_PATH, lab.url('example.test'));
  expect(await lab.check('example.test'), 'a loop').toMatchObject({ file: { outcome: 'redirect-refused' } });
});

clause('AWI-V10', 'a redirect to another registrable domain proves nothing and is not followed', async () => {
  const lab = await openLab();
  await expectRefused(lab, 'example.test', 'evil.test');
  await expectRefused(lab, 'example.co.uk', 'other.co.uk');
  await expectRefused(lab, 'a.github.io', 'b.github.io');
  await expectRefused(lab, 'example.test', '127.0.0.1');
});

clause('AWI-V10', 'a way that leaves the domain and comes back proves nothing', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  lab.site.redirect('example.test', FILE_PATH, lab.url('evil.test', '/back'));
  lab.site.redirect('evil.test', '/back', lab.url('example.test', '/token'));
  lab.site.put('example.test', '/token', { body: value });
  expect(await lab.check('example.test')).toMatchObject({ verified: false, file: { outcome: 'redirect-refused' } });
  expect(lab.site.asked.map(({ url }) => url)).toEqual([lab.url('example.test')]);
});

test('an origin that asks for a pause is left in peace by the next check', async () => {
  const lab = await openLab();
  lab.site.put('example.test', FILE_PATH, { status: 503, headers: { 'retry-after': '120' } });
  const value = await lab.issue('example.test');
  const check = () => lab.check('example.test', { cacheDir: lab.state });
  expect(await check()).toMatchObject({ file: { outcome: 'wrong-status', status: 503 } });
  lab.site.put('example.test', FILE_PATH, { body: value });
  expect(await check()).toMatchObject({
    verified: false,
    file: { outcome: 'failed', reason: expect.stringContaining('asked for a pause') },
  });
  expect(lab.site.asked).toHaveLength(1);
  lab.dns.put('_aiwebindex-verify.example.test', 'TXT', value);
  expect(await check()).toMatchObject({ verified: true, method: 'dns' });
});

async function expectRefused(lab: Lab, from: string, to: string): Promise<void> {
  const value = await lab.issue(from);
  lab.site.redirect(from, FILE_PATH, lab.url(to));
  lab.site.put(to, FILE_PATH, { body: value });
  lab.site.asked.length = 0;
  const { verified, file } = await lab.check(from);
  expect([verified, file.outcome], `${from} → ${to}`).toEqual([false, 'redirect-refused']);
  expect(lab.site.asked.map(({ url }) => url)).toEqual([lab.url(from)]);
}

function openClient({ ca }: Lab): HttpClient {
  const lookup: HttpClientOptions['lookup'] = (_, __, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  return createUndiciHttpClient({ allowPrivate: true, userAgent: 'test', ca: readFileSync(ca, 'utf8'), lookup });
}

/** Puts the file up and reads it. */
function lookerFor(lab: Lab, http: HttpClient, value: string): (page: SitePage) => Promise<FileReport> {
  return (page) => {
    lab.site.put('example.test', FILE_PATH, page);
    const signal = new AbortController().signal;
    return searchFile(http, { url: lab.url('example.test'), value, signal, onMatch: () => {} });
  };
}
