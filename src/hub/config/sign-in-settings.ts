/** How people sign in to the pages. */
export interface SignInSettings {
  /** A session ends this long after its start. */
  readonly hours: number;
  /** It ends when no page was opened for this long. */
  readonly idleMinutes: number;
  /** Absent: with the hub's token alone. */
  readonly oidc?: OidcSettings;
}

/** The OpenID provider of a team. Its secret is not a setting. */
export interface OidcSettings {
  /** Exactly as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The claim with the roles of a person. A dot leads into it: `realm_access.roles`. */
  readonly roleClaim: string;
  /** Which of its values give which role; `*` for everybody who is signed in there. */
  readonly roles: Readonly<Partial<Record<'admin' | 'operate' | 'read', readonly string[]>>>;
  /** What pages call the provider. */
  readonly name?: string;
  /** Whether the issuer may be at a private address. */
  readonly allowPrivate?: boolean;
}

export const DEFAULT_SIGN_IN: SignInSettings = { hours: 12, idleMinutes: 120 };
