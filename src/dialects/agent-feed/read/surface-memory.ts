/** What is remembered about an agent-feed besides its entries: how far its facts were handed on. */
export interface KnownSurface {
  readonly feedUrl: string;
  /** The seq of the last fact that was handed on; 0 before the first one. */
  readonly seq: number;
  /** Set once its endpoints were reported as gone, with the reason. */
  readonly ended?: 'terminated' | 'migrated';
  /** How often all endpoints went or came back. */
  readonly turns?: number;
}

/** Memory that this reader itself has written. */
export function decodeSurfaceMemory(memory: unknown): KnownSurface | undefined {
  return memory as KnownSurface | undefined;
}
