import { readFileSync } from 'node:fs';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { World } from './world.ts';

const TOKEN = 'TIDINGS_TOKEN';
const NOT_SHOWN = '(not shown)';

/** The hub's token, from TIDINGS_TOKEN or from the file that TIDINGS_TOKEN_FILE names; undefined where neither is set. */
export function hubTokenOf({ env }: Pick<World, 'env'>): string | undefined {
  return secretOf(TOKEN, env);
}

/** The key that is sent to a DiffDelta service. */
export function diffDeltaKeyOf({ env }: Pick<World, 'env'>): string | undefined {
  return secretOf('TIDINGS_DIFFDELTA_KEY', env);
}

/** The key that is sent to an embedding server. */
export function embedKeyOf({ env }: Pick<World, 'env'>): string | undefined {
  return secretOf('TIDINGS_EMBED_KEY', env);
}

/** What a hub needs that sells keys with Stripe. */
export function stripeSecretsOf({ env }: Pick<World, 'env'>) {
  return {
    secretKey: secretOf('TIDINGS_STRIPE_KEY', env),
    webhookSecret: secretOf('TIDINGS_STRIPE_WEBHOOK_SECRET', env),
  };
}

/** What the OpenID provider of a team knows the hub by. */
export function oidcSecretOf({ env }: Pick<World, 'env'>): string | undefined {
  return secretOf('TIDINGS_OIDC_SECRET', env);
}

/** The database that the processes of a hub share: the address may have a password in it. */
export function databaseUrlOf({ env }: Pick<World, 'env'>): string | undefined {
  return secretOf('TIDINGS_DATABASE', env);
}

/** A secret is never an option: other users of the machine can read those. */
function secretOf(name: string, env: World['env']): string | undefined {
  const fileName = `${name}_FILE`;
  const said = env[name] === '' ? undefined : env[name];
  const file = env[fileName] === '' ? undefined : env[fileName];
  if (said !== undefined && file !== undefined) {
    throw new SettingRefusedError(name, NOT_SHOWN, `${fileName} is set, too. Set one of them.`);
  }
  const secret = file === undefined ? said : readSecret(fileName, file);
  if (secret === undefined) return undefined;
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  const place = file === undefined ? name : fileName;
  throw new SettingRefusedError(place, NOT_SHOWN, 'It must be of printable ASCII characters without spaces.');
}

function readSecret(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError(variable, file, `It cannot be read (${reason}).`);
  }
}
