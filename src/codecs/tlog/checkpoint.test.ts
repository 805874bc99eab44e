import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeBase64 } from '../primitives/base64.ts';
import { decodeCheckpoint, decodeCheckpointForm, encodeCheckpoint } from './checkpoint.ts';
import { LOG_PREFIX, logOrigin } from './log-origin.ts';
import { accepted, clauseOf, definedRoot, ORIGIN } from './tlog-fixtures.contract.ts';
import { EMPTY_ROOT } from './tree-hash.ts';

const ROOT = encodeBase64(definedRoot(0, 7));
const TEXT = `${ORIGIN}\n7\n${ROOT}\n`;
const withSize = (size: string) => clauseOf(decodeCheckpoint(`${ORIGIN}\n${size}\n${ROOT}\n`));
const withRoot = (root: string) => clauseOf(decodeCheckpoint(`${ORIGIN}\n7\n${root}\n`));

clause('TL-C1', 'a checkpoint is origin, size and root hash, each on a line of its own', () => {
  expect(encodeCheckpoint({ origin: ORIGIN, treeSize: 7, rootHash: definedRoot(0, 7) })).toBe(TEXT);
  expect(TEXT).toHaveLength(31 + 1 + 44 + 3);
  expect(accepted(decodeCheckpoint(TEXT))).toEqual({
    origin: ORIGIN,
    treeSize: 7,
    rootHash: new Uint8Array(definedRoot(0, 7)),
  });
  for (const wrong of ['', '\n', `${ORIGIN}\n7\n`, `\n7\n${ROOT}\n`, TEXT.trimEnd()]) {
    expect(clauseOf(decodeCheckpoint(wrong)), JSON.stringify(wrong)).toBe('TL-C1');
  }
});

clause('TL-C2', 'the origin is host, port and path of the prefix, without a scheme', () => {
  expect(logOrigin(new URL('https://log.example/'))).toBe('log.example/.well-known/tidings');
  expect(LOG_PREFIX).toBe('.well-known/tidings');
  expect(logOrigin(new URL('https://log.example:8443'))).toBe('log.example:8443/.well-known/tidings');
  expect(logOrigin(new URL('https://LOG.example.:443/docs/'))).toBe('log.example/docs/.well-known/tidings');
  expect(logOrigin(new URL('https://bücher.example'))).toBe('xn--bcher-kva.example/.well-known/tidings');
});

clause('TL-C4', 'a size is decimal without sign and leading zeros', () => {
  for (const size of ['07', '+7', '-7', '7 ', ' 7', '0x7', '7.0', '7e0', '', '٧', '9'.repeat(400)]) {
    expect(withSize(size), size).toBe('TL-C4');
  }
  expect(withSize('7')).toBeUndefined();
});

clause('TL-C5', 'a root hash is 32 bytes of strict base64', () => {
  for (const length of [0, 31, 33]) expect(withRoot(encodeBase64(new Uint8Array(length).fill(9)))).toBe('TL-C5');
  const urlSafe = ROOT.replaceAll('/', '_').replaceAll('+', '-');
  expect(urlSafe).not.toBe(ROOT);
  for (const wrong of [urlSafe, ROOT.slice(0, -1), ` ${ROOT}`, ROOT.replace('F0=', 'F1=')]) {
    expect(withRoot(wrong), wrong).toBe('TL-C5');
  }
});

clause('TL-C6', 'an empty log has one root and no other', () => {
  const empty = (root: Uint8Array) => `${ORIGIN}\n0\n${encodeBase64(root)}\n`;
  expect(accepted(decodeCheckpoint(empty(EMPTY_ROOT))).treeSize).toBe(0);
  for (const root of [new Uint8Array(32), definedRoot(0, 1)]) {
    expect(clauseOf(decodeCheckpoint(empty(root)))).toBe('TL-C6');
    expect(decodeCheckpointForm(empty(root)).ok).toBe(true);
  }
  expect(() => encodeCheckpoint({ origin: ORIGIN, treeSize: 0, rootHash: definedRoot(0, 1) })).toThrow(RangeError);
});

clause('TL-C7', 'further lines are tolerated if they are not empty, and never written', () => {
  expect(accepted(decodeCheckpoint(`${TEXT}x\n`))).toEqual(accepted(decodeCheckpoint(TEXT)));
  expect(clauseOf(decodeCheckpoint(`${TEXT}\n`))).toBe('TL-C7');
  expect(clauseOf(decodeCheckpoint(`${TEXT}\nx\n`))).toBe('TL-C7');
  expect(TEXT.split('\n')).toHaveLength(4);
});

clause('TL-P13', 'a size beyond 2^53 − 1 is refused, not rounded', () => {
  expect(withSize('9007199254740993')).toBe('TL-P13');
  expect(withSize('9007199254740992')).toBe('TL-P13');
  expect(withSize('9007199254740991')).toBeUndefined();
  for (const size of [2 ** 31, 2 ** 32, 2 ** 40]) {
    expect(accepted(decodeCheckpoint(`a\n${size}\n${ROOT}\n`)).treeSize).toBe(size);
  }
});

test.each([
  { origin: 'a\nb' },
  { origin: '' },
  { treeSize: -1 },
  { treeSize: 1.5 },
  { treeSize: 2 ** 53 },
  { rootHash: new Uint8Array(31) },
])('%j cannot be written', (part) => {
  const checkpoint = { origin: ORIGIN, treeSize: 7, rootHash: definedRoot(0, 7) };
  expect(() => encodeCheckpoint({ ...checkpoint, ...part })).toThrow(RangeError);
});
