import { afterAll, beforeAll, expect, test } from 'vitest';
import { LogFullError } from '../src/errors/log-error.ts';
import { clause } from './clause.ts';
import { type TestFolder, temporaryFolder } from './support/site.ts';
import { openWebSubLab, PATIENCE, type WebSubLab } from './support/websub-lab.ts';
import { startSubscriber, status, type TestSubscriber } from './support/websub-subscriber.ts';

const TOPIC = 'changes.atom';
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

function wish(callback: string, more: Record<string, string> = {}) {
  return { 'hub.mode': 'subscribe', 'hub.topic': lab.topic(TOPIC), 'hub.callback': callback, ...more };
}

async function refused(fields: Readonly<Record<string, string>>, code = 400): Promise<string> {
  const before = (await lab.list()).subscriptions.length;
  const answer = await lab.post(fields);
  expect(answer.status).toBe(code);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect((await lab.list()).subscriptions).toHaveLength(before);
  return await answer.text();
}

clause(['WS-R2', 'WS-A4', 'WS-A5'], 'what is missing or wrong is refused with words that name it', async () => {
  const whole = wish(reader.url('/refused'));
  for (const name of ['hub.mode', 'hub.topic', 'hub.callback']) {
    expect(await refused({ ...whole, [name]: '' })).toContain(name);
  }
  expect(await refused({ ...whole, 'hub.mode': 'Subscribe' })).toContain('hub.mode');
  for (const callback of ['/cb', 'ftp://reader.example/', 'mailto:a@reader.example', 'http://reader.example/#x']) {
    expect(await refused({ ...whole, 'hub.callback': callback })).toContain('hub.callback');
  }
  const markup = await refused({ ...whole, 'hub.mode': '<script>alert(1)</script>' });
  expect(markup).not.toContain('<script>');
  expect(reader.asked('/refused')).toEqual([]);
});

clause('WS-A4', 'a disk that takes nothing is said as 503, and nothing is kept', async () => {
  const full = lab.breakStore(new LogFullError('/srv/secret/tidings.db', new Error('ENOSPC')));
  const text = await refused(wish(reader.url('/full')), 503);
  full.mend();
  expect(text).not.toContain('/srv');
  expect(reader.asked('/full')).toEqual([]);
});

clause(['WS-R7', 'WS-R6'], 'a secret has up to 199 bytes, and none is needed', async () => {
  expect(await refused(wish(reader.url('/cb'), { 'hub.secret': 'x'.repeat(200) }))).toContain('200 bytes');
  expect(await refused(wish(reader.url('/cb'), { 'hub.secret': 'é'.repeat(100) }))).toContain('200 bytes');
  expect(await refused(wish(reader.url('/cb'), { 'hub.secret': '' }))).toContain('hub.secret');
  await lab.subscribe(TOPIC, reader.url('/long'), { 'hub.secret': 'x'.repeat(199) });
  await lab.subscribe(TOPIC, reader.url('/plain'));
  await lab.change();
  for (const [path, isSigned] of [
    ['/long', true],
    ['/plain', false],
  ] as const) {
    await expect.poll(() => reader.delivered(path).length, PATIENCE).toBe(1);
    expect(reader.delivered(path)[0]?.headers['x-hub-signature'] !== undefined).toBe(isSigned);
  }
  expect(JSON.stringify(await lab.list())).not.toContain('xxxxxxxx');
});

clause(
  ['WS-R4', 'WS-V9', 'WS-V2'],
  'a lease is what was wished for within a day and 30, and ten days without a wish',
  async () => {
    for (const [path, wished, granted] of [
      ['/usual', undefined, 864_000],
      ['/short', '5', 86_400],
      ['/wished', '172800', 172_800],
      ['/years', '315360000', 2_592_000],
    ] as const) {
      const before = lab.time.now();
      await lab.subscribe(TOPIC, reader.url(path), wished === undefined ? {} : { 'hub.lease_seconds': wished });
      const [asked] = reader.asked(path, 'subscribe');
      expect(asked?.query.get('hub.lease_seconds')).toBe(String(granted));
      const found = await lab.find(reader.url(path));
      const leaseMs = Date.parse(found?.leaseEnd ?? '') - granted * 1000;
      expect(leaseMs).toBeGreaterThanOrEqual(before);
      expect(leaseMs).toBeLessThanOrEqual(lab.time.now());
    }
    for (const wished of ['0', '-5', '1.5', 'forever']) {
      expect(await refused(wish(reader.url('/cb'), { 'hub.lease_seconds': wished }))).toContain('hub.lease_seconds');
    }
  },
);

clause('WS-R5', 'what ends a subscription has no lease, whatever it says', async () => {
  await lab.subscribe(TOPIC, reader.url('/leaver'));
  await lab.ask('unsubscribe', TOPIC, reader.url('/leaver'), { 'hub.lease_seconds': 'abc' });
  await expect.poll(() => lab.find(reader.url('/leaver')), PATIENCE).toBeUndefined();
  expect(reader.asked('/leaver', 'unsubscribe')[0]?.query.has('hub.lease_seconds')).toBe(false);
});

clause('WS-R9', 'what is unknown is ignored, and the token of old subscribers comes back', async () => {
  await lab.subscribe(TOPIC, reader.url('/old'), { 'hub.verify': 'async', foo: 'bar', 'hub.verify_token': 'a b' });
  expect(reader.asked('/old')[0]?.query.get('hub.verify_token')).toBe('a b');
});

clause('WS-R13', 'two callbacks of two topics are four subscriptions', async () => {
  const pairs = ['changes.atom', 'ai-changes.ndjson'].flatMap((topic) =>
    ['/one', '/two'].map((path) => [topic, reader.url(path)] as const),
  );
  for (const [topic, callback] of pairs) await lab.subscribe(topic, callback);
  await lab.ask('unsubscribe', 'changes.atom', reader.url('/one'));
  await expect.poll(() => lab.find(reader.url('/one'), 'changes.atom'), PATIENCE).toBeUndefined();
  const left = await Promise.all(pairs.map(async ([topic, callback]) => (await lab.find(callback, topic))?.status));
  expect(left).toEqual([undefined, 'active', 'active', 'active']);
});

clause('WS-R17', 'an escape that is none of need is the same URL, and comes back as it was written', async () => {
  const topic = lab.topic(TOPIC).replace('changes', '%63hange%73');
  const answer = await lab.post({ ...wish(reader.url('/%7Euser')), 'hub.topic': topic });
  expect(answer.status).toBe(202);
  await expect.poll(() => reader.asked('/%7Euser').length, PATIENCE).toBe(1);
  expect(reader.asked('/%7Euser')[0]?.query.get('hub.topic')).toBe(topic);
  await expect.poll(async () => (await lab.find(reader.url('/%7Euser')))?.status, PATIENCE).toBe('active');
  await lab.ask('unsubscribe', TOPIC, reader.url('/~user'));
  await expect.poll(() => lab.find(reader.url('/%7Euser')), PATIENCE).toBeUndefined();
});

clause('WS-R16', 'topics that are none, and callbacks at the hub itself, are refused', async () => {
  for (const topic of ['https://other.example/feed', lab.topic('atom/nobody.atom'), lab.topic('changes.atom?a=1')]) {
    expect(await refused({ ...wish(reader.url('/cb')), 'hub.topic': topic }, 404)).toContain('no feed of this hub');
  }
  expect(await refused({ ...wish(reader.url('/cb')), 'hub.topic': `${lab.topic(TOPIC)}#a` })).toContain('fragment');
  expect(await refused(wish(`${lab.url}hub`), 403)).toContain('this hub itself');
  expect(await refused(wish(`${lab.url}changes.atom?x=1`), 403)).toContain('this hub itself');
});

clause(['WS-A1', 'WS-A2', 'WS-A3'], 'a wish is taken with 202 at once, whatever its callback will say', async () => {
  const held: (() => void)[] = [];
  reader.answer('/held', { get: (_, response) => void held.push(() => response.writeHead(404).end()) });
  reader.answer('/no', { get: status(404) });
  for (const callback of [reader.url('/held'), reader.url('/no'), 'http://127.0.0.1:9/nobody']) {
    const answer = await lab.post(wish(callback));
    expect(answer.status).toBe(202);
  }
  await expect.poll(() => held.length, PATIENCE).toBe(1);
  for (const end of held) end();
});

clause('WS-A6', 'a hub that hands over says so with 308', async () => {
  using other = temporaryFolder();
  const websubHub = { successor: 'https://other.example/hub' };
  await using moved = await openWebSubLab({ folder: other.path, settings: { websubHub } });
  const answer = await moved.post({ 'hub.mode': 'subscribe' });
  expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://other.example/hub']);
});

test('other media types are refused with an explanation, and a charset is none', async () => {
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
    const answer = await lab.post(wish(reader.url('/cb')), type);
    expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('x-www-form-urlencoded')]);
  }
  const answer = await lab.post({ 'hub.mode': '' }, 'Application/X-WWW-Form-Urlencoded; charset=UTF-8');
  expect(answer.status).toBe(400);
  const inQuery = await lab.get('hub?hub.mode=subscribe', {
    method: 'POST',
    body: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([inQuery.status, await inQuery.text()]).toEqual([400, expect.stringContaining('body')]);
  expect((await lab.get('hub')).status).toBe(405);
  const huge = await lab.post({ 'hub.mode': 'x'.repeat(1_100_000) });
  expect(huge.status).toBe(413);
});

test('clients, hosts of callbacks and subscriptions are bounded', async () => {
  using other = temporaryFolder();
  const websubHub = { requestsPerMinute: 4, subscriptions: 2, subscriptionsPerHost: 1 };
  await using small = await openWebSubLab({ folder: other.path, settings: { websubHub } });
  const ask = async (callback: string, mode = 'subscribe') => {
    const fields = { 'hub.mode': mode, 'hub.topic': small.topic(TOPIC), 'hub.callback': callback };
    const answer = await small.post(fields);
    return [answer.status, answer.headers.get('retry-after') !== null];
  };
  expect(await ask(reader.url('/a'))).toEqual([202, false]);
  expect(await ask(reader.url('/b'))).toEqual([403, false]);
  expect(await ask('http://127.0.0.1:9/c')).toEqual([202, false]);
  expect(await ask('http://127.0.0.1:10/d')).toEqual([503, true]);
  expect(await ask(reader.url('/a'))).toEqual([429, true]);
  small.time.skip(61_000);
  expect(await ask(reader.url('/a'))).toEqual([202, false]);
});
