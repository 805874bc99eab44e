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
  /** What was asked for. */
  readonly host?: string;
  /** Of that host, newest first. Of one that no source is on there are none. */
  readonly requests?: readonly RequestLine[];
  /** Nothing is remembered from before. */
  readonly since: string;
}
