import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

describe.runIf(hasBrowser())('what an operator does in a browser', () => {
  let lab: BrowserLab;

  beforeAll(async () => {
    lab = await openBrowserLab({ allowPrivate: true });
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  test('a webhook is added, tested, paused and removed; its secret is shown once', async () => {
    const receiver = await startWebhookReceiver();
    const { page, ensureClean, close } = await lab.open('subscriptions', { signedIn: true });
    await page.locator('#add summary').click();
    await ensureClean();
    await page.getByLabel('Address (https)').fill(`${receiver.url}hook`);
    await page.getByLabel('Sources').fill('lantern');
    await page.getByRole('button', { name: 'Add the webhook' }).click();
    const secret = (await page.locator('dd code').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('link', { name: 'Go on to the webhook' }).click();
    await expect
      .poll(async () => {
        await page.reload();
        return await page.locator('h1').textContent();
      })
      .toContain('active');
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    expect(await page.locator('#deliveries tbody tr').first().textContent()).toContain('subscription.test');
    expect(receiver.received.at(-1)?.body.type).toBe('subscription.test');
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await page.locator('.done').textContent()).toContain('Paused');
    await ensureClean();
    await page.locator('summary', { hasText: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    expect(await page.locator('main').textContent()).toContain('No webhook is told of changes yet.');
    await close();
  });
});
