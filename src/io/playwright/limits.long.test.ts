/** Pages that want to stay, to take everything, or to break what renders them. */

import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { startFeedServer } from '../../../test/support/feed-server.ts';
import { hasChromium, openRenderer, renderHtml, runningBrowsers } from '../../../test/support/rendering.ts';
import { IS_LONG } from '../../../test/support/short-or-long.ts';
import { RenderError } from '../../errors/render-error.ts';

const NOWHERE = 'http://127.0.0.1:9/';
const MIB = 1024 * 1024;
/** For a page to do its worst, once it has begun. */
const AT_WORK_MS = 1000;

describe.skipIf(!hasChromium())('with a real Chromium', () => {
  afterEach(nothingIsLeft);

  test('a page is told off for the memory that all its processes take', async () => {
    const rendering = renderHtml(openRenderer({ maxMemoryBytes: 20 * MIB }), NOWHERE, '<script>for (;;);</script>');
    await expect(rendering).rejects.toThrow('it takes too much memory');
  });

  test('a browser that is killed is a failure of the render', async () => {
    await using server = await startFeedServer();
    server.fail('/never.js', { kind: 'stall' });
    const rendering = renderHtml(openRenderer(), server.origin, '<script src="/never.js"></script>');
    const outcome = expect(rendering).rejects.toThrow('the browser ended (SIGKILL)');
    await expect.poll(() => server.faultsFired, { timeout: 60_000 }).toBe(1);
    const [browser] = runningBrowsers();
    process.kill(browser ?? 0, 'SIGKILL');
    await outcome;
  });
});

describe.skipIf(!hasChromium() || !IS_LONG)('with a real Chromium, at length', () => {
  afterEach(nothingIsLeft);

  test.each([
    [
      'their time',
      [
        '<script>for (;;);</script>',
        '<script>setTimeout(() => { for (;;); }, 50)</script>',
        '<script>for (;;) alert("x".repeat(1e6))</script>',
      ],
    ],
    [
      'their memory',
      [
        '<script>for (;;) console.log("\\u0001".repeat(1e8))</script>',
        '<script>const all = []; for (;;) all.push(new Uint8Array(5e7).fill(1))</script>',
        '<script>for (;;) new Worker("data:text/javascript,for(;;);")</script>',
      ],
    ],
  ])('pages that want all of %s are ended, and cost their reader nothing', async (_, pages) => {
    await using server = await startFeedServer();
    const alarm = onceBegun(() => server.requests.length >= pages.length);
    const renderer = openRenderer({ maxBrowsers: 3, maxMemoryBytes: 700 * MIB, alarm });
    const before = process.memoryUsage.rss();
    const begin = '<script src="/begun.js"></script>';
    const renders = pages.map((html) => renderHtml(renderer, server.origin, `${begin}${html}`));
    await Promise.all(renders.map((rendering) => expect(rendering).rejects.toThrow(RenderError)));
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MIB);
    expect(server.takePaths()).toEqual(pages.map(() => '/begun.js'));
  });

  test('a document of 50 MB does not leave the browser', async () => {
    const html = `<div id="d" hidden></div><script>d.textContent = 'word '.repeat(1e7)</script>`;
    const before = process.memoryUsage.rss();
    await expect(renderHtml(openRenderer(), NOWHERE, html)).rejects.toThrow('over 10485760 bytes');
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MIB);
  });

  test('a script that never comes and a poll that never ends are waited for only so long', async () => {
    await using server = await startFeedServer();
    server.fail('/never.js', { kind: 'stall' });
    // Several times what a page takes here, as busy as this machine is, that wants nothing.
    const startedAt = performance.now();
    await renderHtml(openRenderer(), NOWHERE, '<p>Words</p>', 60_000);
    const deadlineMs = Math.max(4000, 8 * (performance.now() - startedAt));
    const html = await renderHtml(
      openRenderer(),
      server.origin,
      `<script>setInterval(() => fetch('/poll').catch(() => {}), 100)</script><script src="/never.js"></script><p>Words</p>`,
      deadlineMs,
    );
    expect(html).toContain('<p>Words</p>');
    expect(server.faultsFired).toBe(1);
    expect(server.takePaths()).toContain('/poll');
  });

  test('there is an end to how often and how much a page may ask', async () => {
    await using server = await startFeedServer();
    for (let index = 0; index < 40; index += 1) server.put(`/${index}`, 'x'.repeat(1000));
    const html = `<script>(async () => { for (let i = 0; i < 40; i += 1) await fetch('/' + i) })()</script>`;
    await renderHtml(openRenderer({ maxRequests: 5 }), server.origin, html);
    expect(server.takePaths()).toHaveLength(5);
    await renderHtml(openRenderer({ maxTotalBytes: 2500 }), server.origin, html);
    expect(server.takePaths()).toHaveLength(3);
  });

  test('a page that asks for everything at once is ended', async () => {
    await using server = await startFeedServer();
    const html = `<script>for (let i = 0; i < 200; i += 1) fetch('/' + i)</script>`;
    const rendering = renderHtml(openRenderer({ maxRequests: 5 }), server.origin, html);
    await expect(rendering).rejects.toThrow('it asks for too many things');
  });

  test('pages are rendered side by side, and know nothing of each other', async () => {
    const renderer = openRenderer({ maxBrowsers: 2 });
    const page = (word: string) =>
      renderHtml(
        renderer,
        NOWHERE,
        `<p id="p"></p><script>localStorage.all = (localStorage.all ?? '') + '${word}'; p.textContent = localStorage.all</script>`,
        20_000,
      );
    const words = ['one', 'two', 'three'];
    const pages = await Promise.all(words.map(page));
    for (const [index, word] of words.entries()) expect(pages[index]).toContain(`<p id="p">${word}</p>`);
  });
});

function nothingIsLeft(): void {
  expect(runningBrowsers()).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`tidings-render-${process.pid}-`))).toEqual([]);
}

/** A deadline that passes a while after the pages have begun, however long that takes here. */
function onceBegun(haveBegun: () => boolean): (ms: number, expire: () => void) => () => void {
  return (_, expire) => {
    let last: NodeJS.Timeout | undefined;
    const look = setInterval(() => {
      if (haveBegun()) last ??= setTimeout(expire, AT_WORK_MS);
    }, 20);
    return () => {
      clearInterval(look);
      clearTimeout(last);
    };
  };
}
