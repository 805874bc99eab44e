import { webUrl } from './setting-addresses.ts';
import { type Decode, fieldsOf, flag, listOf, refused, text, wholeNumberIn } from './setting-decoders.ts';
import { DEFAULT_SIGN_IN, type OidcSettings, type SignInSettings } from './sign-in-settings.ts';

const WEEK_HOURS = 168;
const EVERYBODY = '*';

/** `{ "hours": 12, "idleMinutes": 120, "oidc": { … } }` */
export const signInSettings: Decode<SignInSettings> = (value, at) => {
  const shape = { hours: wholeNumberIn(1, WEEK_HOURS), idleMinutes: wholeNumberIn(1, WEEK_HOURS * 60), oidc };
  return { ...DEFAULT_SIGN_IN, ...fieldsOf(shape, value, at) };
};

const names = listOf(text(256), { most: 100 });

/** `{ "issuer": "https://login.acme.example", "clientId": "tidings", "roleClaim": "groups", "roles": { "admin": ["ops"] } }` */
const oidc: Decode<OidcSettings> = (value, at) => {
  const shape = {
    issuer,
    clientId: text(256),
    scopes: listOf(scope, { least: 1, most: 20 }),
    roleClaim: text(200),
    roles: rolesIn,
    name: text(60),
    allowPrivate: flag,
  };
  const { issuer: named, clientId, scopes = [], roleClaim = 'groups', roles, ...rest } = fieldsOf(shape, value, at);
  if (named === undefined) throw refused(`${at}.issuer`, named, 'Name the provider, like https://login.acme.example.');
  if (clientId === undefined) throw refused(`${at}.clientId`, clientId, 'Say what the provider calls this hub.');
  if (roles === undefined) throw refused(`${at}.roles`, roles, 'Say which groups have which role.');
  if (named.startsWith('http:') && rest.allowPrivate !== true) {
    throw refused(
      `${at}.issuer`,
      named,
      'Give one with https. Plain http is for one at a private address, with allowPrivate.',
    );
  }
  return { issuer: named, clientId, scopes: [...new Set(['openid', ...scopes])], roleClaim, roles, ...rest };
};

/** Compared letter by letter with the provider's answer, so it is kept as written. */
const issuer: Decode<string> = (value, at) => {
  const { search } = new URL(webUrl(value, at));
  if (search === '' && typeof value === 'string') return value;
  throw refused(at, value, 'An issuer has no query.');
};

const scope: Decode<string> = (value, at) => {
  if (typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(value)) return value;
  throw refused(at, value, 'Give the name of a scope, like profile.');
};

const rolesIn: Decode<OidcSettings['roles']> = (value, at) => {
  const roles = fieldsOf({ admin: names, operate: names, read: names }, value, at);
  for (const role of ['admin', 'operate'] as const) {
    if (roles[role]?.includes(EVERYBODY)) {
      throw refused(`${at}.${role}`, EVERYBODY, 'Everybody may read at most. Name the groups.');
    }
  }
  return roles;
};
