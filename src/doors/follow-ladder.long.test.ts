import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnFreshPort } from '../../test/support/fresh-port.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage, temporaryFolder } from '../../test/support/site.ts';
import { keepLadder, ladderAt } from '../follow/ladder-at.ts';
import { openSqliteFollowState } from '../io/sqlite/follow-state.ts';
import { type FollowedEvent, type FollowOptions, follow } from './follow.ts';
import { publish } from './publish.ts';

const PAGES = Array.from({ length: 12 }, (_, number) => `p${number}`);
/** Where the feeds of a published site are. */
const FEEDS: Readonly<Record<string, RegExp>> = {
  aicf: /^\/(?:\.well-known\/ai-changefeed|ai-changes\.ndjson)/,
  diffdelta: /^\/(?:\.well-known\/diffdelta\.json|diff\/|archive\/)/,
  resourcesync: /^\/(?:\.well-known\/resourcesync|resourcesync\/)/,
};

type Fault = (response: ServerResponse) => void;

const FAULTS: Readonly<Record<string, Fault>> = {
  'is gone': (response) => void response.writeHead(404).end(),
  'is a page': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Moved</h1>'),
  'is empty': (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(),
};

/** A site that publishes a feed of its pages, which can be broken while its pages are edited. */
async function startPublished(dialect = 'aicf') {
  const folder = temporaryFolder();
  let fault: Fault | undefined;
  let fired = 0;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const [feed] = Object.entries(FEEDS).find(([, paths]) => paths.test(path)) ?? [];
    if (feed !== undefined && feed !== dialect) return void response.writeHead(404).end();
    if (feed !== undefined && fault !== undefined) {
      fired += 1;
      return fault(response);
    }
    try {
      const body = readFileSync(join(folder.path, path.endsWith('/') ? `${path}index.html` : path));
      response.writeHead(200, { 'content-type': mediaTypeOf(path) }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  const url = `http://127.0.0.1:${await listenOnFreshPort(server)}/`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    folder[Symbol.dispose]();
  });
  const edit = (name: string, text: string) =>
    folder.write({
      [`${name}/index.html`]: htmlPage(`Page ${name}`, [
        { id: 'one', heading: 'One', text },
        { id: 'two', heading: 'Two', text: `The second part of ${name} stays.` },
        { id: 'three', heading: 'Three', text: `The third part of ${name} stays.` },
      ]),
    });
  for (const name of PAGES) edit(name, `What ${name} said at first.`);
  folder.write({
    'index.html': `<!doctype html><title>Home</title><main><h1>Home</h1><p>All pages are here.</p>${PAGES.map((name) => `<p><a href="/${name}/">${name}</a></p>`).join('')}</main>`,
  });
  return {
    url,
    edit,
    replaceAll(html: (name: string) => string) {
      for (const name of PAGES) folder.write({ [`${name}/index.html`]: html(name) });
      const links = PAGES.map((name) => `<a href="/${name}/">${name}</a>`);
      folder.write({ 'index.html': html('home').replace('</main>', `${links.join(' ')}</main>`) });
    },
    publish: () => publish({ dir: folder.path, site: url, force: true }),
    breakFeed: (how: Fault) => {
      fault = how;
    },
    mend: () => {
      fault = undefined;
    },
    firedSinceLast() {
      const count = fired;
      fired = 0;
      return count;
    },
  };
}

function mediaTypeOf(path: string): string {
  if (path.endsWith('/')) return 'text/html; charset=utf-8';
  if (/xml$|resourcesync$/.test(path)) return 'application/xml';
  return path.endsWith('.ndjson') ? 'application/x-ndjson' : 'application/json';
}

async function run(options: FollowOptions) {
  const events: FollowedEvent[] = [];
  const said: string[] = [];
  let error: unknown;
  const onDiagnostic = ({ message }: { readonly message: string }) => void said.push(message);
  try {
    const all = { once: true, allowPrivate: true, cooldownMs: 0, onDiagnostic, ...options };
    for await (const event of follow(all)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  return { error, said: said.join('\n'), told: events.map(toldAs) };
}

function toldAs({ action, boundary, dialect }: FollowedEvent): string {
  const { pathname, hash } = new URL(boundary);
  return `${dialect} ${action} ${pathname}${hash}`;
}

const WAYS = Object.keys(FEEDS).flatMap((dialect) => Object.keys(FAULTS).map((fault) => [dialect, fault] as const));

test.each(WAYS.slice(0, shortOrLong(1, WAYS.length)))(
  'a feed of %s that %s: its pages speak for it, and the feed again when it is back; nothing is lost or told twice',
  async (dialect, how) => {
    const fault = FAULTS[how] ?? (() => {});
    const site = await startPublished(dialect);
    using folder = temporaryFolder();
    const options = { url: site.url, state: join(folder.path, 'state.db') };
    await site.publish();
    expect((await run(options)).told).toHaveLength(PAGES.length + 1);

    site.breakFeed(fault);
    // What its checksums are made of only we know who publish them; of the sections nothing was told so far that could be compared.
    const isOurs = dialect !== 'resourcesync';
    if (isOurs) site.edit('p1', 'Edited while the feed was broken.');
    const down = await run(options);
    expect(down.error).toBeUndefined();
    expect(down.told).toEqual(isOurs ? ['pages update /p1/'] : []);
    expect(down.said).toContain(`its ${dialect} feed is given up for now`);
    expect(site.firedSinceLast()).toBeGreaterThan(1);

    site.edit('p2', 'Edited a little later.');
    expect((await run(options)).told).toEqual(['pages update /p2/#one']);
    expect((await run(options)).told).toEqual([]);

    site.edit('p3', 'Edited and published before the feed was back.');
    await site.publish();
    site.mend();
    const back = await run(options);
    expect(back.error).toBeUndefined();
    expect(back.told).toEqual(['pages update /p3/#one']);
    expect(back.said).toContain(`its ${dialect} feed is well again`);

    site.edit('p4', 'Edited when all was well.');
    await site.publish();
    const { told } = await run(options);
    expect(told).toEqual([expect.stringMatching(new RegExp(`^${dialect} update /p4/(?:#one)?$`))]);
    expect((await run(options)).told).toEqual([]);
  },
  30_000,
);

test.each(Object.keys(FEEDS).slice(0, shortOrLong(1, 3)))(
  'a history of edits, breaks and mends of %s: each edit is told once, and nothing else',
  async (dialect) => {
    const site = await startPublished(dialect);
    using folder = temporaryFolder();
    const options = { url: site.url, state: join(folder.path, 'state.db') };
    const random = randomFrom(20261117);
    await site.publish();
    await run(options);
    const faults = Object.values(FAULTS);
    const edited: string[] = [];
    const told: string[] = [];
    let falls = 0;
    for (let round = 0; round < shortOrLong(4, 40); round += 1) {
      const isDown = random() < 0.5;
      if (isDown) site.breakFeed(faults[Math.floor(random() * faults.length)] ?? (() => {}));
      else site.mend();
      const result = await run(options);
      falls += Number(result.said.includes('is given up'));
      expect(result.told, `round ${round}, before an edit`).toEqual([]);
      const names = PAGES.filter(() => random() < 0.2);
      for (const name of names) site.edit(name, `Edited in round ${round}.`);
      if (!isDown || random() < 0.5) await site.publish();
      const { told: events, error } = await run(options);
      expect(error).toBeUndefined();
      edited.push(...names.map((name) => `${round} /${name}/`));
      told.push(...events.map((line) => `${round} ${line.split(' ')[2]?.replace(/#.*/, '')}`));
      if (isDown) await site.publish();
    }
    expect(told.toSorted()).toEqual(edited.toSorted());
    expect(falls).toBeGreaterThan(0);
  },
  600_000,
);

test('a feed that does not answer gets three checks before its pages are read', async () => {
  const site = await startPublished();
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  await site.publish();
  await run(options);
  site.breakFeed((response) => void response.writeHead(500).end());
  site.edit('p1', 'Edited while the feed was broken.');
  for (const check of [1, 2]) {
    const { told, error } = await run(options);
    expect(told, `check ${check}`).toEqual([]);
    expect(error).toMatchObject({ recovery: 'retry-later' });
  }
  expect(await run(options)).toMatchObject({ told: ['pages update /p1/'], error: undefined });
  await site.publish();
  site.mend();
  expect(await run(options)).toMatchObject({ told: [], error: undefined });
});

test('a feed that is silent for longer than its rhythm allows: its pages speak for it until it has news', async () => {
  const site = await startPublished();
  using folder = temporaryFolder();
  const file = join(folder.path, 'state.db');
  const options = { url: site.url, state: file };
  await site.publish();
  await run(options);
  const silent = async () => {
    await using state = await openSqliteFollowState({ file });
    const ladder = await ladderAt(new URL(site.url), state);
    if (ladder === undefined) throw new Error('nothing is remembered');
    const hours = Array.from({ length: 8 }, () => 3600_000);
    await keepLadder(
      new URL(site.url),
      { ...ladder, changeGapsMs: hours, lastChangeMs: Date.now() - 9e8, calmMs: 0 },
      state,
    );
  };
  await silent();
  expect(await run(options), 'nothing was edited, so all is well').toMatchObject({ told: [], said: '' });
  await silent();
  site.edit('p1', 'Edited, and nobody published it.');
  const stuck = await run(options);
  expect(stuck).toMatchObject({ told: ['pages update /p1/'], error: undefined });
  expect(stuck.said).toContain('longer than its own rhythm allows');
  site.edit('p2', 'Edited, and nobody published it.');
  expect((await run(options)).told).toEqual(['pages update /p2/#one']);
  await site.publish();
  expect(await run(options)).toMatchObject({ told: [], said: expect.stringContaining('is well again') });
  site.edit('p3', 'Edited and published.');
  await site.publish();
  expect((await run(options)).told).toEqual(['aicf update /p3/#one']);
});

test('a site that became somebody else’s is a safety stop, until a person says that it is the same', async () => {
  const site = await startPublished('diffdelta');
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  await site.publish();
  await run(options);
  site.breakFeed(FAULTS['is gone'] ?? (() => {}));
  site.replaceAll(
    (name) =>
      `<!doctype html><title>Casino ${name}</title><main><h1>Casino ${name}</h1><p>Bet now, ${name}.</p></main>`,
  );
  const stopped = await run(options);
  expect(stopped).toMatchObject({ told: [], error: { recovery: 'stop' } });
  expect(String(stopped.error)).toContain('somebody else');
  expect((await run({ ...options, allowDeletes: true })).error).toBeUndefined();
});

test('pages that cannot be read either: all stays as it was, and the feed is what failed', async () => {
  const site = await startPublished();
  using folder = temporaryFolder();
  const state = join(folder.path, 'state.db');
  await site.publish();
  await run({ url: site.url, state });
  site.breakFeed(FAULTS['is gone'] ?? (() => {}));
  const { told, error } = await run({ url: site.url, state, only: ['/nothing/**'] });
  expect(told).toEqual([]);
  expect(error).toMatchObject({ name: 'FeedUnreadableError' });
  site.mend();
  site.edit('p1', 'Another text.');
  await site.publish();
  expect((await run({ url: site.url, state })).told).toEqual(['aicf update /p1/#one']);
}, 30_000);

test('a feed that is broken when a site is first seen: its pages are told, and it is returned to when it is well', async () => {
  const site = await startPublished();
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  await site.publish();
  site.breakFeed((response) => void response.writeHead(500).end());
  const first = await run(options);
  expect(first.error).toBeUndefined();
  expect(first.told).toHaveLength(PAGES.length + 1);
  expect(first.said).toContain('Followed instead: its pages.');
  site.edit('p1', 'Edited before the feed was ever read.');
  await site.publish();
  site.mend();
  const back = await run(options);
  expect(back).toMatchObject({ told: ['pages update /p1/#one'], error: undefined });
  expect(back.said).toContain('its aicf feed is well again');
  site.edit('p2', 'Edited when all was well.');
  await site.publish();
  expect((await run(options)).told).toEqual(['aicf update /p2/#one']);
});

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
