/** How single settings are decoded, in a file or behind an option. Loads nothing of the hub but these few decoders. */
export { baseUrl, databaseUrl, hostName, webUrl } from '../hub/config/setting-addresses.ts';
