import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { SourceHealth } from '../src/hub/store/hub-store.ts';
import { openLogDatabase } from '../src/io/sqlite/log.ts';
import { type AlertsHub, alertsHub, expectOnce, WAIT } from './support/alerts-hub.ts';
import { pageOf, startLiveSite } from './support/live-site.ts';
import { htmlPage } from './support/site.ts';

const FOLDER = { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/', intervalSeconds: 1 };
const words = (text: string) => htmlPage('Page', [{ heading: 'One', text }]);

function writePages(at: AlertsHub, count: number): void {
  const pages = Array.from({ length: count }, (_, page) => [`site/p${page}.html`, words(`Text of ${page}.`)]);
  at.folder.write(Object.fromEntries(pages));
}

test.concurrent('source.broken: a source that fails again and again, until it is read', async ({ onTestFinished }) => {
  await using site = await startLiveSite({ '/a': pageOf('A') });
  const at = alertsHub(onTestFinished);
  const sources = [{ id: 'a', kind: 'page', url: `${site.url}a`, intervalSeconds: 1 }];
  await at.start(sources);
  const isRead = async () => ((await (await at.ask('api/v1/sources/a')).json()) as { status: string }).status;
  await vi.waitFor(async () => expect(await isRead()).toBe('ok'), WAIT);
  site.remove('/a');
  await expectOnce(at, 'source.broken', {
    subject: 'a',
    restart: () => at.start(sources),
    clear: () => site.put({ '/a': pageOf('A') }),
  });
  await at.start(sources);
  await vi.waitFor(async () => expect(await isRead()).toBe('ok'), WAIT);
  expect(await at.lines()).toHaveLength(2);
});

test.concurrent('source.deletions: much that vanishes at once, until it is allowed', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  writePages(at, 20);
  await at.start([FOLDER]);
  const pages = async () => {
    const answer = (await (await at.ask('api/v1/sources/docs/checks')).json()) as { checks: { pages?: number }[] };
    return answer.checks[0]?.pages;
  };
  await vi.waitFor(async () => expect(await pages()).toBe(20), WAIT);
  for (let page = 2; page < 20; page++) rmSync(join(at.folder.path, `site/p${page}.html`));
  await expectOnce(at, 'source.deletions', {
    subject: 'docs',
    restart: () => at.start([FOLDER]),
    clear: () => at.ask('api/v1/sources/docs/resume', { method: 'POST', body: '{"allowDeletes":true}' }),
  });
});

test.concurrent('source.quiet: quieter than its own rhythm, until it tells something', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  writePages(at, 2);
  await at.start([FOLDER]);
  const checks = async () => ((await (await at.ask('api/v1/sources/docs/checks')).json()) as { checks: [] }).checks;
  await vi.waitFor(async () => expect((await checks()).length).toBeGreaterThan(0), WAIT);
  await at.stop();
  const quiet = (health: SourceHealth): SourceHealth => ({
    ...health,
    lastChangeMs: Date.now() - 10 * 86_400_000,
    changeGapsMs: [1, 2, 3, 4, 5, 6].map((hours) => hours * 3_600_000),
  });
  await at.remember((source) => ({ ...source, health: quiet(source.health) }));
  await at.start([FOLDER]);
  await expectOnce(at, 'source.quiet', {
    subject: 'docs',
    restart: () => at.start([FOLDER]),
    clear: () => at.folder.write({ 'site/p0.html': words('Something else.') }),
  });
});

test.concurrent('source.untrusted: an origin that ended its agent-feed, until the source is paused', async ({
  onTestFinished,
}) => {
  const at = alertsHub(onTestFinished);
  const source = { id: 'acme', kind: 'feed', url: 'https://acme.invalid/', dialect: 'agent-feed' };
  await at.start([source]);
  await at.stop();
  const error = { code: 'AgentFeedUntrustedError', message: 'https://acme.invalid/ was ended by its origin.' };
  const ended = { failures: 1, staleSinceMs: Date.now(), lastCheckMs: Date.now(), dueAtMs: Date.now() + 3_600_000 };
  await at.remember((one) => ({ ...one, health: { ...one.health, ...ended, error: { ...error, isStop: true } } }));
  await at.start([source]);
  await expectOnce(at, 'source.untrusted', {
    subject: 'acme',
    restart: () => at.start([source]),
    clear: () => at.ask('api/v1/sources/acme/pause', { method: 'POST' }),
  });
  expect((await at.lines()).filter((line) => line.includes('broken'))).toEqual([]);
});

test.concurrent('documents.lag: feeds that do not follow the log, until they do', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  writePages(at, 1);
  await at.start([]);
  await at.stop();
  const exec = async (sql: string) => {
    const { database, log } = await openLogDatabase({ folder: at.data });
    database.exec(sql);
    await log.close();
  };
  await exec(`CREATE TRIGGER no_archive BEFORE INSERT ON hub_run_closed BEGIN SELECT RAISE(ABORT, 'not now'); END`);
  await at.start([FOLDER]);
  const mend = async () => {
    await at.stop();
    await exec('DROP TRIGGER no_archive');
    await at.start([FOLDER]);
  };
  await expectOnce(at, 'documents.lag', { subject: 'diffdelta', clear: mend });
});

test.concurrent('disk.filling: less room than wanted, until there is more', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  await at.start([], { freeMegabytes: 1_000_000_000 });
  await expectOnce(at, 'disk.filling', {
    subject: 'hub',
    restart: () => at.start([], { freeMegabytes: 1_000_000_000 }),
    clear: () => at.start([]),
  });
  await at.start([]);
  expect(await at.lines()).toHaveLength(2);
});

test.concurrent('data.lost: a data folder that was taken away, until it is back; told also while nothing can be written', async ({
  onTestFinished,
}) => {
  const at = alertsHub(onTestFinished);
  const away = join(at.folder.path, 'away');
  mkdirSync(join(at.folder.path, 'site'));
  writeFileSync(join(at.folder.path, 'site/a.html'), words('A.'));
  await at.start([FOLDER]);
  renameSync(at.data, away);
  await expectOnce(at, 'data.lost', { subject: 'hub', clear: () => renameSync(away, at.data) });
  await at.start([FOLDER]);
  expect((await at.lines()).filter((line) => line.includes('data.lost'))).toHaveLength(2);
});
