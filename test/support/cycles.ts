/** Who imports whom. Names that are not keys are not followed. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The groups of nodes that reach each other: the strongly connected components of more than one node (Tarjan). */
export function cyclesOf(graph: Graph): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];

  const visit = (node: string) => {
    numbers.set(node, numbers.size);
    lowest.set(node, numbers.size - 1);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!numbers.has(next)) visit(next);
      if (open.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) !== numbers.get(node)) return;
    const component = open.splice(open.indexOf(node));
    if (component.length > 1) cycles.push(component);
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return cycles;
}
