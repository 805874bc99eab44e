/** Decoders of single settings, from a file or a command-line option. Imports nothing else of the hub. */
export { baseUrl, databaseUrl, hostName, webUrl } from '../hub/config/setting-addresses.ts';
