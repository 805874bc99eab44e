/** How a message names what a person can do about a doubt. */
export interface SafetyWords {
  /** Says that much is really gone. */
  readonly allowDeletes: string;
  /** Where the public address of the site is set. */
  readonly site: string;
}

export const FLAGS: SafetyWords = { allowDeletes: '--allow-deletes', site: '--site' };
