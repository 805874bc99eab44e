import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import type { Change, ChangeDraft } from '../../src/model/change.ts';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { pagesOf } from '../support/dashboard-pages.ts';
import { NEVER_CHECKED } from '../support/fake-watch.ts';
import { HOSTILE_STRINGS, hostileSource } from '../support/hostile-strings.ts';
import { foreignParts } from '../support/page-traps.ts';

const FEEDS = [
  'ai-changes.ndjson',
  'aicf/evil.ndjson',
  'changes.atom',
  'atom/evil.atom',
  'diff/latest.json',
  'diff/evil/latest.json',
  'api/v1/changes',
];

describe.runIf(hasBrowser())('what strangers write', () => {
  let lab: BrowserLab;
  let folder: string;
  let changes: readonly Change[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidings-hostile-'));
    changes = await seed(folder);
    lab = await openBrowserLab({ data: folder });
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([true, false])('is text on every page, signed in: %s', async (signedIn) => {
    const names = {
      sources: ['evil', 'lantern'],
      changes: changes.map(({ id }) => id),
      subscriptions: ['none'],
      keys: ['none'],
    };
    const pages = [...(await pagesOf(lab.hub, names)), ...hostileQueries()];
    expect(pages.length).toBeGreaterThan(HOSTILE_STRINGS.length);
    const { page, faults, close } = await lab.open('', { signedIn });
    for (const path of pages) {
      const answer = await page.goto(new URL(path, lab.hub.url).href);
      expect(answer?.status(), path).toBeLessThan(500);
      expect(
        [...(await foreignParts(page)), ...faults.filter((fault) => !/status of 4\d\d/.test(fault))],
        path.slice(0, 200),
      ).toEqual([]);
    }
    await close();
  });

  test('is text in every feed', async () => {
    const { page, faults, close } = await lab.open('');
    for (const path of FEEDS) {
      const answer = await fetch(new URL(path, lab.hub.url));
      const type = answer.headers.get('content-type') ?? '';
      expect([answer.status, answer.headers.get('x-content-type-options')], path).toEqual([200, 'nosniff']);
      expect(type, path).not.toContain('html');
      const text = await answer.text();
      expect(text, path).toContain('globalThis.hit');
      if (!type.includes('xml')) continue;
      const count = `(text) => new DOMParser().parseFromString(text, 'application/xml').querySelectorAll('parsererror, script, img, svg, iframe').length`;
      expect(await page.evaluate(`(${count})(${JSON.stringify(text)})`), path).toBe(0);
    }
    expect(faults).toEqual([]);
    await close();
  });

  test('is found where one field of a page is not escaped', async () => {
    for (const text of HOSTILE_STRINGS.slice(0, 4)) {
      const server = createServer((_, response) => {
        response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'");
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(`<!doctype html><title>x</title><h1 title="y">${text}</h1>`);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { page, close } = await lab.open('', { base });
      expect(await foreignParts(page), text).not.toEqual([]);
      await close();
      server.close();
    }
  });
});

/** Each field of changes, sources, notes and texts of pages has each of the strings once. */
async function seed(folder: string): Promise<readonly Change[]> {
  await using store = await openSqliteHubStore({ folder, now: Date.now });
  const hostile = hostileSource();
  const health = {
    ...NEVER_CHECKED,
    dueAtMs: Date.now() + 86_400_000,
    lastCheckMs: Date.now(),
    failures: 2,
    error: { code: 'PageStatusError', message: hostile() },
    notes: HOSTILE_STRINGS.slice(0, 12),
    pause: { by: hostile(), untilMs: Date.now() + 1e9 },
    volatile: HOSTILE_STRINGS.map((where) => ({
      where,
      url: where,
      changed: 2,
      looks: 3,
      since: '2026-01-01T00:00:00Z',
    })),
    unstable: HOSTILE_STRINGS,
  };
  const config = {
    id: 'evil',
    kind: 'site',
    url: 'https://evil.example/',
    title: hostile(),
    tags: [hostile()],
  } as const;
  await store.putSources([{ config, origin: 'api', addedAtMs: Date.now(), health, paused: hostile() }]);
  const drafts = HOSTILE_STRINGS.flatMap((_, at) => [
    hostileChange(hostile, at, 'update'),
    hostileChange(hostile, at, 'create'),
  ]);
  const snapshots = new Map(
    HOSTILE_STRINGS.map((text, at) => [`sha256:${String(at).padStart(64, '0')}`, `# ${text}\n\n${text}\n`]),
  );
  return await store.commit({ source: 'evil', drafts, snapshots });
}

function hostileChange(hostile: () => string, at: number, action: 'create' | 'update'): ChangeDraft {
  const snapshot = (index: number) => `sha256:${String(index % HOSTILE_STRINGS.length).padStart(64, '0')}`;
  return {
    source: 'evil',
    action,
    url: `https://evil.example/${encodeURIComponent(hostile().slice(0, 300).toWellFormed())}`,
    anchor: hostile(),
    checksum: hostile(),
    title: hostile(),
    heading: hostile(),
    summary: hostile(),
    excerpt: hostile(),
    before: hostile(),
    note: hostile(),
    risk: 1,
    riskReasons: [hostile()],
    provenance: { by: hostile(), originId: hostile(), via: hostile(), before: snapshot(at), after: snapshot(at + 1) },
  };
}

/** The same from who asks. */
function hostileQueries(): readonly string[] {
  return HOSTILE_STRINGS.map((text) => encodeURIComponent(text.slice(0, 1000).toWellFormed())).flatMap((text) => [
    `search?q=${text}`,
    `search?source=${text}&path=${text}`,
    `sources?q=${text}`,
    `timeline?source=evil&url=${text}&anchor=${text}`,
    `changes/${text}`,
    `sources/${text}`,
    `sign-in?to=${text}`,
    `bot?host=${text}`,
  ]);
}
