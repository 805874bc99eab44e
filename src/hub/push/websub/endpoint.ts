/** The path at which a hub takes subscriptions, relative to its address. */
export const WEBSUB_HUB_PATH = 'hub';
