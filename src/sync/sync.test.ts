import { expect, test } from 'vitest';
import { LAB_SOURCE, labUrl, SyncLab } from '../../test/support/sync-lab.ts';
import { EmbeddingError } from '../errors/embedding-error.ts';
import { MemorySyncState } from './memory-sync-state.ts';
import { isEqual } from './sync-report.ts';

const TWO = '<h1 id="a">A</h1><p>First text.</p><h2 id="b">B</h2><p>Second text.</p>';
const edited = TWO.replace('Second', 'Another');

test('the first run puts every page, with its sections in order', async () => {
  const lab = new SyncLab();
  lab.write('one', `<p>Before.</p>${TWO}`, 'create');
  lab.write('two', TWO, 'create');
  const report = await lab.once();
  expect(isEqual(report)).toBe(true);
  expect(report).toMatchObject({ upserts: 5, deletes: 0, embeddings: 0, pages: { put: 2 } });
  const page = lab.sink.kept.get(labUrl('one'));
  expect(page).toMatchObject({ title: 'one', source: LAB_SOURCE });
  expect(page?.sections.map(({ anchor, heading }) => [anchor, heading])).toEqual([
    ['', ''],
    ['a', 'A'],
    ['b', 'B'],
  ]);
  expect(page?.sections.map(({ markdown }) => markdown).join('\n\n')).toBe(page?.markdown);
});

test('only the chunks of sections that changed are embedded, and replays embed nothing', async () => {
  const lab = new SyncLab();
  const embedder = lab.embedder();
  lab.write('one', TWO, 'create');
  lab.write('two', TWO, 'create');
  expect(await lab.once({}, { embedder })).toMatchObject({ embeddings: 4 });
  lab.write('one', edited);
  lab.tell('two', 'update', { anchor: 'a' });
  expect(await lab.once({}, { embedder })).toMatchObject({ upserts: 1, embeddings: 1, pages: { put: 1 } });
  expect(lab.embedded.slice(4)).toEqual(['## B\n\nAnother text.']);
  lab.state = new MemorySyncState();
  expect(await lab.once({}, { embedder })).toMatchObject({ upserts: 0, embeddings: 0, pages: { put: 0 } });
  expect(lab.sink.kept.get(labUrl('one'))?.sections[1]?.chunks[0]?.vector).toHaveLength(3);
});

test('each dirty page is looked at once, however often the stream names it', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  lab.tell('one', 'update', { anchor: 'a' });
  lab.tell('one', 'update', { anchor: 'b' });
  await lab.once();
  expect(lab.looked).toEqual([labUrl('one')]);
  await lab.once();
  expect(lab.looked).toHaveLength(1);
});

test('another model makes all vectors anew, and the same one none', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  await lab.once({}, { embedder: lab.embedder('first') });
  await lab.once({}, { embedder: lab.embedder('first') });
  expect(lab.embedded).toHaveLength(2);
  expect(await lab.once({}, { embedder: lab.embedder('second') })).toMatchObject({ embeddings: 2, upserts: 2 });
});

test('a section that is gone from its page is deleted, and a page that is gone is removed', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  lab.write('two', TWO, 'create');
  await lab.once();
  lab.write('one', '<h1 id="a">A</h1><p>First text.</p>');
  lab.drop('two');
  expect(await lab.once()).toMatchObject({ upserts: 0, deletes: 3, unchanged: 1, pages: { put: 1, removed: 1 } });
  expect(lab.sink.urls).toEqual([labUrl('one')]);
});

test('a page that cannot be read keeps its old form and is tried again', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  await lab.once();
  lab.write('one', 'FAIL');
  const report = await lab.once();
  expect(isEqual(report)).toBe(false);
  expect(report.unread).toEqual([{ url: labUrl('one'), reason: 'the page answered with status 500' }]);
  expect(lab.sink.kept.get(labUrl('one'))?.markdown).toContain('Second');
  lab.html.set(labUrl('one'), `<main>${edited}</main>`);
  expect(isEqual(await lab.once())).toBe(true);
  expect(lab.sink.kept.get(labUrl('one'))?.markdown).toContain('Another');
});

test('a page that its host does not have is removed after two looks, not after one', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  await lab.once();
  lab.html.delete(labUrl('one'));
  lab.tell('one', 'update');
  expect(isEqual(await lab.once())).toBe(false);
  expect(lab.sink.urls).toEqual([labUrl('one')]);
  lab.nowMs += 5000;
  expect(isEqual(await lab.once())).toBe(true);
  expect(lab.sink.urls).toEqual([]);
});

test('the breaker keeps a source from being emptied until somebody says so', async () => {
  const lab = new SyncLab();
  for (let at = 0; at < 20; at += 1) lab.write(`p${at}`, TWO, 'create');
  await lab.once();
  for (let at = 0; at < 11; at += 1) lab.drop(`p${at}`);
  const report = await lab.once();
  expect(report.stops.map(({ vanishing }) => vanishing.length)).toEqual([11]);
  expect(report.stops[0]?.message).toContain('--allow-deletes');
  expect(lab.sink.urls).toHaveLength(20);
  expect((await lab.once()).stops).toHaveLength(1);
  expect((await lab.once({ allowDeletes: true })).stops).toEqual([]);
  expect(lab.sink.urls).toHaveLength(9);
});

test('a lost state removes pages that the source does not have, and leaves those of others', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  lab.write('two', TWO, 'create');
  await lab.once();
  const two = lab.sink.kept.get(labUrl('two'));
  if (two === undefined) throw new Error('It was not put.');
  lab.sink.kept.set('https://other.example/', { ...two, url: 'https://other.example/', source: 'other' });
  lab.changes.length = 0;
  lab.tell('one', 'create');
  lab.state = new MemorySyncState();
  lab.isComplete = false;
  await lab.once();
  expect(lab.sink.urls).toHaveLength(3);
  lab.isComplete = true;
  await lab.once();
  expect(lab.sink.urls).toEqual([labUrl('one'), 'https://other.example/']);
});

test('what was lost or changed in the sink is written again', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  lab.write('two', TWO, 'create');
  await lab.once();
  lab.sink.kept.delete(labUrl('one'));
  const two = lab.sink.kept.get(labUrl('two'));
  if (two !== undefined) lab.sink.kept.set(two.url, { ...two, checksum: 'sha256:other' });
  expect(await lab.once()).toMatchObject({ pages: { put: 2 } });
  expect(lab.sink.urls).toHaveLength(2);
});

test('a cursor that the log has lost makes all pages be read again, and removes none for that', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  lab.write('two', TWO, 'create');
  await lab.once();
  lab.write('one', edited);
  lab.write('one', edited);
  lab.begins = 4;
  expect(await lab.once()).toMatchObject({ upserts: 1, pages: { put: 1, removed: 0 } });
  expect(lab.looked).toHaveLength(4);
});

test('pages that say no to the use are not put, and are removed where they are', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  lab.write('two', TWO, 'create');
  lab.refuse('two', 'ai-input');
  const report = await lab.once();
  expect(lab.sink.urls).toEqual([labUrl('one')]);
  expect(report.refused).toEqual([{ url: labUrl('two'), reason: 'no to ai-input, by content-signal (header): x' }]);
  lab.refuse('one', 'ai-input');
  lab.tell('one', 'update');
  expect(await lab.once()).toMatchObject({ deletes: 2, pages: { removed: 1 } });
  expect(lab.sink.urls).toEqual([]);
  expect(await lab.once({ use: 'search' })).toMatchObject({ pages: { put: 2 }, refused: [] });
  expect(await lab.once({ use: undefined })).toMatchObject({ refused: [] });
});

test('a change of terms that is told once for a site has all of its pages read again', async () => {
  const lab = new SyncLab();
  for (const name of ['one', 'two', 'three']) lab.write(name, TWO, 'create');
  await lab.once();
  for (const name of ['one', 'two', 'three']) lab.refuse(name, 'ai-input');
  lab.tell('one', 'update', { note: 'terms site ai-input=unknown>no' });
  expect(await lab.once()).toMatchObject({ pages: { removed: 3 }, refused: [{}, {}, {}] });
  expect(lab.sink.urls).toEqual([]);
});

test('an origin that ended its feed is out of the index at once, whatever the breaker says', async () => {
  const lab = new SyncLab();
  for (let at = 0; at < 20; at += 1) lab.write(`p${at}`, TWO, 'create');
  await lab.once();
  lab.ended = [LAB_SOURCE];
  expect(await lab.once()).toMatchObject({ pages: { removed: 20 }, stops: [], ended: [{ source: LAB_SOURCE }] });
  expect(lab.sink.urls).toEqual([]);
  lab.write('p1', edited);
  await lab.once();
  expect(lab.sink.urls).toEqual([]);
  lab.ended = [];
  expect(await lab.once()).toMatchObject({ pages: { put: 20 }, ended: [] });
});

test('a plan counts what a run would do, and changes nothing', async () => {
  const lab = new SyncLab();
  const embedder = lab.embedder();
  lab.write('one', TWO, 'create');
  lab.write('two', TWO, 'create');
  const first = await lab.once({ isPlan: true }, { embedder });
  expect(first).toMatchObject({ upserts: 4, deletes: 0, unchanged: 0, embeddings: 4 });
  expect(first.tokens).toBeGreaterThan(8);
  expect([lab.embedded, lab.sink.urls]).toEqual([[], []]);
  const real = await lab.once({}, { embedder });
  expect([real.upserts, real.embeddings, real.tokens]).toEqual([4, 4, first.tokens]);
  lab.write('one', edited);
  lab.drop('two');
  const second = await lab.once({ isPlan: true }, { embedder });
  expect(second).toMatchObject({ upserts: 1, deletes: 2, unchanged: 1, embeddings: 1 });
  expect(await lab.once({}, { embedder })).toMatchObject({ upserts: 1, deletes: 2, unchanged: 1, embeddings: 1 });
});

test('a sink that is down keeps nothing from being done later', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  lab.sink.failure = new Error('connection refused');
  const report = await lab.once();
  expect(isEqual(report)).toBe(false);
  expect(report.error).toMatchObject({ name: 'SinkFailedError', recovery: 'retry-later' });
  expect(report.error?.message).toContain('connection refused');
  lab.sink.failure = undefined;
  expect(isEqual(await lab.once())).toBe(true);
  expect(lab.sink.urls).toEqual([labUrl('one')]);
});

test.each([
  ['too few', (texts: readonly string[]) => texts.slice(1).map(() => [1, 2, 3])],
  ['none', () => undefined],
  ['other dimensions', (texts: readonly string[]) => texts.map((_, at) => Array(3 + at).fill(1))],
  ['NaN', (texts: readonly string[]) => texts.map(() => [1, Number.NaN, 3])],
  ['text', (texts: readonly string[]) => texts.map(() => ['1', '2', '3'])],
  ['empty', (texts: readonly string[]) => texts.map(() => [])],
  ['beyond 32 bits', (texts: readonly string[]) => texts.map(() => [1e300])],
])('vectors that are wrong are refused, and the index stays: %s', async (_, vectorsOf) => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  await lab.once({}, { embedder: lab.embedder() });
  const before = lab.sink.kept.get(labUrl('one'));
  lab.write('one', '<h1 id="a">A</h1><p>New.</p><h2 id="b">B</h2><p>New, too.</p>');
  const embed = async (texts: readonly string[]) => ({ vectors: vectorsOf(texts) as unknown[] });
  const report = await lab.once({}, { embedder: { model: 'test-model', embed } });
  expect(report.error).toBeInstanceOf(EmbeddingError);
  expect(lab.sink.kept.get(labUrl('one'))).toBe(before);
  expect(isEqual(await lab.once({}, { embedder: lab.embedder() }))).toBe(true);
  expect(lab.sink.kept.get(labUrl('one'))?.markdown).toContain('New');
});

test('vectors of another dimension than the index has are refused', async () => {
  const lab = new SyncLab();
  lab.write('one', TWO, 'create');
  await lab.once({}, { embedder: lab.embedder() });
  lab.dimension = 4;
  lab.write('one', edited);
  expect((await lab.once({}, { embedder: lab.embedder() })).error?.message).toContain('4 numbers where others have 3');
});
