import { expect } from 'vitest';
import { clause } from '../../test/clause.ts';
import { bytesOf, ORIGIN, sha256Hex, signedCheckpoint, WITNESS } from '../codecs/tlog/tlog-fixtures.contract.ts';
import { encodeVerifierKey } from '../codecs/tlog/verifier-key.ts';
import { serveWitness } from './served-witness.contract.ts';
import { forkedCheckpoint, requestOf } from './witness-lab.contract.ts';

clause(['TL-W2', 'TL-W5', 'TL-W12'], 'each answer has the status and the type of the specification', async () => {
  const { url } = await serveWitness();
  const post = async (body: Uint8Array | undefined) => {
    const answer = await fetch(new URL('add-checkpoint', url), {
      method: 'POST',
      ...(body && { body: Buffer.from(body) }),
    });
    return [answer.status, answer.headers.get('content-type'), await answer.text()] as const;
  };
  const text = 'text/plain; charset=utf-8';
  expect((await post(undefined)).slice(0, 2)).toEqual([400, text]);
  expect((await post(bytesOf('old 03\n\nx'))).slice(0, 2)).toEqual([400, text]);
  expect((await post(requestOf(0, 7, signedCheckpoint(7, 'other.example/log')))).slice(0, 2)).toEqual([404, text]);
  expect((await post(requestOf(0, 7, signedCheckpoint(7).replace('\n7\n', '\n6\n')))).slice(0, 2)).toEqual([403, text]);
  expect(await post(requestOf(3, 7))).toEqual([409, 'text/x.tlog.size', '0\n']);
  const [status, type, line] = await post(requestOf(0, 7));
  expect([status, type]).toEqual([200, text]);
  expect((await post(requestOf(7, 7, forkedCheckpoint(7)))).slice(0, 2)).toEqual([422, text]);
  expect((await fetch(new URL('add-checkpoint', url))).status).toBe(405);

  const monitored = await fetch(new URL(`${sha256Hex(ORIGIN)}/checkpoint`, url));
  expect([monitored.status, monitored.headers.get('content-type')]).toEqual([200, text]);
  expect(await monitored.text()).toBe(signedCheckpoint(7) + line);
  expect((await fetch(new URL(`${sha256Hex('x')}/checkpoint`, url))).status).toBe(404);
  expect(await (await fetch(new URL('vkey', url))).text()).toBe(`${encodeVerifierKey(WITNESS.key)}\n`);
});
