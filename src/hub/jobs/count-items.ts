/** The same items; says with each one that is asked for how many came before it. Costs no promise of its own. */
export function countItems<T>(items: AsyncIterable<T>, onItem: (before: number) => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]();
      let before = 0;
      return {
        next() {
          onItem(before);
          before += 1;
          return iterator.next();
        },
        return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
      };
    },
  };
}
