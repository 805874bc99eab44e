/** DID documents (§14, §15), good and bad: which key is valid for an entry. */

import { base64url, DID, didDocument, KEYS, ORIGIN } from './lib.mjs';

const KEY = KEYS['key-1'].publicKey;
const SECOND = KEYS['key-2'].publicKey;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const MULTICODEC = Buffer.from('ed01', 'hex');

export function didDocuments() {
  const cases = [];
  const add = (name, outcome, text, more = {}) => {
    const { origin = ORIGIN, signer, key = KEY } = more;
    const asked = signer === undefined ? {} : { signer };
    const found = outcome === 'ok' ? { 'public-key': key.toString('hex') } : {};
    cases.push({ name, origin, ...asked, text, outcome, ...found });
  };
  const keyed = (publicKeyMultibase) => JSON.stringify(documentOf([{ ...method('key-1'), publicKeyMultibase }]));
  const withMethods = (...methods) => JSON.stringify(documentOf(methods));

  add('one key', 'ok', JSON.stringify(didDocument(['key-1'])));
  add('one key, printed over several lines', 'ok', JSON.stringify(didDocument(['key-1']), null, '\t'));
  add('base64url', 'ok', keyed(`u${base64url(KEY)}`));
  add('base64url, padded', 'ok', keyed(`U${base64url(KEY)}=`));
  add('base58btc of the raw 32 bytes', 'ok', keyed(`z${base58(KEY)}`));
  add('base64', 'ok', keyed(`m${KEY.toString('base64').replace('=', '')}`));
  add('base64, padded', 'ok', keyed(`M${KEY.toString('base64')}`));
  add('hexadecimal', 'ok', keyed(`f${KEY.toString('hex')}`));
  add('hexadecimal in upper case', 'ok', keyed(`F${KEY.toString('hex').toUpperCase()}`));
  add('base32', 'ok', keyed(`b${base32(KEY)}`));
  add('base32 in upper case', 'ok', keyed(`B${base32(KEY).toUpperCase()}`));
  add('no signer: the first of two', 'ok', JSON.stringify(didDocument(['key-2', 'key-1'])), { key: SECOND });
  add(
    'no signer: the first of the type, not the first of the array',
    'ok',
    withMethods(
      {
        id: `${DID}#other`,
        type: 'JsonWebKey2020',
        controller: DID,
        publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: base64url(SECOND) },
      },
      method('key-1'),
    ),
  );
  add('a signer names the second key', 'ok', JSON.stringify(didDocument(['key-1', 'key-2'])), {
    signer: `${DID}#key-2`,
    key: SECOND,
  });
  add('a signer that is only a fragment', 'ok', JSON.stringify(didDocument(['key-1', 'key-2'])), {
    signer: '#key-2',
    key: SECOND,
  });
  add('a method whose id is only a fragment', 'ok', withMethods({ ...method('key-1'), id: '#key-1' }), {
    signer: `${DID}#key-1`,
  });
  add('a key id that is not key-1', 'ok', withMethods({ ...method('key-1'), id: `${DID}#2026-04` }), {
    signer: `${DID}#2026-04`,
  });
  add(
    'methods of unknown types beside it',
    'ok',
    withMethods(method('key-1'), { id: `${DID}#m`, type: 'Multikey', controller: DID, publicKeyMultibase: 'z6Mk' }),
    { signer: `${DID}#key-1` },
  );
  add(
    'fields that nobody knows',
    'ok',
    JSON.stringify({
      ...didDocument(['key-1']),
      service: [],
      authentication: [`${DID}#key-1`],
      'x-more': { deep: [1] },
    }),
  );
  add('another port', 'ok', JSON.stringify(didDocument(['key-1'], `${DID}%3A8443`)), { origin: `${ORIGIN}:8443` });
  add('another port, %3a in lower case', 'ok', JSON.stringify(didDocument(['key-1'], `${DID}%3a8443`)), {
    origin: `${ORIGIN}:8443`,
  });
  add('the default port, named', 'ok', JSON.stringify(didDocument(['key-1'])), { origin: `${ORIGIN}:443` });
  add('an origin in upper case', 'ok', JSON.stringify(didDocument(['key-1'])), { origin: 'https://API.example' });

  const malformed = (name, text, more) => add(name, 'did-malformed', text, more);
  malformed('of another host', JSON.stringify(didDocument(['key-1'], 'did:web:other.example')));
  malformed('of a host below', JSON.stringify(didDocument(['key-1'], `did:web:www.${DID.slice(8)}`)));
  malformed('of a host whose name begins the same', JSON.stringify(didDocument(['key-1'], `${DID}.evil.example`)));
  malformed('of a path', JSON.stringify(didDocument(['key-1'], `${DID}:users:alice`)));
  malformed('of another port', JSON.stringify(didDocument(['key-1'], `${DID}%3A9443`)), { origin: `${ORIGIN}:8443` });
  malformed('without the port', JSON.stringify(didDocument(['key-1'])), { origin: `${ORIGIN}:8443` });
  malformed('with a bare colon before the port', JSON.stringify(didDocument(['key-1'], `${DID}:8443`)), {
    origin: `${ORIGIN}:8443`,
  });
  malformed(
    'of another DID method',
    JSON.stringify(didDocument(['key-1'], 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK')),
  );
  malformed('an id with a fragment', JSON.stringify({ ...didDocument(['key-1']), id: `${DID}#key-1` }));
  malformed('without id', JSON.stringify({ verificationMethod: [method('key-1')] }));
  malformed('an id that is no string', JSON.stringify({ ...didDocument(['key-1']), id: [DID] }));
  malformed('without methods', JSON.stringify({ id: DID }));
  malformed('an empty array of methods', JSON.stringify({ id: DID, verificationMethod: [] }));
  malformed('one method without an array', JSON.stringify({ id: DID, verificationMethod: method('key-1') }));
  malformed('an array', JSON.stringify([didDocument(['key-1'])]));
  malformed('a string', JSON.stringify('did'));
  malformed('null', 'null');
  malformed('empty', '');
  malformed('HTML', '<!DOCTYPE html><title>Not found</title>');
  malformed('cut short', JSON.stringify(didDocument(['key-1'])).slice(0, -2));
  malformed('something behind it', `${JSON.stringify(didDocument(['key-1']))} {}`);
  malformed('a key of the object twice', `{"id":"${DID}",${JSON.stringify(didDocument(['key-1'])).slice(1)}`);
  malformed(
    'two publicKeyMultibase in one method',
    JSON.stringify(didDocument(['key-1'])).replace(
      '"publicKeyMultibase"',
      `"publicKeyMultibase":"u${base64url(SECOND)}","publicKeyMultibase"`,
    ),
  );

  const unresolvable = (name, text, more) => add(name, 'key-unresolvable', text, more);
  unresolvable(
    '34 bytes: the multicodec header ed01 before the key',
    keyed(`z${base58(Buffer.concat([MULTICODEC, KEY]))}`),
  );
  unresolvable('34 bytes in base64url', keyed(`u${base64url(Buffer.concat([MULTICODEC, KEY]))}`));
  unresolvable('31 bytes', keyed(`u${base64url(KEY.subarray(1))}`));
  unresolvable('33 bytes', keyed(`u${base64url(Buffer.concat([KEY, Buffer.of(0)]))}`));
  unresolvable('64 bytes', keyed(`u${base64url(Buffer.concat([KEY, KEY]))}`));
  unresolvable('a prefix that nobody knows', keyed(`!${base64url(KEY)}`));
  unresolvable('no prefix', keyed(KEY.toString('hex').replace(/^./, '9')));
  unresolvable('only a prefix', keyed('u'));
  unresolvable('an empty key', keyed(''));
  unresolvable('a padded key under the prefix without padding', keyed(`u${base64url(KEY)}=`));
  unresolvable(
    'the standard alphabet under the prefix u',
    keyed(`u${Buffer.alloc(32, 255).toString('base64').replace('=', '')}`),
  );
  unresolvable('a character that base58 does not have', keyed('z0OIl'));
  unresolvable('a space in the key', keyed(`u${base64url(KEY).slice(0, 20)} ${base64url(KEY).slice(20)}`));
  unresolvable('a key that is no string', keyed([...KEY]));
  unresolvable(
    'no publicKeyMultibase',
    withMethods({ id: `${DID}#key-1`, type: 'Ed25519VerificationKey2020', controller: DID }),
  );
  unresolvable(
    'only a JWK',
    withMethods({
      id: `${DID}#key-1`,
      type: 'Ed25519VerificationKey2020',
      controller: DID,
      publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: base64url(KEY) },
    }),
  );
  unresolvable('no method of the type', withMethods({ ...method('key-1'), type: 'Ed25519VerificationKey2018' }));
  unresolvable('a Multikey, named by the signer', withMethods({ ...method('key-1'), type: 'Multikey' }), {
    signer: `${DID}#key-1`,
  });
  unresolvable(
    'a method of another controller',
    withMethods({ ...method('key-1'), controller: 'did:web:evil.example' }),
  );
  unresolvable('a signer that is not there', JSON.stringify(didDocument(['key-1'])), { signer: `${DID}#key-9` });
  unresolvable('a signer of another host', JSON.stringify(didDocument(['key-1'])), {
    signer: 'did:web:evil.example#key-1',
  });
  unresolvable('a signer without its fragment', JSON.stringify(didDocument(['key-1'])), { signer: DID });
  unresolvable('a signer in upper case', JSON.stringify(didDocument(['key-1'])), { signer: `${DID}#KEY-1` });
  unresolvable('methods that are no objects', withMethods('key-1', null, 7));
  unresolvable('one id with two keys', withMethods(method('key-1'), { ...method('key-2'), id: `${DID}#key-1` }), {
    signer: `${DID}#key-1`,
  });
  return cases;
}

function method(name) {
  return didDocument([name]).verificationMethod[0];
}

function documentOf(verificationMethod) {
  return { id: DID, verificationMethod };
}

function base58(bytes) {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = BASE58[Number(value % 58n)] + text;
  return text;
}

function base32(bytes) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits
    .match(/.{1,5}/g)
    .map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('');
}
