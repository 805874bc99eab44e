import { TidingsError } from '../../errors/tidings-error.ts';

/** The answer of the catalogue; undefined while it cannot be used: pages work without it. */
export async function ifCatalogued<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TidingsError && error.name === 'CatalogueUnavailableError') return undefined;
    throw error;
  }
}
