/** The same items; calls back with how many came before each. Needs no additional promise. */
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
