import { type AlertSettings, DEFAULT_ALERTS, type MailSettings } from './alert-settings.ts';
import { hostName } from './setting-addresses.ts';
import { type Decode, fieldsOf, flag, listOf, refused, text, wholeNumberIn } from './setting-decoders.ts';

const DAY_SECONDS = 86_400;
const SUBMISSION_PORT = 587;
const TLS_PORT = 465;
const MAIL_INTERVAL_SECONDS = 300;
/** Exactly one address: no name, no list, nothing that could begin another header. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** When operators are alerted, and where mails go: `{ "failedChecks": 5, "mail": { "to": "ops@acme.example", … } }`. */
export function alertsIn(path: Decode<string>): Decode<AlertSettings> {
  const seconds = wholeNumberIn(0, DAY_SECONDS);
  const shape = {
    holdSeconds: seconds,
    easeSeconds: seconds,
    failedChecks: wholeNumberIn(1, 1000),
    lagSeconds: wholeNumberIn(1, 7 * DAY_SECONDS),
    diskDays: wholeNumberIn(0, 3650),
    freeMegabytes: wholeNumberIn(0, 1_000_000_000),
    mail: mailIn(path),
  };
  return (value, at) => ({ ...DEFAULT_ALERTS, ...fieldsOf(shape, value, at) });
}

function mailIn(path: Decode<string>): Decode<MailSettings> {
  return (value, at) => {
    const shape = {
      to: addresses,
      from: address,
      host: hostName,
      port: wholeNumberIn(1, 65_535),
      secure: flag,
      user: text(320),
      passwordFile: path,
      intervalSeconds: wholeNumberIn(1, DAY_SECONDS),
    };
    const { to, from, host, port, secure, user, passwordFile, intervalSeconds } = fieldsOf(shape, value, at);
    if (to === undefined) throw refused(`${at}.to`, to, 'Give the address that alerts are sent to.');
    if (from === undefined) throw refused(`${at}.from`, from, 'Give the address that alerts are sent from.');
    if (host === undefined) throw refused(`${at}.host`, host, 'Name the server that sends the mails.');
    if ((user === undefined) !== (passwordFile === undefined)) {
      const missing = user === undefined ? 'user' : 'passwordFile';
      throw refused(`${at}.${missing}`, undefined, 'Give both user and passwordFile, or neither.');
    }
    if (secure === false && user !== undefined) {
      throw refused(`${at}.secure`, secure, 'A password is not sent in the clear. Leave it out, or give true.');
    }
    return {
      to,
      from,
      host,
      port: port ?? (secure === true ? TLS_PORT : SUBMISSION_PORT),
      ...(secure !== undefined && { secure }),
      ...(user !== undefined && { user }),
      ...(passwordFile !== undefined && { passwordFile }),
      intervalSeconds: intervalSeconds ?? MAIL_INTERVAL_SECONDS,
    };
  };
}

const address: Decode<string> = (value, at) => {
  if (typeof value === 'string' && ADDRESS.test(value)) return value;
  throw refused(at, value, 'Give one address like ops@acme.example, without a name.');
};

const addresses: Decode<readonly string[]> = (value, at) =>
  typeof value === 'string' ? [address(value, at)] : listOf(address, { least: 1, most: 20 })(value, at);
