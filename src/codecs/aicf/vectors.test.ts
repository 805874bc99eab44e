import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AnsweredDocument } from '../primitives/seen-document.ts';
import { boundaryOf } from './boundary.ts';
import { checkAicf } from './check.ts';
import { decodeAicfDiscovery, decodeEvents } from './decode.ts';

interface FeedVector {
  readonly file: string;
  readonly about: string;
}
interface Index<Feed, Discovery> {
  readonly feeds: readonly (FeedVector & Feed)[];
  readonly discovery: readonly (FeedVector & Discovery)[];
}

const VECTORS = new URL('../../../specs/aicf/vectors/', import.meta.url);
const bytesOf = (path: string) => readFileSync(new URL(path, VECTORS));
const textOf = (path: string) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(path));

const valid: Index<{ ids: string[]; boundaries: string[]; rest?: string }, object> = JSON.parse(
  textOf('valid/index.json'),
);
const invalid: Index<{ clause: string; line?: number; kept: string[] }, { clause: string }> = JSON.parse(
  textOf('invalid/index.json'),
);

const documentAt = (path: string, mediaType: string): AnsweredDocument => ({
  kind: 'answered',
  where: path,
  status: 200,
  headers: { 'content-type': mediaType },
  bytes: bytesOf(path),
});
const discoveryAt = (path: string) => documentAt(path, 'application/json');
const feedAt = (path: string) => documentAt(path, 'application/x-ndjson');

test.each(['valid', 'invalid'])('the index of %s lists every vector and no other', (folder) => {
  const { feeds, discovery } = folder === 'valid' ? valid : invalid;
  const listed = [...feeds, ...discovery].map(({ file }) => file);
  const present = readdirSync(new URL(`${folder}/`, VECTORS)).filter((file) => file !== 'index.json');
  expect(listed.length).toBeGreaterThan(15);
  expect(listed.sort()).toEqual(present.sort());
  expect(present.filter((file) => !/^AICF-[A-Z]\d+-[a-z0-9-]+\.(json|ndjson)$/.test(file))).toEqual([]);
});

test.each(valid.feeds)('valid: $file: $about', ({ file, ids, boundaries, rest = '' }) => {
  const decoded = decodeEvents(textOf(`valid/${file}`));
  expect(decoded.issues).toEqual([]);
  expect(decoded.events.map(({ id }) => id)).toEqual(ids);
  expect(decoded.events.map(boundaryOf)).toEqual(boundaries);
  expect(decoded.rest).toBe(rest);
});

test.each(valid.discovery)('valid: $file: $about', ({ file }) => {
  expect(decodeAicfDiscovery(textOf(`valid/${file}`)).ok).toBe(true);
  const { findings } = checkAicf({ discovery: discoveryAt(`valid/${file}`) });
  expect(findings.filter(({ level }) => level === 'MUST')).toEqual([]);
});

test.each(invalid.feeds)('invalid: $file breaks $clause: $about', ({ file, clause, line, kept }) => {
  const path = `invalid/${file}`;
  const { findings } = checkAicf({ discovery: discoveryAt('valid/AICF-D4-minimal.json'), feed: feedAt(path) });
  const where = line === undefined ? path : `${path}:${line}`;
  expect(findings).toContainEqual(expect.objectContaining({ clause, where }));

  const decoded = decodeEvents(textOf(path));
  expect(decoded.events.map(({ id }) => id)).toEqual(kept);
  const [issue] = decoded.issues;
  if (issue !== undefined && clause !== 'AICF-F1') expect(issue).toMatchObject({ clause, line });
});

test.each(invalid.discovery)('invalid: $file breaks $clause: $about', ({ file, clause }) => {
  const { findings } = checkAicf({ discovery: discoveryAt(`invalid/${file}`) });
  expect(findings).toContainEqual(expect.objectContaining({ clause }));
  const others = findings.filter((finding) => ![clause, 'AICF-S1'].includes(finding.clause));
  expect(others).toEqual([]);
});
