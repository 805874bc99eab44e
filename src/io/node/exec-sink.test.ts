import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { PAGE_URL, syncedPage, toyVector } from '../../../test/support/synced-page.ts';
import { heldFacts, pageUrls } from '../../sync/sink-lab.contract.ts';
import { openExecSink } from './exec-sink.ts';

/** A command that writes down what it gets, one JSON object a line. */
function openLab(script = "fs.appendFileSync('taken.ndjson', fs.readFileSync(0))") {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'take.cjs'), `const fs = require('node:fs'); process.chdir(__dirname); ${script}`);
  const said: string[] = [];
  const command = `"${process.execPath}" "${join(folder.path, 'take.cjs')}"`;
  const options = { folder: join(folder.path, 'state'), signal: new AbortController().signal };
  return {
    open: () => openExecSink(command, { ...options, onLine: (line) => said.push(line) }),
    said,
    taken: () =>
      readFileSync(join(folder.path, 'taken.ndjson'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('the command gets each edit as JSON, and what it took is held', async () => {
  using lab = openLab();
  const sink = await lab.open();
  const pipeline = { fingerprint: 'toy:3', embedding: { model: 'toy', dimension: 3 } };
  const page = syncedPage([['a', 'one\ntwo']], { pipeline });
  await sink.put(page);
  await sink.remove('https://docs.example/unknown');
  expect(await sink.held(PAGE_URL)).toMatchObject(heldFacts(page));
  const again = await lab.open();
  expect(await pageUrls(again)).toEqual([PAGE_URL]);
  await again.remove(PAGE_URL);
  expect(await again.held(PAGE_URL)).toBeUndefined();
  const [put, remove, ...others] = lab.taken();
  expect(put).toMatchObject({ op: 'put', page: { url: PAGE_URL, title: 'Guide', sections: [{ anchor: 'a' }] } });
  expect(put.page.sections[0].chunks[0].vector).toEqual([...toyVector('one')]);
  expect(remove).toEqual({ op: 'remove', url: PAGE_URL });
  expect(others).toEqual([]);
});

test('what the command does not take is not held, and its words are heard', async () => {
  using lab = openLab("console.error('no room'); process.exit(7)");
  const sink = await lab.open();
  await expect(sink.put(syncedPage([['', 'text']]))).rejects.toMatchObject({
    name: 'SinkFailedError',
    recovery: 'fix-input',
    message: expect.stringContaining('exit code 7'),
  });
  expect(await sink.held(PAGE_URL)).toBeUndefined();
  expect(lab.said).toEqual(['no room']);
});

test('a command that is not there ends it', async () => {
  using folder = temporaryFolder();
  const options = { folder: folder.path, signal: new AbortController().signal, onLine: () => {} };
  const sink = await openExecSink('no-such-command-of-tidings', options);
  await expect(sink.put(syncedPage([['', 'text']]))).rejects.toMatchObject({ recovery: 'retry-later' });
});
