import type { BrowserContext, BrowserType, Page, Request, Route } from 'playwright-core';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import type { RenderRequest } from '../../crawl/renderer.ts';
import { RenderError } from '../../errors/render-error.ts';
import { wait } from '../node/timer-wait.ts';
import type { BrowserProcess } from './browser.ts';
import type { Course } from './course.ts';
import { pageHeaders } from './headers.ts';
import { readPageHtml } from './html.ts';
import type { Subrequests } from './subrequests.ts';

export interface PageRun {
  readonly chromium: BrowserType;
  readonly browser: BrowserProcess;
  readonly request: RenderRequest;
  readonly course: Course;
  readonly subrequests: Subrequests;
}

const MAX_HTML_BYTES = 10 * 1024 * 1024;
const QUIET_MS = 500;
/** Shares of the deadline: what a page waits for then is ended, so that it comes to rest; and then it is read, at rest or not. */
const LOADING_SHARE = 0.6;
const SETTLING_SHARE = 0.75;

const EVERY_URL = /^/;

/** Ways out that are no requests. The switches of the browser close them too; where a page looks, they are not there. */
const REMOVE_WAYS_OUT = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name];`;

/** The page's HTML once its scripts have settled. Side problems are reported to `course`. */
export async function runPage(run: PageRun): Promise<string> {
  const { request, course, subrequests } = run;
  const context = await openContext(run);
  const page = await context.newPage();
  page.on('crash', () => course.fail(new RenderError(request.url, 'its process broke down')));
  context.on('page', (other) => void other.close().catch(ignore));
  await context.route(EVERY_URL, createAnswers(run, page));

  void wait(course.msUntil(LOADING_SHARE), course.over).then(subrequests.stop);
  await page.goto(withoutFragment(request.url), { waitUntil: 'domcontentloaded', timeout: 0 });
  await Promise.race([subrequests.quiet(QUIET_MS), wait(course.msUntil(SETTLING_SHARE), course.over)]);
  return await htmlOf(context, page, request.url);
}

async function openContext({ chromium, browser }: PageRun): Promise<BrowserContext> {
  const connected = await chromium.connectOverCDP(browser.pipe, {
    artifactsDir: browser.folder,
    noDefaults: true,
    timeout: 0,
  });
  const context = await connected.newContext({
    acceptDownloads: false,
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    timezoneId: 'UTC',
    // High enough to draw what is otherwise drawn when somebody scrolls there.
    viewport: { width: 1280, height: 4000 },
  });
  await context.addInitScript(REMOVE_WAYS_OUT);
  await context.routeWebSocket(EVERY_URL, (socket) => void socket.close().catch(ignore));
  return context;
}

/** The page itself is answered with what was fetched, once. Where it leads to afterwards is another page: not this one. */
function createAnswers({ request, course, subrequests }: PageRun, page: Page): (route: Route) => Promise<void> {
  const href = withoutFragment(request.url);
  let served = false;

  const answer = async (route: Route): Promise<void> => {
    const asked = route.request();
    if (!asked.isNavigationRequest() || isInFrame(asked)) return subrequests.answer(route);
    if (!served && asked.url() === href && asked.method() === 'GET') {
      served = true;
      return route.fulfill({ status: 200, headers: pageHeaders(request.headers), body: request.html });
    }
    if (asked.frame().page() === page) course.fail(leadsAway(request.url, asked.url()));
    return route.abort('aborted');
  };
  // What fails here fails because the browser or the page is gone, which is noticed elsewhere.
  return (route) => answer(route).catch(ignore);
}

function isInFrame(asked: Request): boolean {
  return asked.frame().parentFrame() !== null;
}

async function htmlOf(context: BrowserContext, page: Page, url: URL): Promise<string> {
  const reading = await readPageHtml(await context.newCDPSession(page), MAX_HTML_BYTES);
  if (!canParseUrl(reading.url) || new URL(reading.url).origin !== url.origin || !/^http/.test(reading.url)) {
    throw leadsAway(url, reading.url);
  }
  const { html } = reading;
  if (html === undefined || Buffer.byteLength(html) > MAX_HTML_BYTES) {
    throw new RenderError(url, `its HTML is over ${MAX_HTML_BYTES} bytes after its scripts ran`);
  }
  return html;
}

function leadsAway(url: URL, target: string): RenderError {
  return new RenderError(url, `its scripts lead to ${target.slice(0, 200)}, which is another page`);
}

function withoutFragment(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  return bare.href;
}

function ignore(): void {}
