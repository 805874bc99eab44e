import { hash } from 'node:crypto';
import { encodeKeyDirectory, keyThumbprint } from '../codecs/message-signatures/key-directory.ts';
import {
  type SignatureInput,
  signatureBase,
  writeSignatureInput,
} from '../codecs/message-signatures/signature-base.ts';
import { encodeBase64 } from '../codecs/primitives/base64.ts';

export interface BotKey {
  readonly publicKey: Uint8Array;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export interface SignedDirectory {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TAG = 'http-message-signatures-directory';
const LABEL = 'sig1';
const LIFE_SECONDS = 3600;

const sha256 = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'));

/**
 * The key directory, signed with the key that signs requests: a mirror under another name cannot claim it.
 *
 * `others` are keys whose requests may still be in transit or whose directory may be cached.
 */
export function signDirectory(
  { publicKey, sign }: BotKey,
  others: readonly Uint8Array[],
  { url, nowMs }: { readonly url: URL; readonly nowMs: number },
): SignedDirectory {
  const body = encodeKeyDirectory([publicKey, ...others], sha256);
  const fields = { 'content-digest': `sha-256=:${encodeBase64(sha256(new TextEncoder().encode(body)))}:` };
  const created = Math.floor(nowMs / 1000);
  const input: SignatureInput = {
    components: [{ name: '@authority', req: true }, { name: 'content-digest' }],
    parameters: [
      ['created', created],
      ['expires', created + LIFE_SECONDS],
      ['keyid', keyThumbprint(publicKey, sha256)],
      ['alg', 'ed25519'],
      ['tag', TAG],
    ],
  };
  const base = signatureBase(input, { method: 'GET', url, fields });
  if (!base.ok) throw new Error(base.issues[0].message);
  const signature = encodeBase64(sign(new TextEncoder().encode(base.value)));
  return {
    body,
    headers: {
      ...fields,
      'signature-input': `${LABEL}=${writeSignatureInput(input)}`,
      signature: `${LABEL}=:${signature}:`,
    },
  };
}
