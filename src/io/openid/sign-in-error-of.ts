import { AddressRefusedError, FetchError } from '../../errors/fetch-error.ts';
import { SignInError } from '../../errors/sign-in-error.ts';
import type { Recovery } from '../../errors/tidings-error.ts';

/** What the errors of the library have in common. All of it may come from the network. */
interface Failure {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

type Explained = readonly [words: string, recovery: Recovery];

const ASK_AGAIN = 'Sign in again; if it stays so, tell who runs the hub.';
const LIES = `What the provider said about you is not for this sign-in, or not from the provider that the settings name. ${ASK_AGAIN}`;
const UNUSABLE = 'The answer of the provider is none that can be used. Tell who runs the hub.';

/** By the code of the library. */
const WORDS: Readonly<Record<string, Explained>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: [
    `What the provider said about you has expired, or its clock and that of the hub differ. ${ASK_AGAIN}`,
    'retry-later',
  ],
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: [LIES, 'stop'],
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: [LIES, 'stop'],
  OAUTH_KEY_SELECTION_FAILED: [LIES, 'stop'],
  OAUTH_INVALID_RESPONSE: [LIES, 'stop'],
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: [
    'The provider does not take the secret of this hub. Tell who runs it.',
    'fix-config',
  ],
  OAUTH_HTTP_REQUEST_FORBIDDEN: ['The provider names an address without https. Tell who runs the hub.', 'fix-config'],
};

const MOST_QUOTED = 200;

/** What went wrong, in words for a person. The library's error is not kept: it carries what the provider answered. */
export function signInErrorOf(error: unknown): SignInError {
  const chain = causesOf(error);
  const refused = chain.find((cause) => cause instanceof AddressRefusedError);
  if (refused !== undefined) {
    const words =
      'The provider is at a private address, which the hub does not ask. Who runs it can set signIn.oidc.allowPrivate.';
    return new SignInError(words, { recovery: 'fix-config', cause: refused });
  }
  const unreached = chain.find((cause) => cause instanceof FetchError);
  if (unreached !== undefined) {
    return new SignInError(`The provider cannot be reached, or gives no usable answer. Try again later.`, {
      cause: unreached,
    });
  }
  const failures = chain.map((cause) => cause as Failure);
  for (const { code, error: word } of failures) {
    if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
      return new SignInError(`The provider did not sign you in: ${quoted(word)}. ${ASK_AGAIN}`, {
        recovery: 'fix-input',
      });
    }
    if (code === 'OAUTH_RESPONSE_BODY_ERROR') return refusedAnswer(word);
    const found = typeof code === 'string' ? WORDS[code] : undefined;
    if (found !== undefined) return new SignInError(found[0], { recovery: found[1] });
  }
  return new SignInError(UNUSABLE, { recovery: 'retry-later' });
}

/** RFC 6749 §5.2. */
function refusedAnswer(word: unknown): SignInError {
  if (word === 'invalid_grant') {
    return new SignInError(`This sign-in was used before, or has expired. ${ASK_AGAIN}`, { recovery: 'fix-input' });
  }
  const words = `The provider refuses what this hub asks (${quoted(word)}). Tell who runs the hub: its client id, its secret or its redirect URI may be wrong.`;
  return new SignInError(words, { recovery: 'fix-config' });
}

function causesOf(error: unknown): readonly object[] {
  const chain: object[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null && chain.length < 8; ) {
    chain.push(cause);
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return chain;
}

function quoted(text: unknown): string {
  if (typeof text !== 'string') return 'it says nothing';
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MOST_QUOTED);
}
