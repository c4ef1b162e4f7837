/** Consents that the bank ends by hand: for the hotline, a court, a death. */
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, jsonOf, runCommand, type Variables } from '../cli/program.js';
import { approved, consentStatus, OTHER_BANK, orderIn, stage, submit } from '../payment/support.js';
import { engines, racingEngines } from '../support/engines.js';
import { EVENTS, FUNDS, fundsBody, ibanOf, psuId } from '../support/operations.js';
import { useService } from '../support/use-service.js';

afterAll(cleanUp);

const act = { by: 'operator 7', why: 'court order 12' };

describe.each(engines)('a consent that the bank ends on %s', (engine) => {
  const use = useService({ engine });
  const end = (id: string) => use().app.admin.endConsent(id, act);

  it('is Expired, or Rejected if nobody had decided, with the reason for reader and event', async () => {
    const valid = await approved(use());
    const undecided = (await stage(use())).json as { consentId: string };
    expect([await end(valid), await end(undecided.consentId)]).toEqual(['ended', 'ended']);
    expect([await consentStatus(use(), valid), await consentStatus(use(), undecided.consentId)]).toEqual([
      'Expired',
      'Rejected',
    ]);
    expect((await submit(use(), valid)).json).toMatchObject({
      status: 403,
      extensions: { consent: { status: 'Expired', statusReason: 'ended-by-bank' } },
    });
    const { json } = await use().call({ method: 'GET', path: EVENTS });
    expect((json as { events: object[] }).events).toContainEqual(
      expect.objectContaining({ consentId: valid, consentStatus: 'Expired', statusReason: 'ended-by-bank' }),
    );
    expect([await end(valid), await end(crypto.randomUUID()), await end('nonsense')]).toEqual([
      'over',
      'unknown',
      'unknown',
    ]);
  });

  it('confirms no funds any more', async () => {
    const [consent] = (await use().app.admin.consents({ account: ibanOf('eleni', 101) })).filter(
      ({ kind, status, psuId: whose }) =>
        kind === 'ConfirmationOfFunds' && status === 'Valid' && whose === psuId('eleni'),
    );
    const ask = () => use().call({ method: 'POST', path: FUNDS, body: fundsBody() });
    expect((await ask()).status).toBe(200);
    expect(await end(consent?.id ?? '')).toBe('ended');
    expect((await ask()).status).toBe(403);
  });

  it('is left to its payment once that was submitted', async () => {
    const id = await approved(use(), { body: { creditAccount: { iban: OTHER_BANK } } });
    expect(orderIn(await submit(use(), id)).transactionStatus).toBe('ACSP');
    expect([await end(id), await consentStatus(use(), id)]).toEqual(['submitted', 'Valid']);
  });
});

const racing = racingEngines(
  'a submission and the end by the bank take one consent: PostgreSQL decides by the row, SQLite by its one writer',
);

describe.each(racing)('a consent at the moment of its payment on %s', (engine) => {
  const use = useService({ engine });
  const end = (id: string) => use().app.admin.endConsent(id, act);

  it('is either paid or ended if both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await approved(use());
      const [answer, outcome] = await Promise.all([submit(use(), id), end(id)]);
      const isPaid = answer.status === 201;
      expect([answer.status, outcome]).toEqual(
        isPaid ? [201, expect.stringMatching(/^(submitted|over)$/)] : [403, 'ended'],
      );
    }
  });
});

describe('trapeza consents', () => {
  const use = useService();
  const run = (...args: string[]) => {
    const env: Variables = { DATABASE_URL: use().databaseUrl };
    return runCommand(['consents', ...args], { env });
  };
  const flags = ['--by', act.by, '--reason', act.why];

  it('lists those of a person or of an account, shows one, ends it, and keeps who and why', async () => {
    const id = await approved(use());
    const ofPerson = jsonOf<{ id: string }[]>(await run('list', '--psu', 'eleni', '--json'));
    const iban = ibanOf('eleni', 101).replace(/(.{4})/g, '$1 ');
    const ofAccount = jsonOf<{ id: string }[]>(await run('list', '--account', iban, '--json'));
    for (const rows of [ofPerson, ofAccount]) expect(rows).toContainEqual(expect.objectContaining({ id }));
    expect(await run('end', id, ...flags)).toMatchObject({ code: 0, stdout: `${id} ended\n` });
    expect(jsonOf(await run('show', id))).toMatchObject({
      accountHolder: psuId('eleni'),
      status: 'Expired',
      notes: [{ note: 'operator 7: court order 12' }],
    });
    expect((await run('list', '--psu', 'eleni')).stdout).not.toContain(id);
    expect((await run('list', '--psu', 'eleni', '--all')).stdout).toContain(id);
  });

  it('ends everything of a person at once, a payment under way excepted', async () => {
    const open = await approved(use());
    const paying = await approved(use(), { body: { creditAccount: { iban: OTHER_BANK } } });
    await submit(use(), paying);
    const { code, stdout } = await run('end', '--psu', 'eleni', ...flags);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${open} ended\n`)]);
    expect(stdout).toContain(`${paying} not ended: its payment is under way`);
    const left = jsonOf<{ id: string }[]>(await run('list', '--psu', 'eleni', '--json'));
    expect(left.map(({ id }) => id)).not.toContain(open);
  });

  it.each([
    [['list'], 'either --psu or --account'],
    [['list', '--psu', 'eleni', '--account', 'GR1'], 'either --psu or --account'],
    [['end', ...flags], 'the id of one consent, or --psu or --account'],
    [['end', crypto.randomUUID(), '--by', ' ', '--reason', 'x'], '--by has 1 to 140 characters'],
    [['show', 'nothing'], 'there is no consent nothing'],
  ])('%j is explained', async (args, words) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  });
});
