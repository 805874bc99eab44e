import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

/** RFC 7468 §5, and the two other labels that OpenSSL writes. */
const CERTIFICATE = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^-]*-----END \1-----/g;

/** A PEM file with certificate authorities, or its text. One that TLS would pass over in silence is refused. */
export async function readAuthority(given: string): Promise<string> {
  const isText = given.includes('-----BEGIN');
  const pem = isText ? given : await readPem(given);
  const file = isText ? 'as text' : given;
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw new SettingRefusedError('ca', file, 'It holds no certificate. Give a PEM file with BEGIN CERTIFICATE in it.');
  }
  const damaged = certificates.findIndex((certificate) => !isCertificate(certificate));
  if (damaged !== -1) {
    throw new SettingRefusedError('ca', file, `Certificate ${damaged + 1} in it is damaged. Give a whole PEM file.`);
  }
  return pem;
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError('ca', file, `It cannot be read (${reason}). Give a PEM file.`);
  }
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
