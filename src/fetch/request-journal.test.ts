import { expect, test } from 'vitest';
import { RequestJournal } from './request-journal.ts';

const page = (path: string, host = 'docs.example') => new URL(`https://${host}${path}`);

test('the newest requests of a host come first, with what came of them', () => {
  let nowMs = 1000;
  const journal = new RequestJournal({ now: () => nowMs });
  const first = journal.asked(page('/a'));
  nowMs = 2000;
  const second = journal.asked(page('/b'));
  second.answered(304);
  first.answered(200);
  first.received(512);
  expect(journal.of('docs.example')).toEqual([
    { atMs: 2000, path: '/b', status: 304, bytes: 0 },
    { atMs: 1000, path: '/a', status: 200, bytes: 512 },
  ]);
  expect(journal.totalsOf('docs.example')).toEqual({ requests: 2, bytes: 512 });
  expect([journal.of('other.example'), journal.totalsOf('other.example')]).toEqual([[], { requests: 0, bytes: 0 }]);
});

test('what stands in a query is not kept, and a long path is cut', () => {
  const journal = new RequestJournal({ now: () => 0 });
  journal.asked(page(`/feed?key=${'s'.repeat(9)}`));
  journal.asked(page(`/${'x'.repeat(100_000)}`));
  const [long, keyed] = journal.of('docs.example');
  expect(keyed?.path).toBe('/feed?…');
  expect(long?.path).toHaveLength(301);
});

test('a host with a port is another host', () => {
  const journal = new RequestJournal({ now: () => 0 });
  journal.asked(page('/', 'docs.example:8443'));
  expect([journal.of('docs.example'), journal.of('docs.example:8443')]).toMatchObject([[], [{ path: '/' }]]);
});

test('so many of each host are kept, and all that were asked are counted', () => {
  const journal = new RequestJournal({ now: () => 0, perHost: 3 });
  for (let at = 0; at < 10; at += 1) journal.asked(page(`/${at}`));
  expect(journal.of('docs.example').map(({ path }) => path)).toEqual(['/9', '/8', '/7']);
  expect(journal.totalsOf('docs.example').requests).toBe(10);
});

test('beyond so many in all, the host that was asked longest ago is forgotten first', () => {
  const journal = new RequestJournal({ now: () => 0, perHost: 3, most: 5 });
  for (let at = 0; at < 3; at += 1) journal.asked(page(`/${at}`, 'old.example'));
  for (let at = 0; at < 3; at += 1) journal.asked(page(`/${at}`, 'new.example'));
  expect(journal.of('old.example').map(({ path }) => path)).toEqual(['/2', '/1']);
  for (let at = 0; at < 100; at += 1) journal.asked(page('/', `h${at}.example`));
  expect(journal.hosts()).toEqual(['h95.example', 'h96.example', 'h97.example', 'h98.example', 'h99.example']);
});

test('an answer to a request that is forgotten harms nothing', () => {
  const journal = new RequestJournal({ now: () => 0, most: 1 });
  const forgotten = journal.asked(page('/', 'old.example'));
  journal.asked(page('/', 'new.example'));
  forgotten.answered(200);
  forgotten.received(10);
  expect([journal.of('old.example'), journal.totalsOf('old.example').bytes]).toEqual([[], 0]);
});
