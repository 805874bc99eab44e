import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { announcement, openAgentFeedLab, schemaChange } from '../../../../test/support/agent-feed-origin.ts';
import { MemoryReaderState } from './memory-reader-state.ts';

async function openOne() {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  api.publish({ entries: [announcement('urn:1'), schemaChange('urn:2')] });
  const state = new MemoryReaderState();
  const reader = lab.reader({ state });
  await reader.ingest(api.url);
  return { lab, api, reader, state };
}

clause(
  ['AF-L1', 'AF-L13', 'AF-L14'],
  'a response that disagrees is told; nothing is asked, changed or bent',
  async () => {
    const { lab, api, reader, state } = await openOne();
    const before = await state.find((await reader.report(api.url)).feedUrl);
    const requests = lab.requests.length;
    lab.clock.nowMs += 3600_000;
    const response = Object.freeze({ total: 3 });
    const event = await reader.observeLiveResponse(api.url, 'orders-api', response);
    expect(event).toEqual({
      event: 'mismatch',
      origin: api.url,
      'endpoint-id': 'orders-api',
      'expected-version': '1.1',
      'observed-discrepancy': {
        'expected-but-missing': ['/currency'],
        'observed-but-unannounced': [],
        'retype-mismatch': [],
      },
      'fallback-version': '1.0',
    });
    expect(reader.events()).toEqual([event]);
    expect(await reader.observeLiveResponse(api.url, 'orders-api', { '/total': 'number' })).toEqual(event);
    expect(await reader.observeLiveResponse(api.url, 'orders-api', { total: 3, currency: 'EUR' })).toBeUndefined();
    expect(await reader.observeLiveResponse(api.url, 'orders-api', { '/currency': 'string' })).toBeUndefined();
    expect(await state.find(before?.feedUrl ?? '')).toEqual(before);
    expect(lab.requests).toHaveLength(requests);
    expect(response).toEqual({ total: 3 });
  },
);

clause(
  'AF-L10',
  'a field that nobody mentioned is told where a baseline is known, and the baseline is remembered',
  async () => {
    const { lab, api, reader, state } = await openOne();
    const response = { total: 3, currency: 'EUR', tax_rate: 1 };
    expect(await reader.observeLiveResponse(api.url, 'orders-api', response)).toBeUndefined();
    const unannounced = { 'observed-discrepancy': { 'observed-but-unannounced': ['/tax_rate'] } };
    const baseline = new Map([['/total', 'number']] as const);
    expect(await reader.observeLiveResponse(api.url, 'orders-api', response, { baseline })).toMatchObject(unannounced);
    const restarted = lab.reader({ state });
    expect(await restarted.observeLiveResponse(api.url, 'orders-api', response)).toMatchObject(unannounced);
  },
);

clause('AF-L15', 'an API that could not be reached is no disagreement', async () => {
  const { api, reader } = await openOne();
  for (const nothing of [undefined, new Error('connect ECONNREFUSED')]) {
    expect(await reader.observeLiveResponse(api.url, 'orders-api', nothing)).toBeUndefined();
  }
  expect(reader.events()).toEqual([]);
});

clause(['AF-Z1', 'AF-Z4', 'AF-SC1'], 'a hundred disagreements are no judgement of a publisher', async () => {
  const { api, reader } = await openOne();
  for (let call = 0; call < 100; call += 1) await reader.observeLiveResponse(api.url, 'orders-api', {});
  expect(reader.events()).toHaveLength(100);
  const report = await reader.report(api.url);
  expect(report).toMatchObject({ trust: true, endpoints: [{ version: '1.1' }] });
  expect(Object.keys(report).filter((name) => /score|reputation|rank/i.test(name))).toEqual([]);
});

clause('AF-Z3', 'nobody but the origin is asked for anything', async () => {
  const { lab, api, reader } = await openOne();
  await reader.observeLiveResponse(api.url, 'orders-api', {});
  await reader.resolveUrl(api.url, 'orders-api');
  expect(new Set(lab.requests.map(({ host }) => host))).toEqual(new Set(['api.example']));
});

test('of an endpoint that is not known nothing is told', async () => {
  const { api, reader, lab } = await openOne();
  expect(await reader.observeLiveResponse(api.url, 'nobody', {})).toBeUndefined();
  expect(await reader.observeLiveResponse(lab.origin('other.test').url, 'orders-api', {})).toBeUndefined();
});

test('at most a thousand events are kept for whoever asks', async () => {
  const { api, reader } = await openOne();
  for (let call = 0; call < 1001; call += 1) await reader.observeLiveResponse(api.url, 'orders-api', {});
  expect(reader.events()).toHaveLength(1000);
});
