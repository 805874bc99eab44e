/** A request of the crawler, for whose host it is. */
export interface RequestLine {
  readonly time: string;
  readonly path: string;
  readonly status?: number;
  readonly bytes: number;
}

export interface BotFacts {
  /** As it is sent. */
  readonly userAgent: string;
  /** The name by which a robots.txt addresses it. */
  readonly productToken: string;
  /** Between two pages of a host, at least. */
  readonly cooldownSeconds: number;
  readonly contact?: string;
  /** The requested host. */
  readonly host?: string;
  /** Requests to that host, newest first; none if no source is on it. */
  readonly requests?: readonly RequestLine[];
  /** Nothing is remembered from before. */
  readonly since: string;
}
