/** U+0085 is a space in Unicode but not for `\s`; U+FEFF is the other way round. Both are refused. */
const FORBIDDEN = /[\p{White_Space}\uFEFF+]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a signed note can use this name for a key: not empty, no Unicode space, no plus sign. */
export function isKeyName(name: string): boolean {
  return (
    name !== '' &&
    !FORBIDDEN.test(name) &&
    !LONE_SURROGATE.test(name) &&
    ![...name].some((character) => character < ' ')
  );
}
