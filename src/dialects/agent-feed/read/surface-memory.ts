/** What is remembered of an agent-feed beside its entries: how far its facts were handed on. */
export interface KnownSurface {
  readonly feedUrl: string;
  /** Of the last fact that was handed on; 0 before the first one. */
  readonly seq: number;
  /** Its endpoints were told to be gone, and how. */
  readonly ended?: 'terminated' | 'migrated';
  /** How often they went or came back as a whole. */
  readonly turns?: number;
}

/** What this reader itself has written. */
export function decodeSurfaceMemory(memory: unknown): KnownSurface | undefined {
  return memory as KnownSurface | undefined;
}
