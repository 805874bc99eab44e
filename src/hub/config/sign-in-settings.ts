/** How people sign in to the pages. */
export interface SignInSettings {
  /** A session ends so long after its beginning. */
  readonly hours: number;
  /** It ends when nobody has looked at a page for so long. */
  readonly idleMinutes: number;
}

export const DEFAULT_SIGN_IN: SignInSettings = { hours: 12, idleMinutes: 120 };
