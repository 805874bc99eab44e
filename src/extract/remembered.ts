import { ownCopy } from './own-copy.ts';

/** The maximum number of cached answers. Then the cache is cleared. */
const MAX_KNOWN = 20_000;
/** Longer names are judged each time. */
const MAX_LENGTH = 500;

/** Caches answers by name, because pages repeat few names many times. */
export function remembered<Answer>(judge: (names: string) => Answer): (names: string) => Answer {
  const known = new Map<string, { readonly answer: Answer }>();
  return (names) => {
    if (names.length > MAX_LENGTH) return judge(names);
    const found = known.get(names);
    if (found !== undefined) return found.answer;
    const answer = judge(names);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(ownCopy(names), { answer });
    return answer;
  };
}
