import { expect, test } from 'vitest';
import { FEED, publisher } from '../../test/support/published-surface.ts';
import { TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { audit } from './audit.ts';

test('an agent-feed, its key and its card are bound by the log: whoever rewrites one of them is found', async () => {
  using site = await publisher();
  await site.publish({ logKeyText: TEST_LOG_KEY });
  await site.announce('orders');
  await site.publish({ logKeyText: TEST_LOG_KEY });
  expect(await audit(site.at('site'))).toMatchObject({ ok: true, findings: [] });
  for (const path of [FEED, '.well-known/agent-card.json', '.well-known/did.json']) {
    const text = site.folder.read(`site/${path}`);
    site.folder.write({ [`site/${path}`]: `${text}\n` });
    const { ok, findings } = await audit(site.at('site'));
    expect([ok, findings.map(({ where }) => where)], path).toEqual([false, [expect.stringContaining(path)]]);
    site.folder.write({ [`site/${path}`]: text });
  }
});
