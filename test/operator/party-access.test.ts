/** The console about how applications get in: a wrong field is named, and a new secret stands on one answer alone. */
import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.js';
import { useService } from '../support/use-service.js';
import { enrolOperator } from './support.js';

describe.each(engines)('the page of a third party, on %s', (engine) => {
  const use = useService({ engine });

  it('names the field that is wrong, changes nothing, and shows a new secret once', async () => {
    const { admin } = use().app;
    const [tpp] = await admin.tpps();
    const [application] = await admin.applications(tpp?.id);
    const [key] = await admin.keys(tpp?.id);
    const visitor = await enrolOperator(use(), 'chief', 'admin');
    const own = { application: application?.clientId ?? '', subscription: key?.subscriptionId ?? '' };
    const press = (act: string, form: object) =>
      visitor.press(`/operator/parties/${tpp?.id}/${act}`, { reason: 'asked for', ...own, ...form });
    const wrong = [
      ['quota', { perMinute: '0' }, 'perMinute'],
      ['quota', { perDay: 'many' }, 'perDay'],
      ['redirects', { redirects: 'http://app.example/a' }, 'redirects'],
      ['redirects', { redirects: ' ' }, 'redirects'],
      ['secret', { overlap: '721' }, 'overlap'],
    ] as const;
    for (const [act, form, field] of wrong) {
      const { status, body } = await press(act, form);
      expect([act, status, body.includes(`href="#${field}"`)]).toEqual([act, 400, true]);
    }
    const made = await press('secret', { overlap: '24' });
    const secret = /<code[^>]*>([\w-]{40,})</.exec(made.body)?.[1] ?? 'none';
    expect([made.status, secret.length > 10]).toEqual([200, true]);
    expect((await visitor.get(`/operator/parties/${tpp?.id}`)).body).not.toContain(secret);
  });
});
