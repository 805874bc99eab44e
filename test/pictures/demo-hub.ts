import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningHub, runHub } from '../../src/doors/run-hub.ts';
import { hubConfigOf } from '../../src/doors/settings.ts';
import type { HubConfig } from '../../src/hub/config/hub-config.ts';
import { Random } from '../torture/hub-random.ts';

export const DEMO_TOKEN = 'test-token-of-the-demo-hub';
const DAY_MS = 86_400_000;
const DAYS = 45;
const SEED = 7;
const MOST_LOOKS = 400;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Sentences that the sections of the sites change to. */
const SENTENCES = [
  'Messages are kept for 30 days after delivery, then they are removed.',
  'A token lasts one hour. Ask for another one before it ends.',
  'The limit is 600 requests a minute for each key, counted over ten seconds.',
  'Deliveries are tried again after 1, 5 and 30 minutes, then once an hour for a day.',
  'Version 2 of the API stays available until the end of June.',
  'Errors carry a stable code and a sentence that says what to do.',
  'Regions: Frankfurt, Dublin and, since this spring, Stockholm.',
  'Attachments may have 25 MB each, 40 MB together.',
  'Webhooks are signed; verify the signature before you read the body.',
  'The price of a thousand messages falls to € 0.45 from ten million on.',
];

const SITES = [
  { id: 'lantern', title: 'Lantern Mail', pages: ['start', 'pricing', 'limits', 'webhooks', 'security'] },
  { id: 'harbor', title: 'Harbor API handbook', pages: ['authentication', 'pagination', 'errors', 'rate-limits'] },
  { id: 'orchard', title: 'Orchard design notes', pages: ['colours', 'type', 'spacing'] },
] as const;

export interface DemoHub extends AsyncDisposable {
  readonly hub: RunningHub;
  /** The address of a site that answers, to be added. */
  readonly newSite: string;
}

/** A hub that has watched three sites for weeks, one that does not answer, and one that is paused. Everything is real but the calendar. */
export async function openDemoHub(folder: string): Promise<DemoHub> {
  const random = new Random(SEED);
  const nowMs = Date.now();
  const texts = new Map<string, string[]>();
  for (const { id, pages } of SITES) {
    for (const page of pages)
      texts.set(
        `${id}/${page}`,
        Array.from({ length: 4 }, () => random.pick(SENTENCES)),
      );
    await writeSite(folder, id, texts);
  }
  const settings = {
    selfService: { enabled: true },
    port: 0,
    data: './data',
    allowPrivate: true,
    sources: SITES.map(({ id, title }) => ({
      id,
      title,
      kind: 'folder',
      path: `./${id}`,
      site: `https://${id}.example/`,
      cleanUrls: true,
      intervalSeconds: 3600,
    })),
  };
  const config = hubConfigOf(settings, { base: folder });
  for (let day = 0; day < DAYS; day += 1) {
    const wallMs = nowMs - (DAYS - day) * DAY_MS + random.integer(0, DAY_MS - 1);
    const edited = SITES.filter(() => random.integer(0, 2) > 0);
    for (const { id, pages } of edited) {
      const sections = texts.get(`${id}/${random.pick(pages)}`) ?? [];
      sections[random.integer(0, sections.length - 1)] = `${random.pick(SENTENCES)} ${day} ${random.pick(SENTENCES)}`;
      await writeSite(folder, id, texts);
    }
    await live(config, wallMs, edited.length);
  }
  const hub = await runHub(config, { token: DEMO_TOKEN, logger: SILENT });
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(pageOf('Meadow', ['Welcome', 'News'], [SENTENCES[0] ?? '', SENTENCES[3] ?? '']));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const newSite = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await ask(hub, 'POST /api/v1/sources', {
    id: 'mill',
    title: 'Mill status page',
    kind: 'site',
    url: 'http://127.0.0.1:9/',
  });
  await ask(hub, 'POST /api/v1/sources', {
    id: 'quarry',
    title: 'Quarry changelog',
    kind: 'site',
    url: 'http://127.0.0.1:9/log/',
  });
  await ask(hub, 'POST /api/v1/sources/quarry/pause', { reason: 'Its owner rebuilds the site until Friday.' });
  await ask(hub, 'POST /api/v1/keys', { tier: 'pro', label: 'Search team' });
  await ask(hub, 'POST /api/v1/subscriptions', { url: `${newSite}hook`, label: 'Release notes', verify: false });
  return {
    hub,
    newSite,
    async [Symbol.asyncDispose]() {
      server.close();
      await hub.close();
    },
  };
}

/** One day of the hub: it starts, looks, and ends when it has told the edits. */
async function live(config: HubConfig, wallMs: number, edits: number): Promise<void> {
  const hub = await runHub(config, { token: DEMO_TOKEN, logger: SILENT, wall: () => wallMs, trustClock: true });
  const before = await newest(hub);
  for (const { id } of SITES) await ask(hub, `POST /api/v1/sources/${id}/check`, {});
  for (let look = 0; look < MOST_LOOKS && (await newest(hub)) < before + edits; look += 1) await pause(10);
  await hub.close();
}

async function writeSite(folder: string, id: string, texts: ReadonlyMap<string, readonly string[]>): Promise<void> {
  await mkdir(join(folder, id), { recursive: true });
  for (const [name, sections] of texts) {
    const [site, page = ''] = name.split('/');
    if (site !== id) continue;
    const title = page.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('-', ' ');
    const headings = ['In short', 'Details', 'Limits', 'Changes ahead'];
    await writeFile(join(folder, id, `${page}.html`), pageOf(title, headings, sections));
  }
}

function pageOf(title: string, headings: readonly string[], sections: readonly string[]): string {
  const parts = headings.map((heading, at) => {
    const anchor = heading.toLowerCase().replaceAll(' ', '-');
    return `<h2 id="${anchor}">${heading}</h2>\n<p>${sections[at] ?? ''}</p>\n<p>What is not said here is as it was on the page “${title}”, part ${at + 1}.</p>`;
  });
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>\n<p>Everything about ${title.toLowerCase()}.</p>\n${parts.join('\n')}</main></body></html>\n`;
}

async function newest(hub: RunningHub): Promise<number> {
  const answer = await fetch(new URL('api/v1/views/overview', hub.url));
  return ((await answer.json()) as { readonly changes: number }).changes;
}

async function ask(hub: RunningHub, line: string, body: object): Promise<unknown> {
  const [method = '', path = ''] = line.split(' ');
  const headers = { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path.slice(1), hub.url), { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${line}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}
