import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LiveSite, pageOf, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { honesty } from './honesty.ts';

interface Told {
  readonly path: string;
  readonly anchor?: string;
  readonly time?: string;
}

/** A site whose feed tells what it is told to tell. */
class Publisher {
  readonly site: LiveSite;
  #lines: string[] = [];

  constructor(site: LiveSite) {
    this.site = site;
    site.put({
      '/.well-known/ai-changefeed': JSON.stringify({ aicf_version: '0.1', self: `${site.url}changes.ndjson` }),
    });
    this.tell();
  }

  tell(...told: readonly Told[]): void {
    for (const { path, anchor, time = new Date().toISOString() } of told) {
      const id = `evt-${String(this.#lines.length).padStart(6, '0')}`;
      this.#lines.push(
        JSON.stringify({
          id,
          action: 'update',
          url: this.site.url + path,
          time,
          ...(anchor !== undefined && { anchor }),
        }),
      );
    }
    this.site.put({ '/changes.ndjson': this.#lines.map((line) => `${line}\n`).join('') });
  }

  edit(path: string, text: string): void {
    this.site.put({ [`/${path}`]: pageOf(`Page ${path}`, text) });
  }
}

async function startLab(...paths: readonly string[]) {
  const site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  const folder = temporaryFolder();
  const state = join(folder.path, 'honesty.db');
  return {
    publisher: new Publisher(site),
    site,
    check: (pages?: number) =>
      honesty(site.url, { state, allowPrivate: true, cooldownMs: 0, ...(pages !== undefined && { pages }) }),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test('the first run is the baseline; then what was told is compared with what is seen', async () => {
  await using lab = await startLab('', 'a', 'b', 'c', 'd');
  const { publisher } = lab;
  publisher.tell({ path: 'a' }, { path: 'b' });
  expect(await lab.check()).toEqual({
    url: lab.site.url,
    dialect: 'aicf',
    sampled: 5,
    compared: 0,
    toldAndTrue: 0,
    toldNotSeen: 0,
    seenNotTold: 0,
    timesOff: { median: null, max: null },
    pages: [],
  });

  publisher.edit('a', 'It says that.');
  publisher.edit('b', 'It says something else.');
  publisher.edit('c', 'It says another thing.');
  publisher.tell({ path: 'a', anchor: 'one' }, { path: 'c', time: '2020-01-01T00:00:00Z' }, { path: 'd' });
  const report = await lab.check();
  expect(report).toMatchObject({ sampled: 5, compared: 5, toldAndTrue: 2, toldNotSeen: 1, seenNotTold: 1 });
  expect(report.timesOff).toMatchObject({ median: 0, max: expect.any(Number) });
  expect(report.timesOff.max).toBeGreaterThan(5 * 365 * 24 * 3600);
  const words = Object.fromEntries(report.pages.map(({ url, verdict }) => [url.replace(lab.site.url, '/'), verdict]));
  expect(words).toEqual({ '/': 'same', '/a': 'true', '/b': 'seen-not-told', '/c': 'true', '/d': 'told-not-seen' });

  expect(await lab.check()).toMatchObject({ compared: 5, toldAndTrue: 0, toldNotSeen: 0, seenNotTold: 0 });
});

test('a page that is another one at each look, one that fails and one that a login stands in place of are no findings', async () => {
  await using lab = await startLab('', 'a', 'b', 'c');
  await lab.check();
  let count = 0;
  lab.site.put({
    '/a': (response) => {
      count += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf('Page a', `You are visitor ${count}.`));
    },
    '/b': { status: 500 },
    '/c': {
      status: 200,
      body: '<html><head><title>Sign in</title></head><body><form><h1>Sign in</h1><input type="password"></form></body></html>',
    },
  });
  const report = await lab.check();
  expect(report).toMatchObject({ compared: 1, toldNotSeen: 0, seenNotTold: 0 });
  expect(report.pages.map(({ verdict }) => verdict).sort()).toEqual(['same', 'unread', 'unread', 'volatile']);
});

test('so many pages are looked at and no more, others the next time, and the feed is asked once', async () => {
  const paths = Array.from({ length: 30 }, (_, at) => `p${at}`);
  await using lab = await startLab(...paths);
  const pagesAsked = () => lab.site.takeRequests().filter((request) => /^200 \/p\d+$/.test(request));
  expect(await lab.check(3)).toMatchObject({ sampled: 3 });
  const first = pagesAsked();
  expect(first).toHaveLength(3);
  expect(await lab.check(3)).toMatchObject({ sampled: 3, compared: 3 });
  const second = pagesAsked();
  expect(second.slice(0, 3)).toEqual(first);
  expect(second.length).toBeLessThanOrEqual(6);
});

test('a site without a feed cannot be judged', async () => {
  await using site = await startLiveSite({ '/': pageOf('Start') });
  using folder = temporaryFolder();
  const state = join(folder.path, 'honesty.db');
  await expect(honesty(site.url, { state, allowPrivate: true, cooldownMs: 0 })).rejects.toThrow(
    'offers nothing to follow',
  );
});
