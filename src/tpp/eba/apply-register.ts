/** Holds the third parties against a snapshot of the EBA's register. Each step is an act with its row in the audit log. */
import { basename } from 'node:path';
import { type AnyAct, act, type Context } from '../../acts/act.js';
import { given } from '../../acts/field.js';
import { runAct } from '../../acts/run-act.js';
import { listTpps } from '../listing.js';
import { texts } from '../texts.js';
import { compareWithRegister, type RegisterReport, readRegister } from './check-register.js';
import type { RegisterEntity } from './register.js';
import { actByRegister, putRegister, type RegisterAct } from './stored-register.js';

export interface RegisterWish {
  readonly path: string;
  /** Of the bank: services are authorised for each country. */
  readonly country: string;
  /** Else nothing is written. */
  readonly isApplied: boolean;
}

const applyRegister = act({
  name: 'register.apply',
  about: 'existing',
  roles: [],
  texts,
  input: { country: given<string>(), entities: given<readonly RegisterEntity[]>() },
  audited: ['country'],
  async run(tx, { input: { entities }, now }) {
    await putRegister(tx, entities, now);
    return entities.length;
  },
  facts: (entities) => ({ entities }),
});

const nameOf = (step: RegisterAct): AnyAct['name'] => {
  if ('withdrawFor' in step) return 'tpp.withdraw';
  return 'restore' in step ? 'tpp.resume' : 'tpp.roles';
};

const changeTpp = (step: RegisterAct) =>
  act({
    name: nameOf(step),
    about: 'existing',
    roles: [],
    texts,
    input: { register: given<string>() },
    audited: ['register'],
    run: (tx, { id }) => actByRegister(tx, id, step),
    subject: (id, isDone) => (isDone ? `tpp:${id}` : undefined),
  });

/** If it is applied, the snapshot is kept for registrations too. */
export const checkRegister = async (
  context: Context,
  { path, country, isApplied }: RegisterWish,
): Promise<RegisterReport> => {
  const entities = await readRegister(path, country);
  const findings = compareWithRegister(await listTpps(context.db), entities, country);
  const report = { entities: entities.length, findings };
  if (!isApplied) return report;
  await runAct(context, applyRegister, basename(path), { country, entities });
  for (const { id, finding, act: step } of findings)
    if (step) await runAct(context, changeTpp(step), id, { register: finding });
  return report;
};
