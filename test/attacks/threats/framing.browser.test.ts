/** A page of an attacker, in a real browser: it can neither frame our pages nor send our forms. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForCode, logIn } from '../../account-pages/approve-browser.js';
import { addRequest, demoCodeOf, hiddenFields, stored } from '../../account-pages/approve-support.js';
import { hasBrowser, useBrowser } from '../../support/browser.js';
import { account } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';

describe.runIf(hasBrowser)('a page of an attacker', () => {
  const use = useService();
  const browser = useBrowser();
  let attacker: Server;
  let html = '';

  beforeAll(async () => {
    attacker = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(html);
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => attacker.close());

  /** Another host than ours, so that the browser sees two sites. */
  const address = (): string => `http://localhost:${(attacker.address() as AddressInfo).port}/`;

  const approvalPage = async (id: string) => {
    const page = await (await browser().newContext()).newPage();
    await page.goto(`${use().url}/authorise/${id}`);
    await logIn(page);
    await page.locator('button[value=refuse]').waitFor();
    return page;
  };

  it('T-13: cannot show the approval page in a frame, where clicks could be stolen', async () => {
    const id = await addRequest(use());
    const page = await approvalPage(id);
    html = `<iframe src="${use().url}/authorise/${id}"></iframe><iframe src="${use().url}/dashboard"></iframe>`;
    await page.goto(address(), { waitUntil: 'load' });
    const frames = page.frames().slice(1);
    expect(frames).toHaveLength(2);
    for (const frame of frames) expect(await frame.content()).not.toContain('<form');
  });

  it('T-13: cannot send the decision of somebody who is logged in, not even with everything that the form has', async () => {
    const id = await addRequest(use());
    const page = await approvalPage(id);
    await page.locator('input[name=account]').first().check();
    await askForCode(page);
    await page.locator('.demo-code').waitFor();
    const text = await page.content();
    expect(demoCodeOf(text)).toMatch(/^\d{6}$/);
    const fields = {
      ...hiddenFields(text),
      code: demoCodeOf(text),
      account: account('eleni', 101).id,
      decision: 'approve',
    };
    const inputs = Object.entries(fields)
      .map(([name, value]) => `<input name="${name}" value="${value}">`)
      .join('');
    html = `<form method="post" action="${use().url}/authorise/${id}/decision">${inputs}<button>win</button></form>`;
    await page.goto(address());
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/decision')),
      page.click('button'),
    ]);
    expect(answer.status()).toBe(403);
    expect((await stored(use(), id)).status).toBe('Received');
  });
});
