/** When the hub tells its operator, and how. */
export interface AlertSettings {
  /** What is wrong is told when it has been so for that long. */
  readonly holdSeconds: number;
  /** What is over is told when it has been over for that long. */
  readonly easeSeconds: number;
  /** A source is broken when so many checks in a row failed. */
  readonly failedChecks: number;
  /** A subscriber is behind when what is for it waits for longer. */
  readonly lagSeconds: number;
  /** The disk fills when it is full in so many days, as it goes now. */
  readonly diskDays: number;
  /** The disk fills when less is free. */
  readonly freeMegabytes: number;
  readonly mail?: MailSettings;
}

/** Where alerts are mailed to, over which server. They stand in the config file only. */
export interface MailSettings {
  readonly to: readonly string[];
  readonly from: string;
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. False: none at all. Absent: STARTTLS where it is offered, and needed with a password. */
  readonly secure?: boolean;
  readonly user?: string;
  /** Absolute once decoded. */
  readonly passwordFile?: string;
  /** No two mails are closer: what happens meanwhile is one mail. */
  readonly intervalSeconds: number;
}

export const DEFAULT_ALERTS: AlertSettings = {
  holdSeconds: 60,
  easeSeconds: 300,
  failedChecks: 3,
  lagSeconds: 900,
  diskDays: 7,
  freeMegabytes: 500,
};
