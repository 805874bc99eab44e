/** The list in pieces of that size, in order; the last one may be shorter. */
export function piecesOf<One>(list: readonly One[], size: number): (readonly One[])[] {
  const pieces: (readonly One[])[] = [];
  for (let at = 0; at < list.length; at += size) pieces.push(list.slice(at, at + size));
  return pieces;
}
