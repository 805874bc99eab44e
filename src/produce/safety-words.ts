/** How messages name what a person can do about a doubt. */
export interface SafetyWords {
  /** Confirms that many pages are really gone. */
  readonly allowDeletes: string;
  /** The setting with the public URL of the site. */
  readonly site: string;
}

export const FLAGS: SafetyWords = { allowDeletes: '--allow-deletes', site: '--site' };
