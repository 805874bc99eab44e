const HOMEPAGE = 'https://tidings.example/';

/** What every request of ours says of itself: the crawler's name, where to read about it, and which program runs it. */
export const USER_AGENT = `AIWebIndex/2.0 (+${HOMEPAGE}; tidings)`;
