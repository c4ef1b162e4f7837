/**
 * The pictures of the README, from a sandbox that runs: `npm start`, then `node docs/images/take-pictures.js [address]`.
 * Resets that sandbox first, so that the pictures stay the same. Chromium is taken from CHROMIUM_PATH, or from where Debian puts it.
 */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const base = process.argv[2] ?? 'http://127.0.0.1:8080';
const SIZE = { width: 1280, height: 800 };

const json = async (method, path, body, headers = {}) => {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** A payment that waits for approval. */
const stagePayment = async () => {
  const { applications, psus } = await json('GET', '/sandbox/credentials');
  const { access_token: token } = await json('POST', '/sandbox/tokens');
  const ibanOf = (name) => psus.find(({ username }) => username === name).accounts[0].iban;
  const payment = {
    debitAccount: { iban: ibanOf('eleni') },
    creditAccount: { iban: ibanOf('vasilis') },
    creditorName: 'Βασίλης Αλεξίου',
    instructedAmount: { currency: 'EUR', amount: 84.5 },
    remittanceInformation: 'Invoice 2041',
  };
  const { consentId } = await json('POST', '/pis/psd2/v1/transfers/domestic', payment, {
    Authorization: `Bearer ${token}`,
    'Ocp-Apim-Subscription-Key': applications[0].subscriptionKey,
    'X-Request-ID': randomUUID(),
  });
  return consentId;
};

const logIn = async (page) => {
  await page.locator('#username').fill('eleni');
  await page.locator('#password').fill('eleni-demo');
  await page.locator('.login-form button').click();
};

const scenes = {
  landing: (page) => page.goto(`${base}/`),
  approve: async (page) => {
    await page.goto(`${base}/authorise/${await stagePayment()}`);
    await logIn(page);
    await page.locator('button[value=begin]').click();
    await page.locator('button[value=approve]').waitFor();
  },
  dashboard: async (page) => {
    await page.goto(`${base}/dashboard`);
    await logIn(page);
    await page.locator('button[value=begin]').click();
    const code = await page.locator('.demo-code').textContent();
    await page.locator('#code').fill(code ?? '');
    await page.locator('#code').press('Enter');
    await page.waitForURL(/\/dashboard$/);
  },
  console: async (page) => {
    await page.goto(`${base}/docs/piis/confirm-funds`);
    await page.getByRole('button', { name: 'Fill in' }).click();
    const token = page.locator('form.console [name=Authorization]');
    while ((await token.inputValue()) === '') await page.waitForTimeout(50);
    await page.locator('form.console button[type=submit]').click();
    await page
      .getByText(/"fundsAvailable":\s*true/)
      .last()
      .waitFor();
    await page.locator('form.console').evaluate((form) => form.scrollIntoView());
  },
};

await fetch(`${base}/sandbox/reset`, { method: 'POST' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [name, play] of Object.entries(scenes)) {
  const page = await browser.newPage({ viewport: SIZE, locale: 'en-GB', colorScheme: 'light' });
  await play(page);
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, import.meta.url)) });
  await page.close();
}
await browser.close();
