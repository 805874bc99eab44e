/**
 * How Chromium is started. Whatever a page asks for is intercepted and answered by us; these switches see to it that
 * what would slip past the interception reaches nobody.
 *
 * Names: https://source.chromium.org/search?q=switches.cc
 */

export interface SwitchOptions {
  readonly userAgent: string;
  readonly profileFolder: string;
  readonly sandbox: boolean;
}

/** No name resolves, not even that of the proxy, which is a closed port and also applies to loopback addresses. */
const NO_WAY_OUT = [
  '--proxy-server=http://127.0.0.1:1',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** The browser itself wants nothing from anybody. */
const NO_ERRANDS = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-notifications',
  '--disable-speech-api',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
];

/** Playwright relies on some of these; the others would look around the local network or move a page to https. */
const DISABLED_FEATURES = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'Prerender2',
  'Translate',
];

/** A page that hoards more objects than this is ended by its own engine. */
const MAX_HEAP_MB = 1024;

export function chromiumSwitches({ userAgent, profileFolder, sandbox }: SwitchOptions): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${profileFolder}`,
    // Also for workers, which no override of a page reaches.
    `--user-agent=${userAgent}`,
    '--lang=en-US',
    ...(sandbox ? [] : ['--no-sandbox']),
    ...NO_WAY_OUT,
    ...NO_ERRANDS,
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    `--js-flags=--max-old-space-size=${MAX_HEAP_MB}`,
    '--block-new-web-contents',
    '--disable-3d-apis',
    '--disable-back-forward-cache',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-hang-monitor',
    '--disable-renderer-backgrounding',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    '--mute-audio',
    '--password-store=basic',
    '--use-mock-keychain',
  ];
}
