/** When and how the hub alerts its operator. */
export interface AlertSettings {
  /** A problem is reported after it has lasted this long. */
  readonly holdSeconds: number;
  /** The end of a problem is reported after it has been over for this long. */
  readonly easeSeconds: number;
  /** A source is broken after this many failed checks in a row. */
  readonly failedChecks: number;
  /** A subscriber is behind if its events wait for longer than this. */
  readonly lagSeconds: number;
  /** The disk is filling if it will be full within this many days at the current rate. */
  readonly diskDays: number;
  /** The disk is filling if less than this is free. */
  readonly freeMegabytes: number;
  readonly mail?: MailSettings;
}

/** Where alerts are mailed, and over which server. Set only in the config file. */
export interface MailSettings {
  readonly to: readonly string[];
  readonly from: string;
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. False: no TLS. Absent: STARTTLS if offered, and required with a password. */
  readonly secure?: boolean;
  readonly user?: string;
  /** Absolute once decoded. */
  readonly passwordFile?: string;
  /** The minimum time between two mails: events in between are collected into one mail. */
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
