import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ToldHistory } from '../../../test/support/adversary-hub.ts';
import { operate } from '../../../test/support/operator.ts';
import { temporaryFolder } from '../../../test/support/site.ts';

const SITE = 'https://docs.example/';

test('exit 0 with what was proven, 4 with what is wrong, 3 with what could not be looked at', async () => {
  using folder = temporaryFolder();
  const history = new ToldHistory(SITE).grow(3);
  const write = () =>
    folder.write(Object.fromEntries([...history.files].map(([path, bytes]) => [`site/${path}`, bytes])));
  write();
  const [site, state, save] = ['site', 'state', 'seen.checkpoint'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const audit = (...more: readonly string[]) => operate(['audit', site, '--state', state, ...more]);

  const first = await audit('--save', save);
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('4 entries, seen for the first time') });
  expect(first.out).toContain(history.vkey);
  expect(readFileSync(save, 'utf8')).toBe(history.read('checkpoint'));

  history.grow(1).tell(history.changes.slice(0, 3));
  write();
  const second = await audit('--json');
  expect(second.code).toBe(4);
  expect(JSON.parse(second.out)).toMatchObject({
    ok: false,
    size: 5,
    previousSize: 4,
    findings: [{ what: expect.stringContaining('leaves out'), where: expect.any(String), evidence: { seq: 4 } }],
  });
  const again = await operate(['audit', site, '--since', save, '--vkey', history.vkey]);
  expect(again).toMatchObject({ code: 4, out: expect.stringContaining('4 of them seen before') });

  history.write('checkpoint', '');
  write();
  const third = await audit();
  expect(third).toMatchObject({ code: 3, err: expect.stringContaining('nothing in it') });
  expect(existsSync(join(/kept {4}(.+)/.exec(third.out)?.[1] ?? '', 'refused.checkpoint'))).toBe(true);
  folder.remove('site/.well-known/tidings');
  expect(await audit()).toMatchObject({ code: 3, err: expect.stringContaining('no provable log') });
  expect(await audit('--vkey', 'no-such-file')).toMatchObject({ code: 2 });
});
