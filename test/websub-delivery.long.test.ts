import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteWebSub } from '../src/io/sqlite/websub-store.ts';
import { clause } from './clause.ts';
import { type TestFolder, temporaryFolder } from './support/site.ts';
import { SkippingTime } from './support/skipping-time.ts';
import { openWebSubLab, PATIENCE, type WebSubLab } from './support/websub-lab.ts';
import { startSubscriber, status, type TestSubscriber } from './support/websub-subscriber.ts';

const HOUR_MS = 3_600_000;
let folder: TestFolder;
let lab: WebSubLab;
let reader: TestSubscriber;

beforeAll(async () => {
  folder = temporaryFolder();
  lab = await openWebSubLab({ folder: folder.path });
  reader = await startSubscriber();
});

afterAll(async () => {
  expect(lab.bugs()).toEqual([]);
  await lab[Symbol.asyncDispose]();
  await reader[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function untilDelivered(path: string, count: number): Promise<void> {
  return expect.poll(() => reader.delivered(path).length, PATIENCE).toBe(count);
}

clause(['WS-C1', 'WS-C2', 'WS-C4'], 'each topic is delivered as it is served: bytes, type and links', async () => {
  const topics = ['changes.atom', 'atom/docs.atom', 'ai-changes.ndjson', 'aicf/docs.ndjson'];
  for (const [at, topic] of topics.entries()) await lab.subscribe(topic, reader.url(`/whole/${at}`));
  await lab.subscribe('atom/blog.atom', reader.url('/whole/blog'));
  await lab.change('docs');
  for (const [at, topic] of topics.entries()) {
    await untilDelivered(`/whole/${at}`, 1);
    const [delivery] = reader.delivered(`/whole/${at}`);
    const served = await lab.get(topic);
    expect(delivery?.body.toString()).toBe(await served.text());
    expect(delivery?.headers['content-type']).toBe(served.headers.get('content-type'));
    expect(delivery?.headers.link).toBe(served.headers.get('link'));
    expect(delivery?.headers.link).toBe(`<${lab.url}hub>; rel="hub", <${lab.url}${topic}>; rel="self"`);
    expect(delivery?.headers['content-encoding']).toBeUndefined();
  }
  expect(reader.delivered('/whole/blog')).toEqual([]);
});

clause('WS-C5', 'both links stand in one header', async () => {
  const names = reader.delivered('/whole/0')[0]?.rawHeaders.filter((_, at) => at % 2 === 0) ?? [];
  expect(names.filter((name) => name.toLowerCase() === 'link')).toHaveLength(1);
});

clause(
  ['WS-S1', 'WS-S2', 'WS-S3'],
  'a secret signs the bytes that are sent, with the method that was chosen',
  async () => {
    const secret = 'töpsecret & more';
    const methods = { sha1: 40, sha256: 64, sha384: 96, sha512: 128 };
    for (const method of Object.keys(methods)) {
      const more = { 'hub.secret': secret, 'hub.signature_method': method };
      await lab.subscribe('ai-changes.ndjson', reader.url(`/signed/${method}`), more);
    }
    await lab.subscribe('ai-changes.ndjson', reader.url('/unsigned'));
    await lab.change();
    for (const [method, digits] of Object.entries(methods)) {
      await untilDelivered(`/signed/${method}`, 1);
      const [delivery] = reader.delivered(`/signed/${method}`);
      const digest = createHmac(method, secret)
        .update(delivery?.body ?? '')
        .digest('hex');
      expect(digest).toHaveLength(digits);
      expect(delivery?.headers['x-hub-signature']).toBe(`${method}=${digest}`);
    }
    await untilDelivered('/unsigned', 1);
    expect(reader.delivered('/unsigned')[0]?.headers['x-hub-signature']).toBeUndefined();
  },
);

clause('WS-S4', 'without a wish it is sha256', async () => {
  await lab.subscribe('changes.atom', reader.url('/default'), { 'hub.secret': 'topsecret' });
  await lab.change();
  await untilDelivered('/default', 1);
  expect(reader.delivered('/default')[0]?.headers['x-hub-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
});

clause('WS-C9', '410 ends a subscription', async () => {
  reader.answer('/gone', { post: status(410) });
  await lab.subscribe('changes.atom', reader.url('/gone'));
  await lab.change();
  await untilDelivered('/gone', 1);
  await expect.poll(() => lab.find(reader.url('/gone')), PATIENCE).toBeUndefined();
});

clause(['WS-C10', 'WS-C12'], 'redirects and all that is not 2xx are failures, and tried again', async () => {
  const codes = [301, 302, 307, 308, 400, 404, 500, 503];
  for (const code of codes) {
    let tries = 0;
    const fail = status(code, '', { location: reader.url('/elsewhere') });
    reader.answer(`/fails/${code}`, {
      post: (request, response) => {
        tries += 1;
        if (tries > 2) response.end();
        else fail(request, response);
      },
    });
    await lab.subscribe('changes.atom', reader.url(`/fails/${code}`));
  }
  await lab.change();
  for (const code of codes) await untilDelivered(`/fails/${code}`, 1);
  await expect.poll(async () => (await lab.find(reader.url('/fails/302')))?.nextTry, PATIENCE).toBeDefined();
  expect((await lab.find(reader.url('/fails/302')))?.lastTry?.outcome).toBe('302');
  for (const expected of [2, 3]) {
    await expect
      .poll(
        async () => (await lab.list()).subscriptions.filter(({ failures }) => failures === expected - 1).length,
        PATIENCE,
      )
      .toBe(codes.length);
    lab.time.skip(40_000);
    for (const code of codes) await untilDelivered(`/fails/${code}`, expected);
  }
  await expect.poll(async () => (await lab.find(reader.url('/fails/500')))?.failures, PATIENCE).toBe(0);
  expect(reader.asked('/elsewhere')).toEqual([]);
  expect(reader.delivered('/elsewhere')).toEqual([]);
});

clause('WS-C11', 'what a subscriber answers is ignored, however much it is', async () => {
  reader.answer('/talks', {
    post: (_, response) => {
      response.writeHead(200);
      const talk = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', talk);
      };
      talk();
    },
  });
  await lab.subscribe('changes.atom', reader.url('/talks'));
  for (const count of [1, 2]) {
    await lab.change();
    await untilDelivered('/talks', count);
    await expect.poll(async () => (await lab.find(reader.url('/talks')))?.lastTry?.outcome, PATIENCE).toBe('200');
  }
});

clause('WS-C13', 'behind the last try only that delivery is given up, and the next one comes', async () => {
  reader.answer('/dead', { post: status(500) });
  await lab.subscribe('atom/blog.atom', reader.url('/dead'), { 'hub.lease_seconds': '2592000' });
  await lab.change('blog');
  for (let tries = 1; tries < 10; tries += 1) {
    await untilDelivered('/dead', tries);
    await expect.poll(async () => (await lab.find(reader.url('/dead')))?.failures, PATIENCE).toBe(tries);
    lab.time.skip(20 * HOUR_MS);
  }
  await untilDelivered('/dead', 10);
  await expect.poll(async () => (await lab.find(reader.url('/dead')))?.failures, PATIENCE).toBe(0);
  expect(lab.logged.some(({ level, message }) => level === 'warn' && message.includes('given up'))).toBe(true);
  lab.time.skip(20 * HOUR_MS);
  reader.answer('/dead', { post: status(204) });
  await lab.change('blog');
  await untilDelivered('/dead', 11);
});

test('a subscriber gets one delivery at a time, and the newest state behind it', async () => {
  const held: (() => void)[] = [];
  reader.answer('/slow', { post: (_, response) => void held.push(() => response.end()) });
  await lab.subscribe('aicf/blog.ndjson', reader.url('/slow'));
  await lab.subscribe('aicf/blog.ndjson', reader.url('/quick'));
  for (let times = 1; times <= 3; times += 1) {
    await lab.change('blog');
    await untilDelivered('/quick', times);
  }
  expect(held).toHaveLength(1);
  held[0]?.();
  await untilDelivered('/slow', 2);
  held[1]?.();
  expect(reader.delivered('/slow').map(({ body }) => body.toString().trim().split('\n').length)).toEqual([3, 5]);
});

test('a burst of changes is one delivery or two', async () => {
  await lab.subscribe('aicf/docs.ndjson', reader.url('/burst'));
  const urls = await Promise.all(Array.from({ length: 50 }, () => lab.change('docs')));
  await expect
    .poll(
      () =>
        reader
          .delivered('/burst')
          .at(-1)
          ?.body.toString()
          .includes(urls.at(-1) ?? ''),
      PATIENCE,
    )
    .toBe(true);
  expect(reader.delivered('/burst').length).toBeLessThanOrEqual(10);
});

clause(['WS-D8', 'WS-P1'], 'what changes while the hub is away is delivered when it is back, once', async () => {
  using other = temporaryFolder();
  const time = new SkippingTime();
  const settings = { baseUrl: 'http://hub.example/' };
  {
    await using first = await openWebSubLab({ folder: other.path, time, settings });
    await first.subscribe('changes.atom', reader.url('/kept'), { 'hub.secret': 'kept' });
    await first.change();
    await untilDelivered('/kept', 1);
    reader.answer('/kept', { post: status(500) });
    await first.change();
    await untilDelivered('/kept', 2);
    await expect.poll(async () => (await first.find(reader.url('/kept')))?.failures, PATIENCE).toBe(1);
    reader.answer('/late', { get: (_, response) => void response.socket?.destroy() });
    await first.ask('subscribe', 'changes.atom', reader.url('/late'));
    await expect.poll(() => reader.asked('/late').length, PATIENCE).toBeGreaterThan(0);
  }
  reader.answer('/kept', { post: status(204) });
  reader.answer('/late', { get: ({ query }, response) => void response.end(query.get('hub.challenge')) });
  time.skip(20_000);
  await using second = await openWebSubLab({ folder: other.path, time, settings });
  await untilDelivered('/kept', 3);
  expect(
    reader
      .delivered('/kept')
      .at(-1)
      ?.body.toString()
      .match(/<entry>/g),
  ).toHaveLength(2);
  await expect.poll(async () => (await second.find(reader.url('/late')))?.status, PATIENCE).toBe('active');
  await second.change();
  await untilDelivered('/kept', 4);
  await untilDelivered('/late', 1);
});

test('a feed that grows too large is denied, and so is one that is no more', async () => {
  using other = temporaryFolder();
  const settings = { baseUrl: 'http://hub.example/', websubHub: { documentBytes: 1024, requestsPerMinute: 1000 } };
  {
    await using first = await openWebSubLab({ folder: other.path, settings });
    await first.subscribe('ai-changes.ndjson', reader.url('/grows'));
    await first.subscribe('aicf/blog.ndjson', reader.url('/ends'));
    for (let times = 0; times < 8; times += 1) await first.change();
    await expect.poll(() => reader.asked('/grows', 'denied').length, PATIENCE).toBe(1);
    expect(reader.asked('/grows', 'denied')[0]?.query.get('hub.reason')).toContain('larger');
    await expect.poll(() => first.find(reader.url('/grows')), PATIENCE).toBeUndefined();
    const fields = { 'hub.mode': 'subscribe', 'hub.callback': reader.url('/grows') };
    const answer = await first.post({ ...fields, 'hub.topic': first.topic('ai-changes.ndjson') });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('up to 1024')]);
  }
  await using second = await openWebSubLab({ folder: other.path, settings, sources: ['docs'] });
  await expect.poll(() => reader.asked('/ends', 'denied').length, PATIENCE).toBe(1);
  expect(reader.asked('/ends', 'denied')[0]?.query.get('hub.reason')).toContain('does not grow');
  await expect.poll(async () => (await second.list()).subscriptions, PATIENCE).toEqual([]);
});

test('a hub that is killed behind its first subscription finds what has changed since', async () => {
  using other = temporaryFolder();
  await using first = await openWebSubLab({ folder: other.path });
  for (let times = 0; times < 3; times += 1) await first.change();
  await first.ask('subscribe', 'changes.atom', reader.url('/first'));
  expect(first.store.openTables(openSqliteWebSub).load()).toMatchObject({ seq: expect.any(Number) });
});
