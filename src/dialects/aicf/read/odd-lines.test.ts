import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { createFollower, FEED, linesOf, startPublisher } from '../../../../test/support/publisher.ts';
import { TruncatedBodyError } from '../../../errors/fetch-error.ts';

test('BOM, CRLF, blank lines and offsets in time are read as if they were not there', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const [one, two] = [server.event('1', { time: '2025-08-21T14:00:00+02:00' }), server.event('2')].map((e) =>
    JSON.stringify(e),
  );
  server.put(FEED, `\uFEFF${one}\r\n\r\n  \n${two}\r\n\n`);
  const { ids, events, codes } = await follower();
  expect(ids).toEqual(['1', '2']);
  expect(events[0]?.time).toBe('2025-08-21T12:00:00Z');
  expect(codes).toEqual([]);
  server.append(FEED, `${linesOf(server.event('3'))}`);
  expect(await follower()).toMatchObject({ ids: ['3'], codes: [] });
});

test('a torn last line is left for the next poll, without an error and without a move', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const line = linesOf(server.event('2'));
  server.append(FEED, linesOf(server.event('1')) + line.slice(0, 30));
  expect(await follower()).toMatchObject({ ids: ['1'], codes: [], error: undefined });
  server.append(FEED, line.slice(30));
  expect(await follower()).toMatchObject({ ids: ['2'], codes: [], error: undefined });
});

test('an unterminated last line that is a whole event is used at once, and once', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.append(FEED, linesOf(server.event('1'), server.event('2')).trimEnd());
  expect((await follower()).ids).toEqual(['1', '2']);
  server.append(FEED, `\n${linesOf(server.event('3'))}`);
  expect(await follower()).toMatchObject({ ids: ['3'], codes: [] });
  expect(server.requests.at(-1)?.status).toBe(206);
});

test('a bad line in the middle is skipped and named once, with its number and clause', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.append(
    FEED,
    `${linesOf(server.event('1'))}{"id":\n${linesOf({ id: '2', action: 'move', url: 'https://a.example/', time: '2025-08-21T12:00:00Z' }, server.event('3'))}nonsense\n`,
  );
  const { ids, diagnostics } = await follower();
  expect(ids).toEqual(['1', '3']);
  expect(diagnostics.map(({ code, level }) => `${level} ${code}`)).toEqual(Array(3).fill('warn bad-line'));
  expect(diagnostics[0]?.message).toContain(`${FEED}:2: AICF-F4`);
  expect(diagnostics[1]?.message).toContain(`${FEED}:3: AICF-E5`);
  expect(diagnostics[2]?.message).toContain(`${FEED}:5: AICF-F4`);

  server.append(FEED, `also nonsense\n${linesOf(server.event('4'))}`);
  const again = await follower();
  expect(again.ids).toEqual(['4']);
  expect(again.diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(`${FEED}:6: AICF-F4`)]);
});

test('bytes that are not UTF-8 make a bad line', async () => {
  await using server = await startPublisher();
  server.put(FEED, { body: Buffer.concat([Buffer.from(linesOf(server.event('1'))), Buffer.from([0x7b, 0xff, 0x0a])]) });
  expect(await createFollower(server)()).toMatchObject({ ids: ['1'], codes: ['bad-line'] });
});

test('a line of 10 MB is skipped and named', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const long = linesOf(server.event('2', { note: 'x'.repeat(10_000_000) }));
  server.append(FEED, linesOf(server.event('1')) + long + linesOf(server.event('3')));
  const { ids, diagnostics } = await follower();
  expect(ids).toEqual(['1', '3']);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/ndjson:2: AICF-F4: The line has 100\d+ bytes/),
  ]);
});

test('ids that go back are read in the order of lines, with one warning', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('evt-9'), server.event('evt-10'), server.event('evt-11'), server.event('evt-2'));
  expect(await follower()).toMatchObject({ ids: ['evt-9', 'evt-10', 'evt-11', 'evt-2'], codes: ['ids-go-back'] });
  server.publish(server.event('evt-1'));
  expect((await follower()).ids).toEqual(['evt-1']);
});

clause('AICF-H3', 'a body cut mid-line gives its whole lines, an error, and the rest at the next poll', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'), server.event('3'));
  const twoAndAHalf = Buffer.byteLength(linesOf(server.event('1'), server.event('2'))) + 20;
  for (const kind of ['cut', 'cut-chunked'] as const) {
    server.fail(FEED, { kind, afterBytes: twoAndAHalf });
  }
  const first = await follower();
  expect(first.ids).toEqual(['1', '2']);
  expect(first.error).toBeInstanceOf(TruncatedBodyError);
  const second = await follower();
  expect(second).toMatchObject({ ids: ['3'] });
  expect(server.faultsFired).toBe(2);
  expect((await follower()).ids).toEqual([]);
});

clause('AICF-H3', 'a cut right behind a line that lacks only its LF does not use that line', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'), server.event('2'));
  server.fail(FEED, { kind: 'cut', afterBytes: Buffer.byteLength(linesOf(server.event('1'), server.event('2'))) - 1 });
  const { ids, error } = await createFollower(server)();
  expect(ids).toEqual(['1']);
  expect(error).toBeInstanceOf(TruncatedBodyError);
  expect(server.faultsFired).toBe(1);
});
