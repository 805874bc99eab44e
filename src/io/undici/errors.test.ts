import { expect, test } from 'vitest';
import { connectionErrorOf } from './errors.ts';

const URL_ASKED = new URL('https://docs.example/');

test.each([
  ['ENOTFOUND', 'DnsError'],
  ['EAI_AGAIN', 'DnsError'],
  ['CERT_HAS_EXPIRED', 'TlsError'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TlsError'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TlsError'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TlsError'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TlsError'],
  ['EPROTO', 'TlsError'],
  ['HPE_INVALID_CONSTANT', 'BadResponseError'],
  ['UND_ERR_HEADERS_OVERFLOW', 'BadResponseError'],
  ['ECONNREFUSED', 'ConnectionError'],
  ['UND_ERR_CONNECT_TIMEOUT', 'ConnectionError'],
])('%s is a %s, also behind another error', (code, name) => {
  const error = Object.assign(new Error('words'), { code });
  for (const seen of [error, new Error('outer', { cause: error })]) {
    expect(connectionErrorOf(URL_ASKED, seen)).toMatchObject({ name, recovery: 'retry-later', cause: seen });
  }
});

test('whatever else was thrown is a ConnectionError', () => {
  expect(connectionErrorOf(URL_ASKED, 'words')).toMatchObject({ name: 'ConnectionError' });
});
