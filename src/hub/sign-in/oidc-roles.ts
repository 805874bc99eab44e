import type { OidcClaims } from './oidc-provider.ts';
import { ROLES, type Role } from './viewer.ts';

/** Which values of a claim give which role. */
export type RoleNames = Readonly<Partial<Record<Role, readonly string[]>>>;

/** Stands for everybody whom the provider signs in. */
const EVERYBODY = '*';
const MOST_VALUES = 1000;
const MOST_NAME_CHARACTERS = 100;
/** Names by which people recognise each other, best first. */
const NAME_CLAIMS = ['preferred_username', 'email', 'name', 'sub'];

/** The values of the claim in the settings: `groups`, or nested like `realm_access.roles`. */
export function groupsIn(claims: OidcClaims, claim: string, roles: RoleNames): readonly string[] {
  const value = claimAt(claims, claim);
  const values = Array.isArray(value) ? value.slice(0, MOST_VALUES) : [value];
  const named = new Set(Object.values(roles).flat());
  return [...new Set(values.filter((one): one is string => typeof one === 'string' && named.has(one)))];
}

/** The highest role that one of the groups gives. */
export function roleByGroups(groups: readonly string[], roles: RoleNames): Role | undefined {
  return ROLES.findLast((role) => roles[role]?.some((name) => name === EVERYBODY || groups.includes(name)));
}

/** The name of a person on pages and in the log: followed by the provider, so that nobody there can take a name used here. */
export function claimedName(claims: OidcClaims, issuer: string): string {
  const said = NAME_CLAIMS.map((claim) => claims[claim]).filter((value) => typeof value === 'string');
  const names = said.map((value) => plainText(value)).filter((value) => value !== '');
  return `${names[0] ?? 'somebody'} @ ${new URL(issuer).host}`;
}

/** On one line, and nothing in it that cannot be seen. */
function plainText(text: string): string {
  const line = text
    .slice(0, 4 * MOST_NAME_CHARACTERS)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return Array.from(line).slice(0, MOST_NAME_CHARACTERS).join('');
}

function claimAt(claims: OidcClaims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
