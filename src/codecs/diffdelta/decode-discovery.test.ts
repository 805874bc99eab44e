import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { decodeDiffDeltaDiscovery } from './decode-discovery.ts';

const ENDPOINTS = {
  diff_latest: 'https://feeds.example/diff/latest.json',
  diff_by_source_template: 'https://feeds.example/diff/{source}/latest.json',
};
const MANIFEST = {
  endpoints: ENDPOINTS,
  polling: { recommended_ttl_sec: 300 },
  capabilities: { etag_supported: true, cursor_supported: true },
  sources_supported: ['docs'],
};
const decode = (value: unknown) => decodeDiffDeltaDiscovery(JSON.stringify(value));

test('a manifest is read, with what is optional and without what is not known', () => {
  expect(decode(MANIFEST)).toEqual({ ok: true, value: { ...MANIFEST, issues: [] } });
  const more = { diff_head: '/diff/head.json', diff_head_by_source_template: '/diff/{source_id}/head.json' };
  expect(decode({ ...MANIFEST, feeds: {}, endpoints: { ...ENDPOINTS, ...more, healthz: 7 } })).toMatchObject({
    ok: true,
    value: { endpoints: { ...ENDPOINTS, ...more, diff_head_by_source_template: '/diff/{source}/head.json' } },
  });
});

test('one that leads to no feed is refused', () => {
  const nowhere = [{}, { diff_latest: 7 }, { diff_by_source_template: '/diff/docs/latest.json' }, [], 'x', null];
  for (const endpoints of nowhere)
    expect(decode({ ...MANIFEST, endpoints })).toMatchObject({ ok: false, issues: [{ clause: 'DD-D2' }] });
  expect(decode([])).toMatchObject({ ok: false, issues: [{ clause: 'DD-R1' }] });
});

test('one way to a feed is enough; what else is missing is named', () => {
  const latest = { diff_latest: '/diff/latest.json' };
  const clauses = ['DD-D3', 'DD-D4', 'DD-D5', 'DD-D6', 'DD-D7'];
  const result = decode({ endpoints: latest, capabilities: { etag_supported: 'yes' }, polling: [] });
  expect(result).toMatchObject({ ok: true, value: { endpoints: latest, polling: {} } });
  expect(result.ok && result.value.issues.map(({ clause }) => clause)).toEqual(clauses);
  expect(result.ok && 'sources_supported' in result.value).toBe(false);
  expect(decode({ ...MANIFEST, sources_supported: ['a', 7, ''] })).toMatchObject({
    value: { sources_supported: ['a'] },
  });
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: anyCharacter }), fc.json()),
      (text) => 'ok' in decodeDiffDeltaDiscovery(text),
    ),
  );
});

const CORPUS = new URL('../../../../shared/corpora/diffdelta/discovery.json', import.meta.url);
const corpusIsHere = existsSync(CORPUS);
if (!corpusIsHere) process.stderr.write('diffdelta: ../shared/corpora/diffdelta is not here, a manifest is skipped\n');

test.skipIf(!corpusIsHere)(
  `the manifest of the running service is read${corpusIsHere ? '' : ' (SKIPPED: no ../shared/corpora/diffdelta)'}`,
  () => {
    expect(decodeDiffDeltaDiscovery(readFileSync(CORPUS, 'utf8'))).toMatchObject({
      ok: true,
      value: {
        endpoints: { diff_by_source_template: 'https://diffdelta.io/diff/source/{source}/latest.json' },
        issues: [],
      },
    });
  },
);
