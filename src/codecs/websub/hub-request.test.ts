import { expect, test } from 'vitest';
import { encodeForm } from './form.ts';
import { decodeHubRequest } from './hub-request.ts';

const WISH = {
  'hub.mode': 'subscribe',
  'hub.topic': 'https://hub.example/changes.atom',
  'hub.callback': 'https://reader.example/cb?id=1',
};

function decoded(fields: Readonly<Record<string, string>>) {
  return decodeHubRequest(new TextEncoder().encode(encodeForm(Object.entries(fields))));
}

function refusal(form: string): string | undefined {
  const result = decodeHubRequest(new TextEncoder().encode(form));
  return result.ok ? undefined : result.issues[0].message;
}

test('a wish is read with its terms', () => {
  const terms = { 'hub.lease_seconds': '0600', 'hub.secret': 'ä b', 'hub.signature_method': 'sha512' };
  expect(decoded({ ...WISH, ...terms, 'hub.verify': 'async', 'hub.verify_token': 't', foo: 'bar' })).toEqual({
    ok: true,
    value: {
      mode: 'subscribe',
      topic: 'https://hub.example/changes.atom',
      callback: 'https://reader.example/cb?id=1',
      leaseSeconds: 600,
      secret: 'ä b',
      method: 'sha512',
      verifyToken: 't',
    },
  });
});

test('what ends a subscription has no terms', () => {
  const result = decoded({ ...WISH, 'hub.mode': 'unsubscribe', 'hub.lease_seconds': 'abc', 'hub.secret': '' });
  expect(result).toEqual({
    ok: true,
    value: { mode: 'unsubscribe', topic: WISH['hub.topic'], callback: WISH['hub.callback'] },
  });
});

test.each([
  [{ 'hub.mode': 'Subscribe' }, 'hub.mode'],
  [{ 'hub.mode': '' }, 'hub.mode'],
  [{ 'hub.topic': '' }, 'hub.topic is missing'],
  [{ 'hub.topic': '/changes.atom' }, 'hub.topic must be an absolute'],
  [{ 'hub.topic': 'https://hub.example/changes.atom#a' }, 'fragment'],
  [{ 'hub.callback': '' }, 'hub.callback is missing'],
  [{ 'hub.callback': 'ftp://reader.example/' }, 'hub.callback'],
  [{ 'hub.callback': 'https://reader.example/#a' }, 'fragment'],
  [{ 'hub.lease_seconds': '0' }, 'hub.lease_seconds'],
  [{ 'hub.lease_seconds': '-1' }, 'hub.lease_seconds'],
  [{ 'hub.lease_seconds': '1e3' }, 'hub.lease_seconds'],
  [{ 'hub.lease_seconds': '' }, 'hub.lease_seconds'],
  [{ 'hub.secret': '' }, 'hub.secret'],
  [{ 'hub.secret': 'x'.repeat(200) }, '200 bytes'],
  [{ 'hub.secret': 'é'.repeat(100) }, '200 bytes'],
  [{ 'hub.signature_method': 'md5' }, 'hub.signature_method'],
])('%j is refused', (fields, words) => {
  const result = decoded({ ...WISH, ...fields });
  expect(result.ok ? '' : result.issues[0].message).toContain(words);
});

test('199 bytes of secret are short enough, and a long lease is read as one', () => {
  expect(decoded({ ...WISH, 'hub.secret': 'é'.repeat(99) }).ok).toBe(true);
  expect(decoded({ ...WISH, 'hub.lease_seconds': '9'.repeat(400) })).toMatchObject({ ok: true });
});

test('what stands there twice is refused, what is mistaken is explained', () => {
  expect(refusal('hub.mode=subscribe&hub.topic=https://a.example/&hub.topic=https://b.example/')).toContain('2 times');
  expect(refusal('')).toContain('body');
  expect(refusal('hub_mode=subscribe')).toContain('dot');
  expect(refusal('hub.mode=subscribe&hub.topic=%ff')).toContain('UTF-8');
  expect(refusal('hub.mode=subscribe&hub.callback=https://r.example/&hub.topic=100%')).toContain('hub.topic');
});

test('a ping names what has changed by either name, several times', () => {
  const form =
    'hub.mode=publish&hub.url=https://a.example/&hub.topic=https://a.example/&hub.url=https%3A%2F%2Fb.example%2F';
  expect(decodeHubRequest(new TextEncoder().encode(form))).toEqual({
    ok: true,
    value: { mode: 'publish', urls: ['https://a.example/', 'https://b.example/'] },
  });
  expect(refusal('hub.mode=publish')).toContain('hub.url');
  expect(refusal('hub.mode=publish&hub.url=ftp://a.example/')).toContain('hub.url');
  const many = Array.from({ length: 1001 }, (_, at) => `hub.url=https://a.example/${at}`).join('&');
  expect(refusal(`hub.mode=publish&${many}`)).toContain('1000');
});
