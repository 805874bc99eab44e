import { describe, expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { startFeedServer } from '../../../test/support/feed-server.ts';
import { AGENT, hasChromium, openRenderer, renderHtml } from '../../../test/support/rendering.ts';
import { IS_LONG } from '../../../test/support/short-or-long.ts';
import { FetchAbortedError } from '../../errors/fetch-error.ts';
import { RenderError, RendererMissingError } from '../../errors/render-error.ts';

const SCRIPT = { 'content-type': 'text/javascript' };
const OPEN_JSON = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };

describe.skipIf(!hasChromium())('with a real Chromium', () => {
  test('what scripts draw is in the HTML: inline, external, module and from JSON', async () => {
    await using server = await startFeedServer();
    server.put('/app.js', { body: `add('external')`, headers: SCRIPT });
    server.put('/module.js', { body: `import { word } from './word.js'; add(word)`, headers: SCRIPT });
    server.put('/word.js', { body: `export const word = 'module'`, headers: SCRIPT });
    server.put('/data.json', '{"word":"fetched"}');
    const html = await renderHtml(
      openRenderer(),
      `${server.origin}page?a=b`,
      `<!DOCTYPE html><title>t</title><noscript>Please turn scripts on</noscript><ul id="list"></ul>
      <script>const add = (word) => { list.innerHTML += '<li>' + word + '</li>' }; add('inline at ' + location.href);</script>
      <script src="/app.js"></script><script type="module" src="/module.js"></script>
      <script>fetch('/data.json').then((r) => r.json()).then(({ word }) => setTimeout(() => add(word), 300))</script>`,
    );
    expect(html).toMatch(/^<!DOCTYPE html>\n<html><head><title>t<\/title>/);
    expect(html).toContain(`<li>inline at ${server.origin}page?a=b</li>`);
    for (const word of ['external', 'module', 'fetched']) expect(html).toContain(`<li>${word}</li>`);
    expect(html).not.toContain('Please turn scripts on');
    expect(server.takePaths().sort()).toEqual(['/app.js', '/data.json', '/module.js', '/word.js']);
  });

  clause(
    ['AWI-UA1', 'AWI-UA4'],
    'every request of a rendered page, and every script in it, has the same User-Agent',
    async () => {
      await using server = await startFeedServer();
      server.put('/w.js', { body: `fetch('/from-worker?' + navigator.userAgent)`, headers: SCRIPT });
      server.put('/frame', `<script>fetch('/from-frame?' + navigator.userAgent)</script>`);
      const html = await renderHtml(
        openRenderer(),
        server.origin,
        `<p id="who"></p><iframe src="/frame"></iframe>
      <script>who.textContent = navigator.userAgent; new Worker('/w.js'); new SharedWorker('/w.js?shared')</script>`,
      );
      expect(html).toContain(`<p id="who">${AGENT}</p>`);
      const name = encodeURI(AGENT);
      const paths = ['/frame', `/from-frame?${name}`, `/from-worker?${name}`, '/w.js', '/w.js?shared'];
      expect(server.requests.map(({ path }) => path).sort()).toEqual(paths);
      expect(new Set(server.requests.map(({ headers }) => headers['user-agent']))).toEqual(new Set([AGENT]));
    },
  );

  test('nothing but GET goes out, with no cookie, referrer or header of the page; pictures and foreign frames stay', async () => {
    await using server = await startFeedServer();
    await using other = await startFeedServer();
    server.put('/cookie.json', { body: '1', headers: { 'set-cookie': 'fromserver=1' } });
    other.put('/api', { body: '2', headers: OPEN_JSON });
    await renderHtml(
      openRenderer(),
      server.origin,
      `<img src="/picture.png"><video src="/film.mp4"></video><iframe src="${other.origin}frame"></iframe><script>
      document.cookie = 'fromscript=1';
      fetch('/cookie.json').then(() => fetch('/again.json', { credentials: 'include' }));
      fetch('/post', { method: 'POST', body: 'x' }); fetch('/head', { method: 'HEAD' }); navigator.sendBeacon('/beacon');
      fetch('${other.origin}api', { headers: { authorization: 'Bearer x', 'x-custom': 'y' } });
      </script>`,
    );
    const seen = [...server.requests, ...other.requests];
    expect(seen.map(({ path }) => path).sort()).toEqual(['/again.json', '/api', '/cookie.json']);
    for (const { headers } of seen) {
      expect(
        Object.keys(headers)
          .filter((name) => !['origin', 'host', 'connection'].includes(name))
          .sort(),
      ).toEqual(['accept', 'accept-encoding', 'user-agent']);
    }
    expect(other.requests[0]?.headers.origin).toBe(new URL(server.origin).origin);
  });

  test('what robots.txt forbids is not asked for, nor where a redirect leads; a host that asks for a pause gets one', async () => {
    await using server = await startFeedServer();
    await using busy = await startFeedServer();
    server.put('/allowed.js', { body: `document.title = 'ran'`, headers: SCRIPT });
    server.put('/redirect.js', { status: 301, body: '', headers: { location: '/private/b.js' } });
    busy.fail('/1.js', { kind: 'status', status: 429 });
    const mayFetch = async (url: URL) => !url.pathname.startsWith('/private/');
    const html = await renderHtml(
      openRenderer({ mayFetch }),
      server.origin,
      `<script src="/private/a.js"></script><script src="/redirect.js"></script><script src="/allowed.js"></script>
      <script>fetch('${busy.origin}1.js').catch(() => fetch('${busy.origin}2.js'))</script>`,
    );
    expect(html).toContain('<title>ran</title>');
    expect(server.takePaths().sort()).toEqual(['/allowed.js', '/redirect.js']);
    expect(busy.takePaths()).toEqual(['/1.js']);
  });

  test('the caller’s signal ends a render, and closing the renderer ends them all', async () => {
    const renderer = openRenderer({ maxBrowsers: 1 });
    const stopping = new AbortController();
    const request = {
      url: new URL('http://127.0.0.1:9/'),
      html: '<script>for (;;);</script>',
      headers: {},
      deadlineMs: 30_000,
    };
    const stopped = renderer.render({ ...request, signal: stopping.signal });
    const waiting = renderer.render(request);
    stopping.abort();
    await expect(stopped).rejects.toThrow(FetchAbortedError);
    const closed = Promise.all([expect(waiting).rejects.toThrow(RenderError), renderer[Symbol.asyncDispose]()]);
    await closed;
    await expect(renderer.render(request)).rejects.toThrow('closed');
  });
});

describe.skipIf(!hasChromium() || !IS_LONG)('with a real Chromium, at length', () => {
  test('an answer of another origin is read only with its permission, also behind a redirect', async () => {
    await using server = await startFeedServer();
    await using other = await startFeedServer();
    other.put('/open', { body: '"open"', headers: OPEN_JSON });
    other.put('/closed', { body: '"closed"', headers: { 'content-type': 'application/json' } });
    for (const name of ['open', 'closed']) {
      server.put(`/to-${name}`, { status: 302, body: '', headers: { location: `${other.origin}${name}` } });
    }
    const html = await renderHtml(
      openRenderer(),
      server.origin,
      `<ul id="list"></ul><script>for (const url of ['${other.origin}open', '${other.origin}closed', '/to-open', '/to-closed'])
      fetch(url).then((r) => r.json()).then((word) => { list.innerHTML += '<li>' + url + word }, () => { list.innerHTML += '<li>' + url + ' failed' })
      </script>`,
    );
    const [, list = ''] = html.split(/<\/?ul[^>]*>/);
    const words = list.match(/[^/>]+(?=<)/g);
    expect(words?.sort()).toEqual(['closed failed', 'openopen', 'to-closed failed', 'to-openopen']);
    expect(other.requests).toHaveLength(4);
  });

  test('shadow roots are written out in place, and the page cannot lie about its words', async () => {
    const html = await renderHtml(
      openRenderer(),
      'http://127.0.0.1:9/',
      `<doc-page><p>light</p></doc-page><template><i>kept</i></template><script>
      customElements.define('doc-part', class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<h2><slot></slot></h2>' } });
      customElements.define('doc-page', class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML =
          '<doc-part>Heading</doc-part><slot>fallback</slot><slot name="none">default</slot>' } });
      Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'a lie' });
      document.querySelectorAll = Array.prototype.flatMap = null;
      </script>`,
    );
    expect(html).toContain('<doc-page><doc-part><h2>Heading</h2></doc-part><p>light</p>default</doc-page>');
    expect(html).toContain('<template><i>kept</i></template>');
  });

  test('a page is read as what it was sent as: its charset is settled, its policy holds, XHTML is XML', async () => {
    const renderer = openRenderer();
    const render = (html: string, headers: Record<string, string>) =>
      renderer.render({ url: new URL('http://127.0.0.1:9/#part'), html, headers, deadlineMs: 30_000 });
    const [html, xhtml] = await Promise.all([
      render('<meta charset="latin1"><p>žluť</p><script>document.body.append("ran")</script>', {
        'content-type': 'text/html; charset=latin1',
        'content-security-policy': `script-src 'none'`,
      }),
      render(
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><p/><p id="x"/><script>document.getElementById("x").append("XML")</script></body></html>',
        {
          'content-type': 'application/xhtml+xml',
        },
      ),
    ]);
    expect(html).toContain('<p>žluť</p>');
    expect(html).not.toMatch(/ran$|ran<\/body>/);
    expect(xhtml).toContain('<p id="x">XML</p>');
  });
});

test('without a browser or without the package it says what to install', async () => {
  const without = openRenderer({ chromiumPath: 'no/such/chromium' });
  await expect(renderHtml(without, 'http://127.0.0.1:9/', '')).rejects.toThrow(RendererMissingError);
  await expect(renderHtml(without, 'http://127.0.0.1:9/', '')).rejects.toThrow('no/such/chromium');
  const loadPlaywright = () => Promise.reject(new Error('Cannot find package'));
  const unpacked = openRenderer({ chromiumPath: process.execPath, loadPlaywright });
  await expect(renderHtml(unpacked, 'http://127.0.0.1:9/', '')).rejects.toThrow('npm install playwright-core');
});

test('a program that is no browser is a failure, not a wait', async () => {
  const renderer = openRenderer({ chromiumPath: process.execPath });
  await expect(renderHtml(renderer, 'http://127.0.0.1:9/', '')).rejects.toThrow('the browser ended (exit 9)');
});
