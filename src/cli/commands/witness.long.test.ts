import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { tidings } from '../../../test/support/cli.ts';
import { LOG, WITNESS } from '../../codecs/tlog/tlog-fixtures.contract.ts';
import { encodeVerifierKey } from '../../codecs/tlog/verifier-key.ts';
import { requestOf } from '../../witness/witness-lab.contract.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const LOG_VKEY = encodeVerifierKey(LOG.key);

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-witness-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newKey(folder: string): Promise<string> {
  const key = join(folder, 'witness.key');
  const made = await tidings('witness', '--new-key', '--key', key, '--name', 'witness.example/test');
  expect(made.code, made.stderr).toBe(0);
  return key;
}

interface Running {
  readonly url: string;
  readonly vkey: string;
  readonly child: ChildProcess;
}

async function start(folder: string, key: string): Promise<Running> {
  const args = ['witness', '--key', key, '--log', LOG_VKEY, '--data', join(folder, 'data'), '--port', '0', '--json'];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { ...(JSON.parse(line) as { url: string; vkey: string }), child };
}

async function add({ url }: Running, oldSize: number, size: number): Promise<readonly [number, string]> {
  const body = Buffer.from(requestOf(oldSize, size));
  const answer = await fetch(new URL('add-checkpoint', url), { method: 'POST', body });
  return [answer.status, await answer.text()];
}

test('a key is made once, closed to others, and its public half is printed', async () => {
  const folder = await scratch();
  const key = join(folder, 'witness.key');
  const made = await tidings('witness', '--new-key', '--key', key, '--name', 'witness.example/test');
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^witness\.example\/test\+[0-9a-f]{8}\+B\S+\n$/)]);
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  expect(made.stdout + made.stderr).not.toContain((await readFile(key, 'utf8')).trim().slice(-40));
  const again = await tidings('witness', '--new-key', '--key', key, '--name', 'witness.example/test');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('never written over')]);
  const unnamed = await tidings('witness', '--new-key', '--key', join(folder, 'other'), '--name', 'a b');
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--name')]);
});

test('keys of another kind, damaged ones and open ones are refused with the reason', async () => {
  const folder = await scratch();
  const key = await newKey(folder);
  const data = ['--data', join(folder, 'data'), '--port', '0'];
  const ofWitness = await tidings('witness', '--key', key, '--log', encodeVerifierKey(WITNESS.key), ...data);
  expect([ofWitness.code, ofWitness.stderr]).toEqual([2, expect.stringContaining('of a log (type 0x01) is needed')]);
  const noLog = await tidings('witness', '--key', key, ...data);
  expect([noLog.code, noLog.stderr]).toEqual([2, expect.stringContaining('--log')]);
  await writeFile(join(folder, 'bad'), 'PRIVATE+KEY+x+00000000+AAAA\n', { mode: 0o600 });
  const bad = await tidings('witness', '--key', join(folder, 'bad'), '--log', LOG_VKEY, ...data);
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('not the secret key of a witness')]);
  await chmod(key, 0o644);
  const open = await tidings('witness', '--key', key, '--log', LOG_VKEY, ...data);
  expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('others on this machine can read it')]);
});

clause('TL-W8', 'of sixty requests at once one wins, and what was answered outlives kill -9', async () => {
  const folder = await scratch();
  const key = await newKey(folder);
  const first = await start(folder, key);
  expect((await add(first, 0, 3))[0]).toBe(200);
  const sizes = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 5 : 7));
  const answers = await Promise.all(sizes.map((size) => add(first, 3, size)));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
  expect(answers.filter(([status]) => status === 409)).toHaveLength(59);
  const won = sizes[answers.findIndex(([status]) => status === 200)] ?? 0;
  expect(new Set(answers.filter(([status]) => status === 409).map(([, body]) => body))).toEqual(new Set([`${won}\n`]));

  let running = first;
  let size = won;
  for (let round = 0; round < 10; round += 1) {
    const [status] = await add(running, size, size + 1);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    expect(status).toBe(200);
    size += 1;
    running = await start(folder, key);
    expect(await add(running, 0, size)).toEqual([409, `${size}\n`]);
  }
  running.child.kill('SIGTERM');
  expect((await once(running.child, 'exit'))[0]).toBe(0);
});
