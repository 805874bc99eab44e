const SETTLE_MS = 400;
/** The effect of a button appears soon, if not at once. */
const BEHIND_A_BUTTON_MS: readonly number[] = [1000, 3000, 9000, 27_000];

/**
 * Keeps parts of a page up to date: `<section id="…" data-live="events">` is reloaded when a change is announced at that address.
 *
 * With `data-every="3"` it is also reloaded after that many seconds, while the page is visible.
 *
 * The whole page is fetched again and its parts replace the old ones, so that only the hub decides how things look.
 */
export function keepLive(onNew: (part: ParentNode) => void): void {
  const first = document.querySelector<HTMLElement>('[data-live]');
  const address = first?.dataset.live;
  if (first === null || address === undefined) return;
  const news = new EventSource(address);
  let isWaiting = false;
  let wasOpen = false;
  const renewSoon = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      renew(onNew).catch(() => {});
    }, SETTLE_MS);
  };
  news.addEventListener('change', renewSoon);
  // Changes during a lost connection were not announced.
  news.addEventListener('open', () => {
    if (wasOpen) renewSoon();
    wasOpen = true;
  });
  addEventListener('pagehide', () => news.close());
  if (new URLSearchParams(location.search).has('done')) {
    for (const ms of BEHIND_A_BUTTON_MS) setTimeout(renewSoon, ms);
  }
  readByTheClock(onNew);
}

/** The interval may change with each reload. */
function readByTheClock(onNew: (part: ParentNode) => void): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live][data-every]')];
  const seconds = Math.min(...parts.map(({ dataset }) => Number(dataset.every)));
  if (!Number.isFinite(seconds) || seconds < 1) return;
  setTimeout(async () => {
    if (document.visibilityState === 'visible') await renew(onNew).catch(() => {});
    readByTheClock(onNew);
  }, seconds * 1000);
}

async function renew(onNew: (part: ParentNode) => void): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const old of document.querySelectorAll<HTMLElement>('[data-live][id]')) {
    const now = fresh.getElementById(old.id);
    // Do not replace a part that has the focus.
    if (now === null || old.contains(document.activeElement)) continue;
    old.replaceWith(now);
    onNew(now);
  }
}
