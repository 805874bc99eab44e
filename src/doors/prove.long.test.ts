import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { decodeCheckpoint } from '../codecs/tlog/checkpoint.ts';
import { decodeSignedNote } from '../codecs/tlog/signed-note.ts';
import { accepted, bytesOf, sha256 } from '../codecs/tlog/tlog-fixtures.contract.ts';
import { decodeTlogProof } from '../codecs/tlog/tlog-proof.ts';
import { leafHash } from '../codecs/tlog/tree-hash.ts';
import { verifyInclusion } from '../codecs/tlog/verify-proof.ts';
import { signerIn } from '../io/files/log-key.ts';
import { prove } from './prove.ts';
import { publish } from './publish.ts';
import { redactFolder } from './redact-folder.ts';
import { verifyReceiptText } from './verify-receipt.ts';

const SITE = 'https://docs.example/';

async function publishedSite(...texts: readonly string[]): Promise<TestFolder> {
  const folder = temporaryFolder();
  for (const text of texts) {
    folder.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });
    await publish({ dir: folder.path, site: SITE, logKeyText: TEST_LOG_KEY });
  }
  return folder;
}

interface Logged {
  readonly id: string;
  readonly time: string;
  readonly excerpt?: string;
}
const changesOf = (folder: TestFolder) =>
  folder
    .read('.well-known/tidings/log.ndjson')
    .split('\n')
    .filter((line) => line.includes('"seq"'))
    .map((line) => JSON.parse(line) as Logged);

test('a change of a published folder is proven with its texts, by the key of the log', async () => {
  using folder = await publishedSite('One.', 'Two.', 'Three.');
  const vkey = `${folder.path}/.well-known/tidings/vkey`;
  for (const { id, excerpt } of changesOf(folder)) {
    const { text, receipt } = await prove(id, folder.path);
    expect(verifyReceiptText(text, 'receipt.json', { vkey })).toMatchObject({ ok: true, signer: 'trusted' });
    expect(receipt.texts.excerpt?.text).toBe(excerpt);
  }
});

test('what a section said at a moment is its newest change up to then', async () => {
  using folder = await publishedSite('One.', 'Two.', 'Three.');
  const changes = changesOf(folder);
  const [, second] = changes;
  const target = `${SITE}#a`;
  expect((await prove(target, folder.path)).receipt.texts.excerpt?.text).toContain('Three.');
  const then = await prove(target, folder.path, { at: second?.time });
  expect(JSON.parse(then.receipt.entry)).toMatchObject({
    time: changes.filter(({ time }) => time === second?.time).at(-1)?.time,
  });
  expect(then.notes.join()).toContain('The newest change up to then');
  await expect(prove(target, folder.path, { at: '2001-01-01T00:00:00Z' })).rejects.toThrow(
    /up to 2001-01-01T00:00:00Z\./,
  );
  await expect(prove(target, folder.path, { at: 'yesterday' })).rejects.toThrow(/--at yesterday is refused/);
});

clause('TL-P11', 'the proof is written in the form of C2SP, too', async () => {
  using folder = await publishedSite('One.', 'Two.');
  const { tlogProof, receipt } = await prove(changesOf(folder)[0]?.id ?? '', folder.path);
  const { index, proof, note } = accepted(decodeTlogProof(bytesOf(tlogProof)));
  const head = accepted(decodeCheckpoint(accepted(decodeSignedNote(note)).text));
  const hash = leafHash(bytesOf(receipt.entry), sha256);
  expect(verifyInclusion({ index, hash, proof }, head, sha256).ok).toBe(true);
});

test('behind a redaction the receipt holds without the text, and says so', async () => {
  using folder = await publishedSite('One.', 'Two.');
  const [{ id } = { id: '' }] = changesOf(folder);
  await redactFolder(folder.path, id, { logSigner: signerIn(TEST_LOG_KEY, 'test') });
  const { text, receipt, notes } = await prove(id, folder.path);
  expect(verifyReceiptText(text, 'receipt.json')).toMatchObject({ ok: true });
  expect(Object.keys(receipt.texts)).toEqual(['note']);
  expect(notes.join()).toContain('not there any more');
});

test('what is not there, and a place without a log, are said as such', async () => {
  using folder = await publishedSite('One.');
  await expect(prove('01ARZ3NDEKTSV4RRFFQ69G5FAV', folder.path)).rejects.toThrow(/knows no change/);
  using empty = temporaryFolder();
  empty.write({ 'index.html': '' });
  await expect(prove('01ARZ3NDEKTSV4RRFFQ69G5FAV', empty.path)).rejects.toThrow(/no log/i);
});
