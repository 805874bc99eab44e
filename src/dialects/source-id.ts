/** An unused id for a source: several feeds of one host are several sources. */
export async function freeSourceId(
  wanted: string,
  store: { isTaken(source: string): Promise<boolean> },
): Promise<string> {
  let id = wanted;
  for (let count = 2; await store.isTaken(id); count += 1) id = `${wanted}_${count}`;
  return id;
}
