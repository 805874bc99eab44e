import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { clause } from '../../test/clause.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { readTestLog, rootOf, type SeenLog, TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { signerIn } from '../io/files/log-key.ts';
import { randomToken } from '../io/node/random-token.ts';
import { openFileLog } from '../io/state/log.ts';
import type { Folder } from '../model/folder.ts';
import { builtSource } from '../produce/built-source.ts';
import { LOG_FILE } from '../produce/load-state.ts';
import { produce } from '../produce/produce.ts';
import { fsckFolder } from './fsck-folder.ts';
import { STATE_PATH } from './publish.ts';

const SITE = 'https://docs.example/';
const LOG_SIGNER = signerIn(TEST_LOG_KEY, 'the key of a test');

class Cut extends Error {}

/** One publish that ends before its write number `cutAt`, as a killed one does. Says how many it made, and what it signed. */
async function publishUntil(site: TestFolder, cutAt: number, signed: string[]): Promise<number> {
  let writes = 0;
  const counted = (folder: Folder): Folder => ({
    ...folder,
    async replace(path, bytes) {
      if (writes >= cutAt) throw new Cut();
      writes += 1;
      await folder.replace(path, bytes);
    },
  });
  const sign = (message: Uint8Array) => {
    signed.push(Buffer.from(message).toString());
    return LOG_SIGNER.sign(message);
  };
  const state = join(site.path, STATE_PATH);
  const run = produce(
    { site: SITE, logSigner: { ...LOG_SIGNER, sign } },
    {
      dialects: DIALECTS,
      source: builtSource(createFileBuiltSite(site.path)),
      dir: createFileFolder(site.path),
      out: counted(createFileFolder(site.path)),
      state: counted(createFileFolder(state)),
      statePath: STATE_PATH,
      otherStates: [],
      previous: undefined,
      nonce: () => 'nonce',
      salt: randomToken,
      version: 'test',
      now: Date.now,
      openLog: async (address, { logParts, changes }) => {
        if (writes >= cutAt) throw new Cut();
        writes += 1;
        const known = { parts: logParts, last: changes.at(-1) };
        return await openFileLog({ file: join(state, LOG_FILE), site: address.href, known });
      },
    },
  );
  await run.catch((error: unknown) => {
    if (!(error instanceof Cut)) throw error;
  });
  return writes;
}

const write = (site: TestFolder, text: string) =>
  site.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });

/** Undefined before the first checkpoint. */
function seenOf(site: TestFolder): SeenLog | undefined {
  return existsSync(join(site.path, STATE_PATH, 'checkpoint')) ? readTestLog(site.path) : undefined;
}

clause(
  ['TL-T14', 'TL-C8'],
  'a publish that is cut off before any of its writes leaves a whole log, signs no other history, and is completed by the next one',
  async () => {
    using whole = temporaryFolder();
    write(whole, 'One.');
    const writes = await publishUntil(whole, Number.POSITIVE_INFINITY, []);
    expect(writes).toBeGreaterThan(20);
    for (let cutAt = 0; cutAt <= writes; cutAt += shortOrLong(4, 1)) {
      using site = temporaryFolder();
      const signed: string[] = [];
      for (const text of ['One.', 'Two.']) {
        write(site, text);
        await publishUntil(site, cutAt, signed);
        expect([cutAt, seenOf(site)?.faults ?? []]).toEqual([cutAt, []]);
        await publishUntil(site, Number.POSITIVE_INFINITY, signed);
      }
      const { bytes } = readTestLog(site.path);
      for (const checkpoint of signed) {
        const [, size = '', root = ''] = checkpoint.split('\n');
        const now = Buffer.from(rootOf(bytes.slice(0, Number(size))), 'hex').toString('base64');
        expect([cutAt, size, now]).toEqual([cutAt, size, root]);
      }
      expect(await fsckFolder(site.path), `cut before write ${cutAt}`).toMatchObject({ ok: true, findings: [] });
    }
  },
);
