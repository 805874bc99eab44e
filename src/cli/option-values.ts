import { InvalidArgumentError } from 'commander';

/** A whole number of at least `least`, for commander. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`Give a whole number of at least ${least}.`);
    }
    return value;
  };
}
