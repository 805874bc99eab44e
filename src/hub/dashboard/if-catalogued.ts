import { TidingsError } from '../../errors/tidings-error.ts';

/** What the catalogue says; undefined while it cannot be asked: pages go on without it. */
export async function ifCatalogued<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TidingsError && error.name === 'CatalogueUnavailableError') return undefined;
    throw error;
  }
}
