/** A page tries every way out that a browser knows. The canary stands where our own client may not go. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FeedServer, startFeedServer } from '../../../test/support/feed-server.ts';
import { AGENT, hasChromium, openRenderer, renderHtml } from '../../../test/support/rendering.ts';
import { IS_LONG, shortOrLong } from '../../../test/support/short-or-long.ts';
import { startBrowser } from './browser.ts';
import { findChromium } from './chromium-path.ts';

const SCRIPT = { 'content-type': 'text/javascript' };

/** Each runs in the page, where `to` is the canary's address, `host` its name and port, and `from` the page's own server. */
const WAYS: Readonly<Record<string, string>> = {
  fetch: `fetch(to + '/fetch', { mode: 'no-cors' })`,
  post: `fetch(to + '/post', { method: 'POST', mode: 'no-cors', body: 'x' })`,
  keepalive: `fetch(to + '/keepalive', { mode: 'no-cors', keepalive: true })`,
  xhr: `const x = new XMLHttpRequest(); x.open('GET', to + '/xhr'); x.send()`,
  beacon: `navigator.sendBeacon(to + '/beacon', 'x')`,
  image: `new Image().src = to + '/image'`,
  script: `add('script', { src: to + '/script' })`,
  module: `import(to + '/module').catch(() => {})`,
  style: `add('link', { rel: 'stylesheet', href: to + '/style' })`,
  background: `document.body.style.background = 'url(' + to + '/background)'`,
  font: `new FontFace('f', 'url(' + to + '/font)').load().catch(() => {})`,
  audio: `add('audio', { src: to + '/audio', preload: 'auto' })`,
  frame: `add('iframe', { src: to + '/frame' })`,
  object: `add('object', { data: to + '/object' })`,
  embed: `add('embed', { src: to + '/embed' })`,
  prefetch: `add('link', { rel: 'prefetch', href: to + '/prefetch' })`,
  preload: `add('link', { rel: 'preload', as: 'fetch', href: to + '/preload', crossOrigin: '' })`,
  ping: `const a = add('a', { href: '#x', ping: to + '/ping' }); a.click()`,
  events: `new EventSource(to + '/events')`,
  socket: `new WebSocket('ws://' + host + '/socket')`,
  worker: `new Worker(from + 'worker.js')`,
  shared: `new SharedWorker(from + 'shared.js')`,
  service: `navigator.serviceWorker?.register(from + 'service.js').catch(() => {})`,
  blob: `new Worker(URL.createObjectURL(new Blob(['fetch("' + to + '/blob", { mode: "no-cors" }); new WebSocket("ws://' + host + '/blob-socket")'])))`,
  inner: `add('iframe', { srcdoc: '<img src="' + to + '/inner"><script>new WebSocket("ws://' + host + '/inner-socket")</scr' + 'ipt>' })`,
  form: `const f = add('form', { action: to + '/form', method: 'POST', target: add('iframe', { name: 'target' }).name }); f.submit()`,
  open: `window.open(to + '/open')`,
  popup: `const b = add('a', { href: to + '/popup', target: '_blank', rel: 'opener' }); b.click()`,
  redirect: `fetch('/redirect', { mode: 'no-cors' })`,
};

/** Taken by some browsers at some times, so that none of these has to be seen where nothing is guarded. */
const RARE_WAYS: Readonly<Record<string, string>> = {
  manifest: `add('link', { rel: 'manifest', href: to + '/manifest' })`,
  icon: `add('link', { rel: 'icon', href: to + '/icon' })`,
  speculation: `add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [to + '/speculation'], source: 'list', eagerness: 'immediate' }] }) })`,
};

/** These leave a trace without a request: a bare connection or a datagram. */
const SILENT_WAYS: Readonly<Record<string, string>> = {
  preconnect: `add('link', { rel: 'preconnect', href: to })`,
  stun: `offer(new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host }] }))`,
  turn: `offer(new RTCPeerConnection({ iceServers: [{ urls: 'turn:' + host + '?transport=tcp', username: 'u', credential: 'c' }] }))`,
  transport: `new WebTransport('https://' + host + '/transport').ready.catch(() => {})`,
};

const ALL_WAYS = { ...WAYS, ...RARE_WAYS, ...SILENT_WAYS };

describe.skipIf(!hasChromium())('with a real Chromium', () => {
  test('no way out of a page leads to where our own client may not go', async () => {
    await using server = await startFeedServer();
    const canary = await startCanary();
    putScripts(server, canary.origin);
    const html = await renderHtml(openRenderer(), server.origin, pageOf(server, canary.origin));
    expect(html).toContain(`<p>tried ${Object.keys(ALL_WAYS).length}`);
    expect(server.takePaths().sort()).toEqual(['/redirect', '/shared.js', '/worker.js']);
    expect(canary).toMatchObject({ paths: [], connections: 0, datagrams: 0 });
  });

  test('a page that leads elsewhere is not rendered, and where it leads to is not asked', async () => {
    await using server = await startFeedServer();
    const canary = await startCanary();
    const renderer = openRenderer({ maxBrowsers: 3 });
    const leads = (html: string) =>
      expect(renderHtml(renderer, server.origin, `<p>Words</p>${html}`), html).rejects.toThrow(
        `lead to ${canary.origin}`,
      );
    const pages = [
      `<script>location.href = '${canary.origin}/location'</script>`,
      `<form id="f" method="post" action="${canary.origin}/form"></form><script>f.submit()</script>`,
      `<meta http-equiv="refresh" content="0; url=${canary.origin}/refresh">`,
      `<script>open('${canary.origin}/self', '_self')</script>`,
      `<iframe srcdoc="<script>top.location = '${canary.origin}/top'</script>"></iframe>`,
    ];
    await Promise.all(pages.slice(0, shortOrLong(1, pages.length)).map(leads));
    expect(canary).toMatchObject({ paths: [], connections: 0, datagrams: 0 });
  });
});

describe.skipIf(!hasChromium() || !IS_LONG)('with a real Chromium, at length', () => {
  test('the same page in a browser without our rules reaches the canary', async () => {
    await using server = await startFeedServer();
    const canary = await startCanary();
    putScripts(server, canary.origin);
    server.put('/', pageOf(server, canary.origin));
    const executablePath = findChromium() ?? '';
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(server.origin);
    const missing = () => Object.keys(WAYS).filter((way) => !canary.paths.includes(`/${way}`));
    await expect.poll(missing).toEqual([]);
    await expect.poll(() => canary.datagrams).toBeGreaterThan(0);
  });

  test('where nothing is intercepted, the browser’s switches alone lead nowhere', async () => {
    await using server = await startFeedServer();
    const canary = await startCanary();
    putScripts(server, canary.origin);
    const broken: string[] = [];
    const executable = findChromium() ?? '';
    const browser = await startBrowser({
      executable,
      allowUnsandboxed: true,
      userAgent: AGENT,
      maxMemoryBytes: 2 ** 32,
      onBroken: (reason) => broken.push(reason),
    });
    onTestFinished(() => browser.end('kill'));
    const connected = await chromium.connectOverCDP(browser.pipe, { artifactsDir: browser.folder });
    const page = await (await connected.newContext()).newPage();
    const html = pageOf(server, canary.origin);
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
    await page.route('**/*', (route) =>
      route.request().url() === server.origin
        ? route.fulfill({ contentType: 'text/html', body: html })
        : route.continue(),
    );
    await page.goto(server.origin);
    await expect.poll(() => failed).toEqual(expect.arrayContaining(['/fetch', '/frame', '/script']));
    // Both of the two that look for a peer have ended their search.
    await expect.poll(() => page.title()).toBe('xx');
    expect(server.connections).toBe(0);
    expect(canary).toMatchObject({ paths: [], connections: 0, datagrams: 0 });
    expect(broken).toEqual([]);
  });
});

function pageOf(server: FeedServer, to: string): string {
  const tries = Object.values(ALL_WAYS).map((way) => `attempt(() => { ${way} });`);
  return `<!DOCTYPE html><body><script>
    const to = '${to}', host = '${new URL(to).host}', from = '${server.origin}';
    let tried = 0;
    const attempt = (way) => { tried += 1; try { way() } catch {} };
    const add = (name, properties) => document.body.appendChild(Object.assign(document.createElement(name), properties));
    const offer = (peer) => {
      peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') document.title += 'x' };
      peer.createDataChannel('x');
      peer.createOffer().then((words) => peer.setLocalDescription(words));
    };
    ${tries.join('\n')}
    document.body.append(Object.assign(document.createElement('p'), { textContent: 'tried ' + tried }));
  </script>`;
}

function putScripts(server: FeedServer, to: string): void {
  const host = new URL(to).host;
  for (const name of ['worker', 'shared', 'service']) {
    const body = `fetch('${to}/${name}', { mode: 'no-cors' }); new WebSocket('ws://${host}/${name}-socket'); try { importScripts('${to}/${name}-import') } catch {}
      try { new WebTransport('https://${host}/').ready.catch(() => {}) } catch {}`;
    server.put(`/${name}.js`, { body, headers: SCRIPT });
  }
  server.put('/redirect', { status: 302, body: '', headers: { location: `${to}/redirect` } });
}

interface Canary {
  /** `http://127.0.0.2:<port>`, for TCP and UDP alike. */
  readonly origin: string;
  readonly paths: string[];
  readonly connections: number;
  readonly datagrams: number;
}

async function startCanary(): Promise<Canary> {
  const paths: string[] = [];
  let connections = 0;
  let datagrams = 0;
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.on('upgrade', (request, socket) => {
    paths.push(request.url ?? '');
    socket.destroy();
  });
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = createSocket('udp4', () => {
    datagrams += 1;
  });
  socket.bind(port, '127.0.0.2');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.2:${port}`,
    paths,
    get connections() {
      return connections;
    },
    get datagrams() {
      return datagrams;
    },
  };
}
