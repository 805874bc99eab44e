/** Signatures (§17, §31, §32): the text in `af:sig`, and whether it is valid. */

import assert from 'node:assert/strict';
import { announcement, base64url, canonical, KEYS, publicKeyOf, sign } from './lib.mjs';

/** RFC 8032 §7.1: name, seed, public key, message. */
const RFC_8032 = [
  [
    'TEST 1',
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
  ],
  [
    'TEST 2',
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
  ],
  [
    'TEST 3',
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
  ],
];

/** The order of the group (RFC 8032 §5.1). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const PAYLOADS = {
  'an announcement': announcement('orders'),
  'letters beyond ASCII': announcement('größe', { endpoint: '/größe/😀', version: '中' }),
  'every kind of escape': announcement('a"\\\b\f\n\r\t\u0001\u001f/', { endpoint: '/x' }),
  'an empty object': {},
};

export function signatures() {
  const cases = [];
  const { seed, publicKey } = KEYS['key-1'];
  const payload = canonical(PAYLOADS['an announcement']);
  const bytes = Buffer.from(payload);
  const good = sign(seed, bytes);
  const text = base64url(good);
  const add = (name, valid, more = {}) => {
    const signed = more.bytes ?? bytes;
    const key = more.publicKey ?? publicKey;
    const of = more.seed === undefined ? {} : { seed: more.seed.toString('hex') };
    cases.push({
      name,
      ...of,
      'public-key': key.toString('hex'),
      bytes: signed.toString('hex'),
      sig: more.sig ?? text,
      valid,
    });
  };

  for (const [name, seedHex, publicHex, messageHex] of RFC_8032) {
    const of = Buffer.from(seedHex, 'hex');
    const message = Buffer.from(messageHex, 'hex');
    assert.equal(publicKeyOf(of).toString('hex'), publicHex, name);
    add(`RFC 8032 ${name}`, true, {
      seed: of,
      publicKey: publicKeyOf(of),
      bytes: message,
      sig: base64url(sign(of, message)),
    });
  }
  for (const [name, value] of Object.entries(PAYLOADS)) {
    for (const [keyName, key] of Object.entries(KEYS)) {
      const signed = Buffer.from(canonical(value));
      add(`${name}, signed by ${keyName}`, true, { ...key, bytes: signed, sig: base64url(sign(key.seed, signed)) });
    }
  }

  add('white space around it', true, { sig: `\n      ${text}\n    ` });
  add('white space within it', true, { sig: `${text.slice(0, 40)}\n\t${text.slice(40, 60)} \r\n${text.slice(60)}` });

  add('another payload', false, { bytes: Buffer.from(payload.replace('1.0', '1.1')) });
  add('one bit of the payload flipped', false, { bytes: flipped(bytes, 20) });
  add('the payload with a line feed behind it', false, { bytes: Buffer.from(`${payload}\n`) });
  add('the payload with a space before it', false, { bytes: Buffer.from(` ${payload}`) });
  add('the payload with a byte-order mark', false, { bytes: Buffer.from(`\ufeff${payload}`) });
  add('the payload printed over several lines', false, {
    bytes: Buffer.from(JSON.stringify(JSON.parse(payload), null, 2)),
  });
  add('no payload', false, { bytes: Buffer.alloc(0) });
  add('the first bit flipped', false, { sig: base64url(flipped(good, 0)) });
  add('the last bit of R flipped', false, { sig: base64url(flipped(good, 31)) });
  add('the first bit of S flipped', false, { sig: base64url(flipped(good, 32)) });
  add('the last bit of S flipped', false, { sig: base64url(flipped(good, 63)) });
  add('S + L instead of S', false, { sig: base64url(withOrder(good)) });
  add('R and S swapped', false, { sig: base64url(Buffer.concat([good.subarray(32), good.subarray(0, 32)])) });
  add('all zeros', false, { sig: base64url(Buffer.alloc(64)) });
  add('all ones', false, { sig: base64url(Buffer.alloc(64, 255)) });
  add('the key of another', false, { publicKey: KEYS['key-2'].publicKey });
  add('a key of zeros', false, { publicKey: Buffer.alloc(32) });
  add('the signature of another key', false, { sig: base64url(sign(KEYS['key-2'].seed, bytes)) });
  add('padded', false, { sig: `${text}==` });
  add('padded once', false, { sig: `${text}=` });
  add('one character short', false, { sig: text.slice(0, -1) });
  add('63 bytes', false, { sig: base64url(good.subarray(0, 63)) });
  add('65 bytes', false, { sig: base64url(Buffer.concat([good, Buffer.of(0)])) });
  add('junk behind it', false, { sig: `${text}AAAA` });
  add('junk behind a space', false, { sig: `${text} junk` });
  add('junk before it', false, { sig: `x${text}` });
  add('empty', false, { sig: '' });
  add('twice', false, { sig: `${text}${text}` });
  add('hexadecimal', false, { sig: good.toString('hex') });
  add('a dot in it', false, { sig: `${text.slice(0, 43)}.${text.slice(43)}` });
  add('a no-break space in it', false, { sig: `${text.slice(0, 43)}\u00a0${text.slice(43)}` });
  const other = sign(seed, Buffer.from(withBothAlphabets(seed)));
  add('the standard alphabet', false, {
    bytes: Buffer.from(withBothAlphabets(seed)),
    sig: other.toString('base64').replace(/=+$/, ''),
  });
  add('the same in base64url', true, { bytes: Buffer.from(withBothAlphabets(seed)), sig: base64url(other) });
  add('bits behind the last byte', false, { sig: `${text.slice(0, -1)}${nextCharacter(text)}` });
  const header = base64url('{"alg":"EdDSA"}');
  const signedJws = Buffer.from(`${header}.${base64url(bytes)}`);
  add('a JWS', false, { sig: `${signedJws.toString()}.${base64url(sign(seed, signedJws))}` });
  add('a detached JWS', false, { sig: `${header}..${base64url(sign(seed, signedJws))}` });
  add('what stands last in a JWS', false, { sig: base64url(sign(seed, signedJws)) });
  return cases;
}

function flipped(bytes, at) {
  const copy = Buffer.from(bytes);
  copy[at] ^= at === 0 || at === 32 ? 1 : 128;
  return copy;
}

/** Another encoding of the same signature, which RFC 8032 §5.1.7 refuses. */
function withOrder(signature) {
  let s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + L;
  const bytes = Buffer.from(signature);
  for (let at = 32; at < 64; at += 1, s >>= 8n) bytes[at] = Number(s & 255n);
  return bytes;
}

/** A payload whose signature contains characters that the two alphabets encode differently. */
function withBothAlphabets(seed) {
  for (let n = 0; ; n += 1) {
    const payload = canonical(announcement('orders', { version: `${n}` }));
    const text = base64url(sign(seed, Buffer.from(payload)));
    if (text.includes('-') && text.includes('_')) return payload;
  }
}

/** 86 characters have four bits more than 64 bytes. These bits are zero. */
function nextCharacter(text) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(text.at(-1)) + 1];
}
