import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAdversaryHub, ToldHistory } from '../../test/support/adversary-hub.ts';
import { htmlPage, temporaryFolder } from '../../test/support/site.ts';
import { TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { decodeSignedNote } from '../codecs/tlog/signed-note.ts';
import { accepted, bytesOf } from '../codecs/tlog/tlog-fixtures.contract.ts';
import { withCosignatures } from '../witness/gather-cosignatures.ts';
import { audit } from './audit.ts';
import { type HubSettings, startHub } from './hub.ts';
import { prove } from './prove.ts';
import { publish } from './publish.ts';
import { newWitnessKey, runWitness } from './run-witness.ts';
import { verifyReceiptText } from './verify-receipt.ts';
import { cosignFolder, witnessesOf } from './witnesses.ts';

const SITE = 'https://docs.example/';
const logger = { debug() {}, info() {}, warn() {}, error() {} };

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-witnesses-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A witness of these logs, as `tidings witness` runs it. */
async function openWitness(logs: readonly string[]) {
  const folder = await scratch();
  const key = join(folder, 'witness.key');
  const vkey = await newWitnessKey(key, 'witness.example/test');
  const running = await runWitness({ key, logs, data: join(folder, 'data'), host: '127.0.0.1', port: 0, logger });
  onTestFinished(() => running[Symbol.asyncDispose]());
  return { vkey, named: `${vkey}@${running.url}` };
}

const signersOf = (note: string) => accepted(decodeSignedNote(bytesOf(note))).signatures.map(({ name }) => name);

test('a publish has its checkpoint cosigned; a witness that is away is told of and delays nothing', async () => {
  using folder = temporaryFolder();
  const write = (text: string) =>
    folder.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });
  const options = { dir: folder.path, site: SITE, logKeyText: TEST_LOG_KEY, allowPrivate: true };
  write('One.');
  await publish(options);
  const witness = await openWitness([join(folder.path, '.well-known/tidings/vkey')]);
  for (const text of ['Two.', 'Three.']) {
    write(text);
    await publish({ ...options, witnesses: [witness.named] });
    expect(signersOf(folder.read('.well-known/tidings/checkpoint'))).toEqual([
      'docs.example/.well-known/tidings',
      'witness.example/test',
    ]);
  }
  const quorum = { witnesses: [witness.vkey] };
  expect(await audit(folder.path, quorum)).toMatchObject({ ok: true, unread: [] });
  const { text } = await prove(`${SITE}#a`, folder.path);
  expect(verifyReceiptText(text, 'receipt.json', quorum)).toMatchObject({ ok: true, witnesses: 1 });

  const remarks: string[] = [];
  write('Four.');
  const away = witness.named.replace(/:\d+\/$/, ':1/');
  await publish({ ...options, witnesses: [away], onRemark: (remark) => remarks.push(remark) });
  expect(remarks).toEqual([expect.stringMatching(/^The witness witness\.example\/test did not cosign\. No answer/)]);
  const report = await audit(folder.path, quorum);
  expect(report).toMatchObject({ ok: false, findings: [] });
  expect(report.unread.join()).toContain('0 of 1 witnesses cosigned');
});

test('a hub has each checkpoint cosigned by its witnesses, and serves it so', async () => {
  const folder = await scratch();
  const settings = { port: 0, baseUrl: 'https://hub.example/', allowPrivate: true, data: join(folder, 'data') };
  const sources = [{ id: 'site', kind: 'folder', path: './site', site: SITE }];
  using site = temporaryFolder();
  const config = (witnesses: readonly string[]) => ({
    ...settings,
    witnesses,
    sources: [{ ...sources[0], path: site.path }],
  });
  const read = async (url: string, path: string) => {
    const answer = await fetch(new URL(path, url));
    return answer.ok ? await answer.text() : '';
  };
  const long = { timeout: 30_000, interval: 50 };
  site.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: 'One.' }]) });
  const first = await startHub(config([]) as HubSettings, { base: folder, token: 'test-token-of-the-witnesses' });
  await expect.poll(() => read(first.url, '.well-known/tidings/vkey'), long).toContain('hub.example');
  const vkey = (await read(first.url, '.well-known/tidings/vkey')).trim();
  await first.close();

  const witness = await openWitness([vkey]);
  const hub = await startHub(config([witness.named]) as HubSettings, {
    base: folder,
    token: 'test-token-of-the-witnesses',
  });
  onTestFinished(() => hub.close());
  site.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: 'Two.' }]) });
  await fetch(new URL('api/v1/sources/site/check', hub.url), {
    method: 'POST',
    headers: { authorization: 'Bearer test-token-of-the-witnesses', 'content-type': 'application/json' },
    body: '{}',
  });
  await expect.poll(() => read(hub.url, 'api/v1/changes'), long).toContain('Two.');
  const checkpoint = () => read(hub.url, '.well-known/tidings/checkpoint');
  await expect.poll(async () => signersOf(await checkpoint()), long).toContain('witness.example/test');

  const { changes } = JSON.parse(await read(hub.url, 'api/v1/changes')) as { changes: { id: string }[] };
  const id = changes.at(-1)?.id ?? '';
  await expect.poll(() => read(hub.url, `api/v1/changes/${id}/receipt`), long).not.toBe('');
  const trusted = { vkey };
  expect(verifyReceiptText(await read(hub.url, `api/v1/changes/${id}/receipt`), 'r', trusted)).toMatchObject({
    ok: true,
    signer: 'trusted',
  });
  for (const place of [hub.url, join(folder, 'data')]) {
    const { text, receipt } = await prove(id, place, { allowPrivate: true });
    expect(verifyReceiptText(text, 'receipt.json', trusted)).toMatchObject({ ok: true });
    expect(receipt.texts.excerpt?.text, place).toContain('Two.');
    expect((await prove(`${SITE}#a`, place, { allowPrivate: true })).receipt.entry).toBe(receipt.entry);
  }
  expect((await fetch(new URL('api/v1/changes/01ARZ3NDEKTSV4RRFFQ69G5FAV/receipt', hub.url))).status).toBe(404);
});

test('a hub that shows each follower another history is found with one witness, and with none it is not', async () => {
  await using hub = await openAdversaryHub();
  const [told, toldToOthers] = [
    new ToldHistory(hub.url).grow(5),
    new ToldHistory(hub.url).grow(5, { action: 'delete' }),
  ];
  const folder = await scratch();
  const look = async (history: ToldHistory, options: { witnesses?: readonly string[] } = {}) => {
    hub.serve((path) => history.files.get(path));
    const state = join(folder, `${history === told}-${options.witnesses?.length ?? 0}`);
    return await audit(hub.url, { state, allowPrivate: true, looks: 1, ...options });
  };
  for (let round = 0; round < 2; round += 1) {
    expect(await look(told)).toMatchObject({ ok: true });
    expect(await look(toldToOthers)).toMatchObject({ ok: true });
  }

  const witness = await openWitness([told.vkey]);
  const quorum = { witnesses: [witness.vkey] };
  const cosign = async (history: ToldHistory) => {
    hub.serve((path) => history.files.get(path));
    const copy = temporaryFolder();
    onTestFinished(() => copy[Symbol.dispose]());
    for (const [path, bytes] of history.files) copy.write({ [path]: bytes });
    const prefix = join(copy.path, '.well-known/tidings');
    const remarks = await cosignFolder(prefix, witnessesOf([witness.named]), { allowPrivate: true });
    history.write('checkpoint', copy.read('.well-known/tidings/checkpoint'));
    return remarks;
  };
  expect(await cosign(told)).toEqual([]);
  expect(await cosign(toldToOthers)).toEqual([expect.stringContaining('rewritten')]);
  expect(await look(told, quorum)).toMatchObject({ ok: true });
  const found = await look(toldToOthers, quorum);
  expect(found).toMatchObject({ ok: false });
  expect(found.unread.join()).toContain('0 of 1 witnesses cosigned');
  // Nor does the cosignature of one history help the other.
  const [, line] = accepted(decodeSignedNote(bytesOf(told.read('checkpoint')))).signatures;
  if (line === undefined) throw new Error('The witness has cosigned nothing.');
  toldToOthers.write('checkpoint', withCosignatures(toldToOthers.read('checkpoint'), [line]));
  expect(await look(toldToOthers, quorum)).toMatchObject({ ok: false });
});
