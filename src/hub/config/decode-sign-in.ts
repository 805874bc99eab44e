import { type Decode, fieldsOf, wholeNumberIn } from './setting-decoders.ts';
import { DEFAULT_SIGN_IN, type SignInSettings } from './sign-in-settings.ts';

const WEEK_HOURS = 168;

/** `{ "hours": 12, "idleMinutes": 120 }` */
export const signInSettings: Decode<SignInSettings> = (value, at) => {
  const shape = { hours: wholeNumberIn(1, WEEK_HOURS), idleMinutes: wholeNumberIn(1, WEEK_HOURS * 60) };
  return { ...DEFAULT_SIGN_IN, ...fieldsOf(shape, value, at) };
};
