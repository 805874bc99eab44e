import { DIRECTORY_PATH } from '../codecs/message-signatures/key-directory.ts';
import { decodeBase64url } from '../codecs/primitives/base64url.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { KeyFileError } from '../errors/surface-error.ts';
import { signDirectory } from '../fetch/bot-directory.ts';
import { createBotSigner } from '../fetch/bot-signer.ts';
import type { RequestSigner } from '../fetch/request-signer.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { Route } from '../hub/http/route.ts';
import { botDirectoryRoute } from '../hub/routes/bot-directory-route.ts';
import { readSigningKeys } from '../io/files/signing-keys.ts';
import { randomNonce } from '../io/node/random-token.ts';
import { createSigner } from '../surface/ed25519.ts';

/** How a hub signs the requests of its crawler, and the routes that serve the keys. */
export interface HubBotAuth {
  readonly signer: RequestSigner;
  readonly routes: readonly Route[];
}

/** Undefined if requests are not signed. */
export async function openBotAuth(
  { botAuth, baseUrl }: Pick<HubConfig, 'botAuth' | 'baseUrl'>,
  onProblem: (message: string) => void,
): Promise<HubBotAuth | undefined> {
  if (botAuth === undefined) return undefined;
  if (baseUrl === undefined || !baseUrl.startsWith('https://')) {
    const remedy = 'Signed requests name the place of their keys: set "baseUrl" to the https address of this hub, too.';
    throw new SettingRefusedError('botAuth', botAuth.key, remedy);
  }
  const { keys } = await readSigningKeys(botAuth.key);
  const current = keys.findLast(({ seed, revoked }) => seed !== undefined && revoked !== true);
  const seed = decodeBase64url(current?.seed ?? '');
  const publicKey = decodeBase64url(current?.publicKey ?? '');
  if (current === undefined || seed === undefined || publicKey === undefined) {
    throw new KeyFileError(botAuth.key, 'it has no key that signs. Make one with "tidings keys rotate".');
  }
  const others = keys.flatMap((key) =>
    key === current || key.revoked === true ? [] : (decodeBase64url(key.publicKey) ?? []),
  );
  const sign = createSigner(seed);
  const directory = new URL(DIRECTORY_PATH.slice(1), baseUrl);
  const signer = createBotSigner({
    publicKey,
    sign,
    directory,
    form: botAuth.signatureAgent ?? 'key-set',
    when: botAuth.sign ?? 'always',
    now: Date.now,
    nonce: randomNonce,
    onRefused: ({ host }, reason) => onProblem(`${host} asks for a signature that is not made: ${reason}.`),
  });
  const served = () => signDirectory({ publicKey, sign }, others, { url: directory, nowMs: Date.now() });
  return { signer, routes: [botDirectoryRoute(served)] };
}
