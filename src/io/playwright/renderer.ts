import type { BrowserType } from 'playwright-core';
import type { Renderer, RenderRequest } from '../../crawl/renderer.ts';
import { RenderError, RendererMissingError } from '../../errors/render-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { createSemaphore } from '../../fetch/semaphore.ts';
import { alarm as setAlarm } from '../node/timer-alarm.ts';
import { wait } from '../node/timer-wait.ts';
import { startBrowser } from './browser.ts';
import { findChromium, isExecutable } from './chromium-path.ts';
import { type Course, type CourseOptions, startCourse } from './course.ts';
import { runPage } from './page.ts';
import { createSubrequests, type SubrequestRules } from './subrequests.ts';

export interface PlaywrightRendererOptions extends Pick<SubrequestRules, 'http' | 'mayFetch'> {
  /** The one that `http` sends. */
  readonly userAgent: string;
  /** The browser's file; looked for by its usual names unless said otherwise. */
  readonly chromiumPath?: string | undefined;
  /** The browser of root has no sandbox, and starts only where this is true. */
  readonly allowUnsandboxed?: boolean | undefined;
  /** How many pages are rendered at once; 2 unless said otherwise. */
  readonly maxBrowsers?: number;
  /** For all processes of one browser together; 1.5 GiB unless said otherwise. */
  readonly maxMemoryBytes?: number;
  /** How often one page may ask for something; 200 times unless said otherwise. */
  readonly maxRequests?: number;
  /** For all that one page asks for; 50 MiB unless said otherwise. */
  readonly maxTotalBytes?: number;
  /** How a render waits for its deadline; by a timer unless said otherwise. */
  readonly alarm?: CourseOptions['alarm'];
  readonly loadPlaywright?: () => Promise<{ readonly chromium: BrowserType }>;
}

const MIB = 1024 * 1024;
const LAST_MOMENT_MS = 200;

/**
 * Renders with `playwright-core` and the system's Chromium: one browser per page, started for it and ended after it. Neither is needed before the first page
 * is rendered.
 */
export function createPlaywrightRenderer(options: PlaywrightRendererOptions): Renderer {
  const slots = createSemaphore(options.maxBrowsers ?? 2);
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  const render = async (request: RenderRequest): Promise<string> => {
    const { url, deadlineMs, signal } = request;
    const course = startCourse({ url, deadlineMs, signal, closing: closing.signal, alarm: options.alarm ?? setAlarm });
    const turn = slots.take();
    try {
      await Promise.race([turn, course.failed]);
      return await renderInBrowser(options, request, course);
    } finally {
      course.end();
      void turn.then((endTurn) => endTurn());
    }
  };
  return {
    render(request) {
      const task = render(request);
      const settled = task.then(
        () => {},
        () => {},
      );
      underWay.add(settled);
      void settled.then(() => underWay.delete(settled));
      return task;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

async function renderInBrowser(
  options: PlaywrightRendererOptions,
  request: RenderRequest,
  course: Course,
): Promise<string> {
  const { url } = request;
  const executable = chromiumOf(options, url);
  const { chromium } = await playwrightOf(options, url);
  const browser = await startBrowser({
    executable,
    userAgent: options.userAgent,
    allowUnsandboxed: options.allowUnsandboxed,
    maxMemoryBytes: options.maxMemoryBytes ?? 1536 * MIB,
    onBroken: (reason) => course.fail(new RenderError(url, reason)),
  });
  const subrequests = createSubrequests(url, {
    http: options.http,
    mayFetch: options.mayFetch,
    maxRequests: options.maxRequests ?? 200,
    maxTotalBytes: options.maxTotalBytes ?? 50 * MIB,
    onFlood: () => course.fail(new RenderError(url, 'it asks for too many things')),
  });
  let isCalm = false;
  try {
    const running = runPage({ chromium, browser, request, course, subrequests });
    const html = await Promise.race([running, course.failed]);
    isCalm = true;
    return html;
  } catch (error) {
    if (error instanceof TidingsError) throw error;
    // The end of a browser is known a moment after its last words, and explains them.
    await Promise.race([course.failed, wait(LAST_MOMENT_MS, course.over)]);
    throw new RenderError(url, reasonOf(error), error);
  } finally {
    subrequests.stop();
    await browser.end(isCalm ? 'ask' : 'kill');
  }
}

function chromiumOf({ chromiumPath }: PlaywrightRendererOptions, url: URL): string {
  if (chromiumPath !== undefined && !isExecutable(chromiumPath)) {
    throw new RendererMissingError(url, `${chromiumPath} is no program; name the file of a Chromium`);
  }
  const executable = chromiumPath ?? findChromium();
  if (executable !== undefined) return executable;
  const advice = 'install it (Debian: apt-get install chromium) or name its file in TIDINGS_CHROMIUM';
  throw new RendererMissingError(url, `there is no Chromium on this machine; ${advice}`);
}

async function playwrightOf(
  { loadPlaywright = () => import('playwright-core') }: PlaywrightRendererOptions,
  url: URL,
): Promise<{ readonly chromium: BrowserType }> {
  try {
    return await loadPlaywright();
  } catch (error) {
    const advice = 'install it beside tidings (npm install playwright-core@1.65)';
    throw new RendererMissingError(url, `the package playwright-core is missing; ${advice}`, error);
  }
}

/** Playwright appends a log of its calls to its messages. */
function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/\.$/, '').slice(0, 300);
}
