/** The extensions of AICF §11 that are on. None is unless it is asked for (AICF-X5). */
export interface Extensions {
  readonly chunkHints?: {
    /** Where the vector of a chunk is, with `{chunk_id}` in it. */
    readonly embedRef?: string;
  };
  readonly billingHints?: { readonly plan: string; readonly unit: 'bytes' | 'tokens' };
}
