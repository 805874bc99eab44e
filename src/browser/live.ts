const SETTLE_MS = 400;
/** What a button began shows itself soon, if not at once. */
const BEHIND_A_BUTTON_MS: readonly number[] = [1000, 3000, 9000, 27_000];

/**
 * Keeps parts of a page as the hub has them: `<section id="…" data-live="events">` is read again when a change is told at that address.
 *
 * With `data-every="3"` it is read again after so many seconds, too, while somebody looks.
 *
 * The page itself is asked for again and its parts are put in place of the old ones, so that the hub alone knows how things look.
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
  // Nobody told what happened while the line was cut.
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

/** How often may be another time behind each reading. */
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
    // Who is about to press something keeps it.
    if (now === null || old.contains(document.activeElement)) continue;
    old.replaceWith(now);
    onNew(now);
  }
}
