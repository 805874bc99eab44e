/** The enabled extensions of AICF §11. All are off by default (AICF-X5). */
export interface Extensions {
  readonly chunkHints?: {
    /** The URL of a chunk's vector, with the placeholder `{chunk_id}`. */
    readonly embedRef?: string;
  };
  readonly billingHints?: { readonly plan: string; readonly unit: 'bytes' | 'tokens' };
}
