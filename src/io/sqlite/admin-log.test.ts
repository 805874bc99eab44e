import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { AdminLog, type KeptAction } from '../../hub/sign-in/admin-log.ts';
import { openSqliteAdminLog } from './admin-log.ts';
import { openSqliteHubStore } from './hub-store.ts';
import { openSqliteSessions } from './sessions.ts';

async function lab() {
  const folder = temporaryFolder();
  const hub = await openSqliteHubStore({ folder: folder.path });
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const time = { ms: 1_000_000 };
  const store = hub.openTables((opened) => openSqliteAdminLog(opened, 20, 5));
  const log = new AdminLog({ store, now: () => time.ms, onProblem() {} });
  return { hub, log, time };
}

const whoOf = (actions: readonly KeptAction[]) => actions.map(({ who }) => who);

test('the newest are kept, and are read page by page', async () => {
  const { log } = await lab();
  for (let at = 0; at < 50; at++) await log.record({ who: `w${at}`, action: 'sign-in', from: '192.0.2.1' });
  const [first, second] = log.read(2);
  expect(whoOf(log.read(2))).toEqual(['w49', 'w48']);
  expect(first?.seq).toBeGreaterThan(second?.seq ?? 0);
  expect(whoOf(log.read(2, second?.seq))).toEqual(['w47', 'w46']);
  expect(log.read(100)).toHaveLength(15);
});

test('strangers push out nobody else: their wrong tokens are bounded, and counted beyond that', async () => {
  const { log, time } = await lab();
  await log.record({ who: 'ann', action: 'sign-in', from: '192.0.2.1' });
  for (let at = 0; at < 40; at++) await log.refused('192.0.2.9');
  expect(log.read(100)).toHaveLength(6);
  time.ms += 60_000;
  await log.settle();
  expect(log.read(1)[0]).toMatchObject({ action: 'sign-in refused', times: 10, from: 'several addresses' });
  await log.settle();
  expect(log.read(100)).toHaveLength(6);
});

test('sessions are read as they were written', async () => {
  const { hub } = await lab();
  const session = {
    hash: 'h',
    name: '<b>\u202e',
    role: 'read',
    way: 'oidc',
    ground: 'g',
    subject: 's',
    groups: ['x'],
    from: '192.0.2.1',
    createdMs: 1,
    seenMs: 2,
  } as const;
  const open = () => hub.openTables(openSqliteSessions);
  await open().write({ begun: [session], seen: [{ hash: 'h', seenMs: 5 }] });
  expect(open().load()).toEqual([{ ...session, seenMs: 5 }]);
  await open().write({ ended: ['h'] });
  expect(open().load()).toEqual([]);
});
