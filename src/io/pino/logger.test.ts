import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import type { HubLogger } from '../../hub/watch/logger.ts';
import { createPinoLogger, type LogLevel } from './logger.ts';
import { logOutput } from './output.ts';

/** What a logger writes for one call. */
function written(say: (logger: HubLogger) => void, { pretty = false, level = 'debug' as LogLevel } = {}): string {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  say(createPinoLogger({ destination, pretty, level }));
  return text;
}

test('writes one JSON object a line, with level and ISO time', () => {
  const text = written((logger) => logger.info({ source: 'docs', changes: 2 }, 'A check found changes'));
  expect(text.endsWith('\n')).toBe(true);
  expect(JSON.parse(text)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    source: 'docs',
    changes: 2,
    msg: 'A check found changes',
  });
});

test('says nothing below its level', () => {
  const say = (logger: HubLogger) => {
    logger.debug({}, 'd');
    logger.info({}, 'i');
    logger.warn({}, 'w');
    logger.error({}, 'e');
  };
  const messages = (level: LogLevel) => [...written(say, { level }).matchAll(/"msg":"(.)"/g)].map(([, msg]) => msg);
  expect(messages('debug')).toEqual(['d', 'i', 'w', 'e']);
  expect(messages('warn')).toEqual(['w', 'e']);
});

test.each([false, true])('no secret reaches the output (pretty: %s)', (pretty) => {
  const text = written(
    (logger) =>
      logger.warn(
        {
          token: 's3cret-1',
          Authorization: 's3cret-2',
          request: { headers: { cookie: 's3cret-3', 'set-cookie': 's3cret-4', password: 's3cret-5' } },
          list: [{ secret: 's3cret-6' }],
          url: 'https://user:s3cret-7@a.example/x',
          link: new URL('https://s3cret-8@a.example/'),
          error: new Error('GET http://a:s3cret-9@b@c.example failed with Bearer s3cret-10', {
            cause: new Error('postgres://u:s3cret-11@db/x'),
          }),
          token_hint: 'tdg_s3cret12345678',
        },
        'Asked ftp://u:s3cret-13@a.example with Authorization: Bearer s3cret-14',
      ),
    { pretty },
  );
  expect(text).not.toContain('s3cret');
  expect(text).toContain('https://a.example/x');
});

test('an error keeps name, message, code and cause; a stack only where it is a fault of ours', () => {
  const bug = Object.assign(new TypeError('x is not a function', { cause: new Error('why') }), { code: 'E_X' });
  const { error } = JSON.parse(written((logger) => logger.error({ error: bug }, 'Bug')));
  expect(error).toMatchObject({
    name: 'TypeError',
    message: 'x is not a function',
    code: 'E_X',
    cause: { message: 'why' },
  });
  expect(error.stack).toContain('logger.test');
  const refused = new SettingRefusedError('limit', 0, 'Give 1.');
  const known = JSON.parse(written((logger) => logger.warn({ error: refused }, 'No')));
  expect(known.error).toEqual({ name: 'SettingRefusedError', message: refused.message });
});

test('whatever is logged makes one line of bounded size', () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  const fields = {
    loop,
    big: 1n,
    fn: () => 1,
    none: undefined,
    date: new Date(Number.NaN),
    long: 'x'.repeat(100_000),
    bytes: new Uint8Array(9),
  };
  const text = written((logger) => logger.info(fields, 'Odd'));
  expect(text.length).toBeLessThan(20_000);
  expect(JSON.parse(text)).toMatchObject({ big: '1', date: 'Invalid Date', bytes: '[9 bytes]', msg: 'Odd' });
});

test('for people it is one short line', () => {
  const text = written((logger) => logger.warn({ source: 'docs', reason: 'no answer', n: 3 }, 'A check failed'), {
    pretty: true,
  });
  expect(text).toMatch(/^\d\d:\d\d:\d\d warn {2}A check failed {2}source=docs {2}reason="no answer" {2}n=3\n$/);
});

test('no text can forge a line or reach the terminal', () => {
  const hostile = 'x\n03:00:00 info  All is well\r\u001b[2J\u009b31m\u202e\u2028';
  const text = written(
    (logger) => logger.warn({ title: hostile, [hostile]: 1, list: [hostile], error: new Error(hostile) }, hostile),
    { pretty: true },
  );
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
  const [, ...below] = text.trimEnd().split('\n');
  for (const line of below) expect(line).toMatch(/^ {4}/);
});

test('a reader who takes nothing does not stop the hub; what is lost is counted', async () => {
  const { near, far } = await socketPair();
  const output = logOutput(near);
  const line = `${'x'.repeat(9999)}\n`;
  for (let count = 0; count < 2000; count += 1) output.write(line);
  expect(near.writableLength).toBeLessThan(1_100_000);
  far.resume();
  if (near.writableNeedDrain) await once(near, 'drain');
  let rest = '';
  far.on('data', (chunk) => {
    rest = (rest + String(chunk)).slice(-1000);
  });
  output.write('again\n');
  while (!rest.endsWith('again\n')) await once(far, 'data');
  expect(rest).toMatch(/"count":\d+,"msg":"Lines of the log were dropped/);
});

test('a reader who has gone is no error', async () => {
  const { near, far } = await socketPair();
  const output = logOutput(near);
  far.resetAndDestroy();
  output.write('x\n');
  await new Promise((resolve) => near.once('close', resolve));
  for (let count = 0; count < 10; count += 1) output.write('x\n');
  expect(near.destroyed).toBe(true);
});

async function socketPair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const near = connect(address !== null && typeof address === 'object' ? address.port : 0, '127.0.0.1');
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  onTestFinished(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  return { near, far };
}
