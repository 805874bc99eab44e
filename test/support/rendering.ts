import { readdirSync, readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Renderer } from '../../src/crawl/renderer.ts';
import { userAgentOf } from '../../src/fetch/user-agent.ts';
import { findChromium } from '../../src/io/playwright/chromium-path.ts';
import { createPlaywrightRenderer, type PlaywrightRendererOptions } from '../../src/io/playwright/renderer.ts';
import { createUndiciHttpClient } from '../../src/io/undici/http-client.ts';

export const AGENT = userAgentOf('https://home.example/bot');

/** Whether there is a browser for tests. Prints a message if there is none. */
export function hasChromium(): boolean {
  if (findChromium() !== undefined) return true;
  process.stderr.write('SKIPPED: rendering is not tested here, for there is no Chromium on this machine.\n');
  return false;
}

/** Renders through a guarded client that may connect only to 127.0.0.1. */
export function openRenderer(options: Partial<PlaywrightRendererOptions> = {}): Renderer {
  const http = createUndiciHttpClient({
    allowPrivate: false,
    userAgent: AGENT,
    mayReach: (address) => address === '127.0.0.1',
  });
  const renderer = createPlaywrightRenderer({
    http,
    userAgent: AGENT,
    mayFetch: async () => true,
    // Tests may run as root, on their own pages.
    allowUnsandboxed: true,
    ...options,
  });
  onTestFinished(async () => {
    await renderer[Symbol.asyncDispose]();
    await http[Symbol.asyncDispose]();
  });
  return renderer;
}

/** The HTML of a page fetched from `url`, after its scripts ran. */
export function renderHtml(renderer: Renderer, url: string, html: string, deadlineMs = 90_000): Promise<string> {
  return renderer.render({ url: new URL(url), html, headers: { 'content-type': 'text/html' }, deadlineMs });
}

/** The browsers that this process started and that are still running. */
export function runningBrowsers(): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => isOurBrowser(id)).map(Number);
}

function isOurBrowser(id: string): boolean {
  try {
    const [, parent] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(parent) === process.pid && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('tidings-render-');
  } catch {
    return false;
  }
}
