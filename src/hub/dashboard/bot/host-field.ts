import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { type Decode, refused } from '../../config/setting-decoders.ts';

const MAX_TYPED = 2048;

/** A typed host, or the host of a typed address, as requests name it: with its port unless that is the default. */
export const hostField: Decode<string> = (value, at) => {
  const typed = typeof value === 'string' && value.length <= MAX_TYPED ? value.trim() : '';
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
  const { host = '', username = '', password = '' } = canParseUrl(address) ? new URL(address) : {};
  if (host !== '' && username === '' && password === '' && !/[\s\\]/.test(typed)) return host.replace(/\.(?=$|:)/, '');
  throw refused(at, typed, 'Give the name of a host, like docs.example.com.');
};
