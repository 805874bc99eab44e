import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface TestAuthority {
  /** Its own certificate, in PEM. */
  readonly cert: string;
  /** A key and a certificate for these names or IPv4 addresses, `*.example.test` included. */
  issue(...names: string[]): TestCertificate;
  /** The same, expired an hour ago. */
  issueExpired(...names: string[]): TestCertificate;
}

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** A certificate authority that lives as long as the test: ECDSA P-256, valid for two days (RFC 5280). */
export function createTestAuthority(): TestAuthority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAuthority = extension('2.5.29.19', sequence(tlv(0x01, Buffer.of(0xff))), true);
  const name = `Test authority ${randomBytes(4).toString('hex')}`;
  const certify = (subject: string, publicKey: KeyObject, extensions: Buffer, untilMs = Date.now() + DAY_MS) =>
    pem(
      'CERTIFICATE',
      certificate({ issuer: name, subject, publicKey, extensions, untilMs, signer: authority.privateKey }),
    );
  const issueUntil = (names: readonly string[], untilMs: number): TestCertificate => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const alternatives = extension('2.5.29.17', sequence(...names.map(alternativeName)));
    return {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      cert: certify(names[0] ?? '', publicKey, alternatives, untilMs),
    };
  };
  return {
    cert: certify(name, authority.publicKey, isAuthority),
    issue: (...names) => issueUntil(names, Date.now() + DAY_MS),
    issueExpired: (...names) => issueUntil(names, Date.now() - HOUR_MS),
  };
}

/** RFC 5280 §4.2.1.6: `dNSName` or `iPAddress`. */
function alternativeName(host: string): Buffer {
  return isIPv4(host) ? tlv(0x87, Buffer.from(host.split('.').map(Number))) : tlv(0x82, Buffer.from(host));
}

interface CertificateParts {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extensions: Buffer;
  readonly untilMs: number;
  readonly signer: KeyObject;
}

function certificate({ issuer, subject, publicKey, extensions, untilMs, signer }: CertificateParts): Buffer {
  const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
  const signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(Date.now() - DAY_MS), time(untilMs)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(extensions)),
  );
  const signature = sign('sha256', signed, { key: signer, dsaEncoding: 'der' });
  return sequence(signed, ecdsaWithSha256, tlv(0x03, Buffer.of(0), signature));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [tlv(0x01, Buffer.of(0xff))] : []), tlv(0x04, value));
}

function commonName(text: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('2.5.4.3'), tlv(0x0c, Buffer.from(text)))));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tlv(0x06, Buffer.from(bytes));
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
