/** Whose the sources are that strangers asked for. It is the hash of no API key. */
export const SELF_SERVICE = 'self-service';
