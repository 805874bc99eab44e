import { expect, test, vi } from 'vitest';
import { alertsHub, expectOnce, WAIT } from './support/alerts-hub.ts';
import { pageOf, startLiveSite } from './support/live-site.ts';

test('source.terms and clock.doubt: told once; news of terms close after 7 days, a clock when it is right', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  await using site = await startLiveSite({ '/a': pageOf('A') });
  const at = alertsHub(onTestFinished);
  const sources = [{ id: 'a', kind: 'page', url: `${site.url}a`, intervalSeconds: 1 }];
  await at.start(sources);
  const read = async () => (await (await at.ask('api/v1/sources/a')).json()) as { health: { last_ok_at?: string } };
  const goOn = (ms: number) => vi.setSystemTime(Date.now() + ms);
  await expect.poll(async () => (await read()).health.last_ok_at, WAIT).toBeDefined();
  site.put({ '/a': pageOf('A').replace('</head>', '<meta name="robots" content="noai"></head>') });
  goOn(2000);
  await expectOnce(at, 'source.terms', {
    subject: 'a',
    restart: () => at.start(sources),
    clear: () => goOn(8 * 86_400_000),
  });
  expect((await at.told()).recent.find(({ alert }) => alert.kind === 'source.terms')?.alert.summary).toContain(
    'ai-train=unknown>no',
  );
  await expectOnce(at, 'clock.doubt', { subject: 'hub', clear: () => goOn(-8 * 86_400_000) });
});
