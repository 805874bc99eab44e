import { expect, test, vi } from 'vitest';
import { nthChange } from '../../test/support/mcp-ports.ts';
import type { StreamedChange } from '../stream/change-stream.ts';
import { type Notices, noticesOf, noticeTeller, tellNews } from './notices.ts';
import { resourceUri } from './page-uri.ts';

const url = 'https://docs.example/limits';

test('many changes of a page are one notice of it, and one of each section', () => {
  const changes = Array.from({ length: 1000 }, (_, index) =>
    nthChange(index, { url, anchor: index % 2 === 0 ? 'a' : 'b' }),
  );
  expect(noticesOf(changes)).toEqual({
    uris: new Set([resourceUri({ url }), resourceUri({ url, anchor: 'a' }), resourceUri({ url, anchor: 'b' })]),
    isListChanged: false,
  });
});

test('a page event tells of the sections that its note names, and of the list where a page came or went', () => {
  const note = 'many-sections; sections changed=a added=b removed=c';
  const { uris, isListChanged } = noticesOf([nthChange(1, { url, note })]);
  expect([...uris]).toEqual(
    [{}, { anchor: 'a' }, { anchor: 'b' }, { anchor: 'c' }].map((part) => resourceUri({ url, ...part })),
  );
  expect(isListChanged).toBe(false);
  expect(noticesOf([nthChange(1, { url, action: 'delete' })]).isListChanged).toBe(true);
  expect(noticesOf([nthChange(1, { url, kind: 'endpoint', action: 'create' })]).uris.size).toBe(0);
});

test('news are told from where the log ends, also behind a failure', async () => {
  const log: StreamedChange[] = [nthChange(1)];
  const told: Notices[] = [];
  const problems: unknown[] = [];
  const stop = new AbortController();
  let rounds = 0;
  await tellNews(
    {
      stream: {
        async news() {
          rounds += 1;
          if (rounds === 1) log.push(nthChange(2, { url }));
          if (rounds === 4) log.push(nthChange(3, { url, anchor: 'a' }));
          if (rounds > 4) stop.abort();
        },
        async changes({ after }) {
          if (rounds === 2) throw new Error('It is gone for a moment.');
          return { changes: log.filter(({ id }) => id > (after ?? '')), next: log.at(-1)?.id ?? null };
        },
      },
      newest: async () => log.at(-1)?.id,
      publish: (notices) => void told.push(notices),
      onProblem: (error) => void problems.push(error),
    },
    stop.signal,
  );
  expect(told.map(({ uris }) => [...uris].at(-1))).toEqual([resourceUri({ url }), resourceUri({ url, anchor: 'a' })]);
  expect(problems).toHaveLength(1);
});

test('commits that come together are one notice', async () => {
  const told: Notices[] = [];
  const tell = noticeTeller((notices) => told.push(notices));
  const change = { kind: 'page', action: 'update', url: 'https://docs.example/a' } as const;
  tell([change, { ...change, anchor: 'tiers' }]);
  tell([{ ...change, action: 'create', url: 'https://docs.example/b' }]);
  await vi.waitFor(() => expect(told).toHaveLength(1));
  expect([told[0]?.uris.size, told[0]?.isListChanged]).toEqual([3, true]);
  tell([{ ...change, kind: 'endpoint' }]);
  tell([change]);
  await vi.waitFor(() => expect(told).toHaveLength(2));
});
