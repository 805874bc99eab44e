/** From 0 up to, but not including, 1. For jitter, not for secrets. */
export function randomFraction(): number {
  return Math.random();
}
