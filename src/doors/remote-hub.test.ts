import { expect, test } from 'vitest';
import { seedChanges } from '../../test/support/seeded-hub.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { CursorLostError } from '../errors/cursor-lost-error.ts';
import { startHub } from './hub.ts';
import { openRemoteHub } from './remote-hub.ts';

const NEVER = new AbortController().signal;
const TOKEN = 'test-token-of-a-remote-hub';
const DOCS = { id: 'docs', kind: 'site' as const, url: 'http://127.0.0.1:9/', intervalSeconds: 86_400 };

test('the log of a hub elsewhere is read page by page, with its own cursors', async () => {
  using folder = temporaryFolder();
  const seeded = await seedChanges(folder.path, 5);
  await using hub = await startHub(
    { port: 0, data: folder.path, allowPrivate: true, sources: [DOCS] },
    { token: TOKEN },
  );
  await using stream = await openRemoteHub({ url: hub.url });
  const first = await stream.changes({ limit: 3 }, NEVER);
  const rest = await stream.changes({ after: first.next ?? '', limit: 3 }, NEVER);
  expect([...first.changes, ...rest.changes].map(({ id }) => id)).toEqual(seeded.map(({ id }) => id));
  expect(first.changes[0]?.boundary).toBe('https://docs.example/page-0#prices');
  expect(await stream.changes({ after: rest.next ?? '', source: 'docs' }, NEVER)).toEqual({
    changes: [],
    next: rest.next,
  });
  await expect(stream.changes({ after: '01JZZZZZZZZZZZZZZZZZZZZZZZ' }, NEVER)).rejects.toThrow(CursorLostError);
  expect(await stream.look(NEVER), 'nobody has a foreign hub look').toEqual([]);
});

test('everybody is told the ids of sources, its admin their addresses', async () => {
  using folder = temporaryFolder();
  await using hub = await startHub(
    { port: 0, data: folder.path, allowPrivate: true, sources: [DOCS] },
    { token: TOKEN },
  );
  await using anybody = await openRemoteHub({ url: hub.url });
  await using admin = await openRemoteHub({ url: hub.url, token: TOKEN });
  expect(await anybody.sources(NEVER)).toMatchObject([{ id: 'docs', kind: 'site' as const, url: '' }]);
  expect(await admin.sources(NEVER)).toMatchObject([{ id: 'docs', kind: 'site' as const, url: DOCS.url }]);
});

test('what is no hub is said to be none', async () => {
  await using stream = await openRemoteHub({ url: 'http://127.0.0.1:9/' });
  await expect(stream.changes({}, NEVER)).rejects.toThrow(expect.objectContaining({ recovery: 'retry-later' }));
});
