/** A snapshot of the EBA's register: who is no longer in it as the bank knows it loses what is gone, and comes in no more. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DAY } from '../../src/lib/clock.js';
import { entitiesIn, entryOf, isSameName, numberOf } from '../../src/tpp/eba/register.js';
import {
  approvedConsent,
  ask,
  askFunds,
  metadata,
  newParty,
  ownPath,
  type Party,
  register,
  sealOf,
  verdict,
} from '../api/registration/support.js';
import { engines } from '../support/engines.js';
import { notice, suspend } from '../support/registry.js';
import { useService, withStore } from '../support/use-service.js';

/** As the EBA writes it: one property in each object, and a list of one as a plain value. */
const entity = (
  { name, registration }: Party,
  services: Readonly<Record<string, unknown>>,
  dates: unknown = '2020-01-15',
): object => ({
  CA_OwnerID: 'GR_BOG',
  EntityCode: `PSD_PI!${registration}`,
  EntityType: 'PSD_PI',
  Properties: [
    { ENT_NAT_REF_COD: registration.split('-')[2] },
    { ENT_NAM: [name, 'In Latin letters'] },
    { ENT_COU_RES: 'GR' },
    { ENT_AUT: dates },
  ],
  Services: Object.entries(services).map(([country, codes]) => ({ [country]: codes })),
});

const ALL = ['PS_010', 'PS_05A', 'PS_070', 'PS_080'];
const agent = { ...entity(newParty(), { GR: ALL }), EntityType: 'PSD_AG' };

describe('the register of the EBA', () => {
  it('is read in the forms that occur', () => {
    const party = { name: 'Χ ΑΕ', registration: 'PSDGR-BOG-0-12' };
    const properties = {
      ENT_NAT_REF_COD: '0-12',
      ENT_NAM: 'Χ ΑΕ',
      ENT_AUT: ['2020-01-15', '2021-01-01', '2022-02-02'],
    };
    const flat = {
      CA_OwnerID: 'EL_B.O.G',
      EntityType: 'PSD_EMI',
      Properties: properties,
      Services: { GR: 'PS_080' },
    };
    const parsed = [
      [{ disclaimer: 'no legal significance' }],
      [flat, agent, { EntityType: 'PSD_PI' }, 7, null],
    ];
    const entities = entitiesIn(parsed, 'GR');
    expect(entities).toHaveLength(1);
    const number = numberOf(party.registration);
    expect(number && entryOf(number, entities)).toEqual({
      ...{ names: ['Χ ΑΕ'], roles: ['PSP_AI'], isAuthorised: true, changedOn: '2022-02-02' },
    });
    for (const other of ['PSDGR-BOG-13', 'PSDCY-BOG-0-12']) {
      const stranger = numberOf(other);
      expect(stranger && entryOf(stranger, entities)).toBeUndefined();
    }
    expect(numberOf('VATGR-12345')).toBeUndefined();
    expect(isSameName('Πληρωμές Α.Ε.', ['ΠΛΗΡΩΜΕΣ ΑΕ'])).toBe(true);
  });
});

describe.each(engines)('third parties and the register on %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'trapeza-register-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const use = useService({ engine });
  /** Somebody else had a change on that day, or days ago. */
  const check = (entities: readonly object[], isApplied: boolean, daysAgo = 0) => {
    const path = join(folder, 'register.json');
    const day = new Date(use().clock.now() - daysAgo * DAY).toISOString().slice(0, 10);
    const other = entity({ name: 'Other', registration: 'PSDGR-BOG-0' }, { GR: ALL }, day);
    writeFileSync(path, JSON.stringify([[{ disclaimer: '' }], [...entities, other]]));
    const admin = use().app.admin.as({ actor: 'cli:test', reason: 'register of today' });
    return admin.checkRegister({ path, country: 'GR', isApplied });
  };
  const findingsOf = ({ findings }: Awaited<ReturnType<typeof check>>, party: Party) =>
    findings.filter(({ registration }) => registration === party.registration);
  const enter = async (party: Party) => {
    const seal = await sealOf(use(), party);
    return { seal, made: await register(use(), seal) };
  };

  it('withdraws who is no longer authorised, and has it back; without --apply it only says so', async () => {
    const service = use();
    const party = newParty();
    const { made, seal } = await enter(party);
    await approvedConsent(service, made);
    const ended = [entity(party, { GR: ALL }, ['2020-01-15', '2026-02-03'])];
    expect(findingsOf(await check(ended, false), party)).toMatchObject([
      { finding: 'its authorisation ended on 2026-02-03', act: { withdrawFor: 'register-ended' } },
    ]);
    notice(service);
    expect((await askFunds(service, made)).status).toBe(200);
    await check(ended, true);
    notice(service);
    expect(verdict(await askFunds(service, made))).toBe('403 access-blocked SERVICE_BLOCKED');
    const put = { method: 'PUT', path: ownPath(made) };
    expect(verdict(await ask(service, seal, put))).toBe('403 access-blocked SERVICE_BLOCKED');
    await check([entity(party, { GR: ALL })], true);
    notice(service);
    expect((await askFunds(service, made)).json).toEqual({ fundsAvailable: true });
    const acts = `select act, actor, reason from audit_log where subject like 'tpp:%' and act in ('tpp.withdraw', 'tpp.resume') order by position`;
    const row = { actor: 'cli:test', reason: 'register of today' };
    expect(await withStore(service, (db) => db.all(acts))).toEqual([
      { act: 'tpp.withdraw', ...row },
      { act: 'tpp.resume', ...row },
    ]);
  });

  it('takes away the product of a role that the register has elsewhere only, and says which name it has', async () => {
    const service = use();
    const [party, renamed, bank] = [newParty(), newParty(), newParty()];
    const { made, seal } = await enter(party);
    await enter(renamed);
    await enter(bank);
    const entities = [
      entity(party, { GR: ['PS_05A', 'PS_070'], CY: ALL }),
      entity({ ...renamed, name: 'Another' }, { GR: ALL }),
    ];
    const report = await check(entities, true);
    expect(findingsOf(report, party)).toMatchObject([{ finding: 'PSP_AI is not in the register for GR' }]);
    expect(findingsOf(report, renamed)).toMatchObject([
      { finding: 'the register has the name Another / In Latin letters', act: undefined },
    ]);
    expect(findingsOf(report, bank)).toMatchObject([
      { finding: 'it is not in this register, as every bank', act: undefined },
    ]);
    const own = async () => (await ask(service, seal, { method: 'GET', path: ownPath(made) })).json;
    expect(await own()).toMatchObject({ scope: 'piis pis', organisation: { roles: ['PSP_IC', 'PSP_PI'] } });
    const put = { method: 'PUT', path: ownPath(made), body: { ...metadata, scope: 'ais' } };
    expect(verdict(await ask(service, seal, put))).toBe('403 role-not-permitted ROLE_INVALID');
    expect(await own()).toMatchObject({ scope: 'piis pis' });
  });

  it('is held against a registration: a newcomer comes in with the roles that the register has, or not at all', async () => {
    const service = use();
    const [reader, ended, abroad, bank] = [newParty(), newParty(), newParty(), newParty()];
    await check(
      [
        entity(reader, { GR: 'PS_080' }),
        entity(ended, { GR: ALL }, ['2020-01-15', '2026-02-03']),
        entity(abroad, { CY: ALL }),
      ],
      true,
    );
    const come = async (party: Party) => ask(service, await sealOf(service, party));
    expect(await come(reader)).toMatchObject({ status: 201, json: { scope: 'ais' } });
    for (const party of [ended, abroad]) {
      expect(verdict(await come(party))).toBe('403 role-not-permitted ROLE_INVALID');
      const count = 'select id from tpps where registration = ?';
      expect(await withStore(service, (db) => db.all(count, [party.registration]))).toEqual([]);
    }
    expect((await come(bank)).status).toBe(201);
  });

  it('is refused if it is older than the one that is kept, or than two months', async () => {
    const service = use();
    service.clock.advance(3 * DAY);
    const party = newParty();
    const { made } = await enter(party);
    await expect(check([], true, 61)).rejects.toThrow(/too old|older/);
    await check([entity(party, { CY: ALL })], true, 1);
    notice(service);
    expect(verdict(await askFunds(service, made))).toBe('403 access-blocked SERVICE_BLOCKED');
    // Yesterday's but one would bring the third party back.
    await expect(check([entity(party, { GR: ALL })], true, 2)).rejects.toThrow(/older \(last change/);
    notice(service);
    expect(verdict(await askFunds(service, made))).toBe('403 access-blocked SERVICE_BLOCKED');
  });

  it('does not bring back whom an operator has suspended meanwhile', async () => {
    const service = use();
    const party = newParty();
    const { made, seal } = await enter(party);
    await check([entity(party, { CY: ALL })], true);
    const find = 'select id from tpps where registration = ?';
    const tpp = await withStore(service, (db) => db.one<{ id: string }>(find, [party.registration]));
    await suspend(service, 'tpp', tpp?.id ?? '');
    await check([entity(party, { GR: ALL })], true);
    notice(service);
    expect(verdict(await askFunds(service, made))).toBe('403 access-blocked SERVICE_BLOCKED');
    const put = { method: 'PUT', path: ownPath(made) };
    expect(verdict(await ask(service, seal, put))).toBe('403 access-blocked SERVICE_BLOCKED');
  });
});
