/** Pages that want to stay, to take everything, or to break what renders them. */

import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFeedServer } from '../../../test/support/feed-server.ts';
import { AGENT, hasChromium, openRenderer, renderHtml, runningBrowsers } from '../../../test/support/rendering.ts';
import { RenderError } from '../../errors/render-error.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import { createPlaywrightRenderer } from './renderer.ts';

const NO_HTTP: HttpClient = {
  get: () => Promise.reject(new Error('nothing is asked for')),
  async [Symbol.asyncDispose]() {},
};
const NOWHERE = 'http://127.0.0.1:9/';
const MIB = 1024 * 1024;
/** A loaded machine may take this much longer to notice that a deadline has passed, and to clear away. */
const GRACE_MS = 4000;

describe.skipIf(!hasChromium())('with a real Chromium', { timeout: 60_000 }, () => {
  /** Long enough for a page to begin on this machine, as it is now, beside two others. */
  let deadlineMs = 3000;

  beforeAll(async () => {
    await import('playwright-core');
    const startedAt = performance.now();
    const renderer = createPlaywrightRenderer({ http: NO_HTTP, userAgent: AGENT, mayFetch: async () => false });
    await renderHtml(renderer, NOWHERE, '<p>Words</p>', 60_000);
    deadlineMs = Math.max(deadlineMs, 4 * (performance.now() - startedAt));
  }, 60_000);

  afterEach(() => {
    expect(runningBrowsers()).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`tidings-render-${process.pid}-`))).toEqual([]);
  });

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
    const renderer = openRenderer({ maxBrowsers: 3, maxMemoryBytes: 700 * MIB });
    const before = process.memoryUsage.rss();
    const startedAt = performance.now();
    const begin = '<script src="/begun.js"></script>';
    const renders = pages.map((html) => renderHtml(renderer, server.origin, `${begin}${html}`, deadlineMs));
    await Promise.all(renders.map((rendering) => expect(rendering).rejects.toThrow(RenderError)));
    expect(performance.now() - startedAt).toBeLessThan(deadlineMs + GRACE_MS);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MIB);
    expect(server.takePaths()).toEqual(pages.map(() => '/begun.js'));
  });

  test('a page is told off for the memory that all its processes take', async () => {
    const rendering = renderHtml(openRenderer({ maxMemoryBytes: 20 * MIB }), NOWHERE, '<script>for (;;);</script>');
    await expect(rendering).rejects.toThrow('it takes too much memory');
  });

  test('a document of 50 MB does not leave the browser', async () => {
    const html = `<div id="d" hidden></div><script>d.textContent = 'word '.repeat(1e7)</script>`;
    const before = process.memoryUsage.rss();
    await expect(renderHtml(openRenderer(), NOWHERE, html)).rejects.toThrow('over 10485760 bytes');
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MIB);
  });

  test('a browser that is killed is a failure of the render', async () => {
    await using server = await startFeedServer();
    server.fail('/never.js', { kind: 'stall' });
    const rendering = renderHtml(openRenderer(), server.origin, '<script src="/never.js"></script>');
    const outcome = expect(rendering).rejects.toThrow('the browser ended (SIGKILL)');
    await expect.poll(() => server.faultsFired, { timeout: 10_000 }).toBe(1);
    const [browser] = runningBrowsers();
    process.kill(browser ?? 0, 'SIGKILL');
    await outcome;
  });

  test('a script that never comes and a poll that never ends are waited for only so long', async () => {
    await using server = await startFeedServer();
    server.fail('/never.js', { kind: 'stall' });
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
