/** Examples that the step counter must tell apart, see count-steps.test.ts. */

export function linear(size) {
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += at;
  return sum;
}

export function quadratic(size) {
  let sum = 0;
  for (let at = 0; at < size; at += 1) for (let other = 0; other < at; other += 1) sum += other;
  return sum;
}

/** Each opening is searched to the end of the text, in vain. */
export function quadraticSearch(size) {
  const text = '<!--'.repeat(size);
  let found = 0;
  for (let at = 0; at < size; at += 1) if (text.indexOf('-->', at * 4) >= 0) found += 1;
  return found;
}

export function quadraticArray(size) {
  const waiting = Array.from({ length: size }, (_, at) => at);
  while (waiting.length > 0) waiting.shift();
}

export function quadraticPattern(size) {
  const text = '['.repeat(size);
  for (let at = 0; at < size; at += 1) /\]/g.test(text.slice(at));
}

export function broken() {
  throw new Error('planted');
}
