import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { listen, openClient } from '../../test/support/guarded-client.ts';
import { cosign } from '../codecs/tlog/cosignature.ts';
import { decodeSignedNote, encodeSignatureLine } from '../codecs/tlog/signed-note.ts';
import {
  accepted,
  bytesOf,
  LOG,
  sha256Hex,
  signedCheckpoint,
  testKey,
  verifySignature,
  WITNESS,
} from '../codecs/tlog/tlog-fixtures.contract.ts';
import { verifySignedNote } from '../codecs/tlog/verify-note.ts';
import { type AskedWitness, askWitness } from './ask-witness.ts';
import { gatherCosignatures } from './gather-cosignatures.ts';
import { serveWitness } from './served-witness.contract.ts';
import { submissionOf } from './witness-lab.contract.ts';

const SECOND = testKey(0x40, 'witness', 'second.example/w');

const SIZE_TYPE = 'text/x.tlog.size';

/** A server that answers like this, and what it was sent. */
async function serve(answer: (body: Buffer, count: number) => { status: number; type?: string; body: string }) {
  const requests: { readonly path: string; readonly body: Buffer }[] = [];
  const listener: RequestListener = async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    requests.push({ path: request.url ?? '', body: Buffer.concat(pieces) });
    const { status, type = 'text/plain', body } = answer(Buffer.concat(pieces), requests.length);
    response.writeHead(status, { 'content-type': type }).end(body);
  };
  const server = await listen(createServer(listener), '127.0.0.1');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix/`);
  return { url, requests };
}

clause(['TL-W1', 'TL-W11'], 'a witness whose state is not known is asked twice at most', async () => {
  await using http = openClient();
  const { named, answers } = await serveWitness();
  expect((await askWitness(named, submissionOf(3), { http })).is).toBe('cosigned');
  expect((await askWitness(named, submissionOf(7), { http })).is).toBe('cosigned');
  expect(answers).toEqual([200, 409, 200]);
  expect((await askWitness(named, submissionOf(9), { http, oldSize: 7 })).is).toBe('cosigned');
  expect((await askWitness(named, submissionOf(5), { http })).is).toBe('ahead');
  expect(answers.slice(3)).toEqual([200, 409]);
  const { url, requests } = await serve((_, count) => ({ status: 409, type: SIZE_TYPE, body: `${count + 2}\n` }));
  await askWitness({ key: WITNESS.key, url }, submissionOf(7), { http });
  expect(requests.map(({ body }) => sha256Hex(body))).toEqual([
    '70699e490eac5648a39b4e3bc6f126479de90410263343206dfb3b4d128ddda1',
    '4fad3a322cf005ba17763bba9efb69e363dbeb44760ea73489434e66e720e465',
  ]);
});

test('a witness that names another size each time is not asked a third time', async () => {
  await using http = openClient();
  const { url, requests } = await serve((_, count) => ({ status: 409, type: SIZE_TYPE, body: `${count}\n` }));
  expect((await askWitness({ key: WITNESS.key, url }, submissionOf(7), { http })).is).toBe('refused');
  expect(requests.map(({ path }) => path)).toEqual(['/prefix/add-checkpoint', '/prefix/add-checkpoint']);
});

clause('TL-W10', 'only a good line of the key that is trusted is taken from an answer', async () => {
  await using http = openClient();
  const { textBytes } = accepted(decodeSignedNote(bytesOf(signedCheckpoint(7))));
  const lineOf = ({ key, sign }: typeof SECOND, bytes = textBytes) =>
    encodeSignatureLine(cosign(key, { textBytes: bytes, time: 1_700_000_000n }, sign));
  const good = lineOf(WITNESS);
  const forged = encodeSignatureLine({ ...WITNESS.key, signature: new Uint8Array(72).fill(1) });
  const others = lineOf(WITNESS, accepted(decodeSignedNote(bytesOf(signedCheckpoint(5)))).textBytes);
  const cases: readonly (readonly [string, AskedWitness['is']])[] = [
    [good, 'cosigned'],
    [lineOf(SECOND) + good, 'cosigned'],
    [lineOf(SECOND), 'refused'],
    [forged, 'refused'],
    [others, 'refused'],
    [good + good, 'refused'],
    [`note\n\n${good}`, 'refused'],
    [good.slice(0, -1), 'refused'],
    ['', 'refused'],
  ];
  for (const [body, outcome] of cases) {
    const { url } = await serve(() => ({ status: 200, body }));
    expect((await askWitness({ key: WITNESS.key, url }, submissionOf(7), { http })).is, body).toBe(outcome);
  }
});

test('one that is down, refuses or redirects delays nothing: the others have cosigned', async () => {
  await using http = openClient();
  const { named } = await serveWitness();
  const refusing = await serve(() => ({ status: 403, body: 'no' }));
  const nobody = { key: SECOND.key, url: new URL('http://127.0.0.1:1/') };
  const { note, answers } = await gatherCosignatures(
    [nobody, { key: SECOND.key, url: refusing.url }, named],
    submissionOf(7),
    { http },
  );
  expect(answers.map(({ answer }) => answer.is)).toEqual(['unreachable', 'refused', 'cosigned']);
  const signed = accepted(decodeSignedNote(bytesOf(note)));
  const signers = accepted(verifySignedNote(signed, [LOG.key, WITNESS.key, SECOND.key], verifySignature));
  expect(signers.map(({ key }) => key.name)).toEqual([LOG.key.name, WITNESS.key.name]);
});
