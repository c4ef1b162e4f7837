/** Creating, reading and ending consents of the three kinds, from the third party's side. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { useService, withStore } from '../support/use-service.js';
import { created, kinds } from './kinds.js';

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine });

  describe.each(kinds)('a $name', ({ create, read, body }) => {
    const post = (headers: Record<string, string> = {}, changed: object = body) =>
      use().call({ method: 'POST', path: create, body: changed, headers });
    const status = async (id: string) => (await use().call({ path: `${read}/${id}/status` })).json;
    const decide = (id: string, decision: string) =>
      use().call({ method: 'POST', path: `/sandbox/consents/${id}/decision`, body: { decision } });

    it('is Received, with links and the place where the account holder decides', async () => {
      const answer = await post();
      const { consentId, consentStatus, _links } = created(answer);
      expect(consentStatus).toBe('Received');
      expect(_links.scaRedirect.href).toBe(`${use().url}/authorise/${consentId}`);
      expect(answer.headers.location).toBe(_links.self.href);
      expect(answer.headers['aspsp-sca-approach']).toBe('REDIRECT');
      expect(await status(consentId)).toEqual({ status: 'Received' });
      expect((await use().call({ path: new URL(_links.self.href).pathname })).status).toBe(200);
    });

    it('reads back what was sent', async () => {
      const { consentId } = created(await post());
      const record = (await use().call({ path: `${read}/${consentId}` })).json as {
        details: object;
        tpp: string;
      };
      expect(record).toMatchObject({
        id: consentId,
        tpp: 'demo-finance-app',
        consentStatus: 'Received',
        details: body,
      });
    });

    it('keeps the purpose beside the record, as one line of visible text', async () => {
      const purpose = `Σύγκριση «όλων» & <b>τιμών</b> ${'x'.repeat(109)}`;
      expect([...purpose]).toHaveLength(140);
      const { consentId } = created(await post({}, { ...body, purpose }));
      const { text } = await use().call({ path: `${read}/${consentId}` });
      expect(text).not.toMatch(/purpose|Σύγκριση/);
      const kept = await withStore(use(), (db) =>
        db.one('select purpose from consents where id = ?', [consentId]),
      );
      expect(kept).toEqual({ purpose });
      for (const bad of [
        `${purpose}x`,
        '',
        '  ',
        'a\nb',
        'a\u0085b',
        '\u202eabc',
        'a\u200bb',
        '\u2066a',
        7,
      ]) {
        const answer = await post({}, { ...body, purpose: bad });
        expect([answer.status, Object.keys((answer.json as { errors: object }).errors)]).toEqual([
          400,
          ['purpose'],
        ]);
      }
      expect((await post({}, { ...body, purpose: null })).status).toBe(201);
    });

    it('becomes Valid, Rejected or RevokedByPsu by its account holder, and stays readable', async () => {
      const approved = created(await post()).consentId;
      expect((await decide(approved, 'approve')).json).toEqual({ status: 'Valid' });
      expect(slugOf(await decide(approved, 'reject'))).toBe('state-conflict');
      expect((await decide(approved, 'revoke')).json).toEqual({ status: 'RevokedByPsu' });
      expect(await status(approved)).toEqual({ status: 'RevokedByPsu' });
      const refused = created(await post()).consentId;
      expect((await decide(refused, 'reject')).json).toEqual({ status: 'Rejected' });
      expect(await status(refused)).toEqual({ status: 'Rejected' });
    });

    it('is ended by its third party, once and for all, however often it is asked', async () => {
      const { consentId } = created(await post());
      const end = () => use().call({ method: 'DELETE', path: `${read}/${consentId}` });
      expect((await end()).status).toBe(204);
      expect((await end()).status).toBe(204);
      expect(await status(consentId)).toEqual({ status: 'TerminatedByTpp' });
      expect(slugOf(await decide(consentId, 'approve'))).toBe('state-conflict');
    });

    it('is ended by two deletions at once, and both are told so', async () => {
      const { consentId } = created(await post());
      const end = () => use().call({ method: 'DELETE', path: `${read}/${consentId}` });
      const answers = await Promise.all(Array.from({ length: 6 }, end));
      expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(204));
    });

    it('is not there for another application or account holder', async () => {
      const { consentId } = created(await post());
      for (const as of [{ application: 'demo-budget-app' }, { psu: 'nikos' }]) {
        for (const method of ['GET', 'DELETE']) {
          expect(slugOf(await use().call({ method, path: `${read}/${consentId}`, as }))).toBe(
            'resource-not-found',
          );
        }
      }
      expect(await status(consentId)).toEqual({ status: 'Received' });
    });

    it('takes redirect addresses only from the registered ones, to the letter', async () => {
      const good = 'https://demo-finance-app.example/callback';
      expect(
        (await post({ 'TPP-Redirect-URI': good, 'TPP-Nok-Redirect-URI': good, 'TPP-State': 'abc' })).status,
      ).toBe(201);
      for (const bad of [`${good}/`, `${good}?x=1`, 'https://evil.example', good.toUpperCase()]) {
        const answer = await post({ 'TPP-Nok-Redirect-URI': bad });
        expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
        expect(answer.json).toHaveProperty(['errors', 'header.TPP-Nok-Redirect-URI']);
      }
      expect((await post({ 'TPP-State': 'x'.repeat(257) })).status).toBe(400);
    });

    it('is made once for one X-Request-ID, with the same answer to the byte', async () => {
      const id = randomUUID();
      const answers = await Promise.all(Array.from({ length: 8 }, () => post({ 'X-Request-ID': id })));
      answers.push(await post({ 'X-Request-ID': id.toUpperCase() }));
      expect(new Set(answers.map(({ status: each }) => each))).toEqual(new Set([201]));
      expect(new Set(answers.slice(0, 8).map(({ text }) => text)).size).toBe(1);
      expect(slugOf(await post({ 'X-Request-ID': id }, { ...body, unknown: 1 }))).toBe('validation-failed');
      const other = JSON.stringify(body).replace(/}$/, ' }');
      const conflict = await use().call({
        method: 'POST',
        path: create,
        body: other,
        headers: { 'X-Request-ID': id },
      });
      expect(slugOf(conflict)).toBe('request-id-conflict');
    });

    it('is not stored where it was refused', async () => {
      const count = () =>
        withStore(use(), (db) => db.one<{ count: number }>('select count(*) as count from consents'));
      const before = await count();
      expect((await post({}, {})).status).toBe(400);
      expect((await post({ 'TPP-Redirect-URI': 'https://evil.example' })).status).toBe(400);
      expect(await count()).toEqual(before);
    });
  });
});
