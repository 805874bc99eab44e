/** SHA-256 and Ed25519 of the browser, for checks that call them synchronously. */
export interface BrowserCrypto {
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  readonly verifySignature: (check: SignatureCheck) => boolean;
}

interface SignatureCheck {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/** The browser lacks something that a check needs. */
export class CryptoMissingError extends Error {
  override readonly name = 'CryptoMissingError';
}

/** More than any receipt needs: a proof has at most 53 hashes, a change six texts. */
const MOST_QUESTIONS = 500;

/**
 * Runs a check that computes with WebCrypto. The check is synchronous and the browser is not: the check runs until it needs an unknown result, and again from
 * the start once the browser has computed it. So it must have no side effects.
 */
export async function withWebCrypto<T>(check: (crypto: BrowserCrypto) => T): Promise<T> {
  const hashes = new Map<string, Uint8Array>();
  const signatures = new Map<string, boolean>();
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    try {
      return check({
        sha256: (bytes) => known(hashes, nameOf(bytes), () => digest(bytes)),
        verifySignature: (wanted) => known(signatures, namesOf(wanted), () => verify(wanted)),
      });
    } catch (error) {
      if (!(error instanceof Question)) throw error;
      await error.answer();
    }
  }
  throw new Error('The receipt asks for more than any receipt does.');
}

/** Thrown through the check to the place that can wait for the answer. */
class Question extends Error {
  readonly answer: () => Promise<void>;

  constructor(answer: () => Promise<void>) {
    super('not known yet');
    this.answer = answer;
  }
}

function known<T>(answers: Map<string, T>, name: string, ask: () => Promise<T>): T {
  const answer = answers.get(name);
  if (answer !== undefined) return answer;
  throw new Question(async () => void answers.set(name, await ask()));
}

async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle().digest('SHA-256', new Uint8Array(bytes)));
}

async function verify({ publicKey, message, signature }: SignatureCheck): Promise<boolean> {
  const key = await subtle()
    .importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify'])
    .catch((error: unknown) => {
      if (isUnsupported(error)) throw new CryptoMissingError(NO_ED25519);
      return undefined;
    });
  if (key === undefined) return false;
  return await subtle().verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(message));
}

const NO_ED25519 =
  'This browser cannot check Ed25519 signatures, so nothing is proven here. Chromium can from 137 on, Firefox from 129, Safari from 17; or run: tidings verify-receipt receipt.json';
const NO_CRYPTO =
  'This browser lets pages compute only where they come over https or from a file. Open this page so, or run: tidings verify-receipt receipt.json';

function isUnsupported(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotSupportedError' || error.name === 'SyntaxError');
}

function subtle(): SubtleCrypto {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) throw new CryptoMissingError(NO_CRYPTO);
  return subtle;
}

function namesOf({ publicKey, message, signature }: SignatureCheck): string {
  return [publicKey, message, signature].map(nameOf).join();
}

function nameOf(bytes: Uint8Array): string {
  let name = '';
  for (const byte of bytes) name += String.fromCharCode(byte);
  return name;
}
