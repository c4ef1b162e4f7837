/** The snapshot of the register that is kept, and what third parties lose with a new one. Call within a transaction. */
import { DAY, type RealTime } from '../../lib/clock.js';
import { instantText } from '../../lib/instant.js';
import type { Role } from '../../model/caller.js';
import type { Queries } from '../../store/db.js';
import { jsonColumn, listOf, text } from '../../store/json-column.js';
import { RegistryError } from '../registry.js';
import { bumpVersion } from '../version.js';
import { narrowToRoles, withdrawTpp } from '../withdrawal.js';
import { entryOf, numberOf, type RegisterEntity, type RegisterEntry } from './register.js';

const namesColumn = jsonColumn<readonly string[]>('register_entities.names', listOf(text));

const CLEAR = 'delete from register_entities';
const INSERT_ENTITY = `
  insert into register_entities (country, reference, authority, type, names, roles, authorised, changed_on)
  values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (country, reference, authority, type) do nothing`;

const NEWEST = 'select max(changed_on) as day from register_entities where changed_on <= ?';
/** The register changes every day. */
const MAX_AGE_MS = 60 * DAY;

const dayOf = (at: number): string => instantText(at).slice(0, 10);

/** The snapshot has no number: what it says of its newest change does. A day in the future is a mistake. */
const refuseOld = async (
  tx: Queries,
  entities: readonly RegisterEntity[],
  nowMs: RealTime,
): Promise<void> => {
  const today = dayOf(nowMs);
  const days = entities.map(({ changedOn }) => changedOn).filter((day) => day <= today);
  const newest = days.toSorted().at(-1) ?? '';
  const kept = await tx.one<{ day: string | null }>(NEWEST, [today]);
  if (newest < (kept?.day ?? ''))
    throw new RegistryError(
      `the register is older (last change ${newest}) than the one that is kept (${kept?.day}): download it anew`,
    );
  if (newest < dayOf(nowMs - MAX_AGE_MS))
    throw new RegistryError(`the register is too old (last change ${newest}): download it anew`);
};

/** In place of the one before. */
export const putRegister = async (
  tx: Queries,
  entities: readonly RegisterEntity[],
  nowMs: RealTime,
): Promise<void> => {
  await refuseOld(tx, entities, nowMs);
  await tx.run(CLEAR);
  for (const { country, reference, authority, type, names, roles, isAuthorised, changedOn } of entities)
    await tx.run(INSERT_ENTITY, [
      ...[country, reference, authority, type, namesColumn.write(names), roles.join(' ')],
      ...[isAuthorised ? 1 : 0, changedOn],
    ]);
};

interface EntityRow extends Omit<RegisterEntity, 'names' | 'roles' | 'isAuthorised'> {
  readonly names: string;
  readonly roles: string;
  readonly authorised: number;
}

const FIND_ENTITIES = `
  select country, reference, authority, type, names, roles, authorised, changed_on as "changedOn"
  from register_entities where country = ? and reference = ? limit 100`;

/** Undefined if the register does not have this third party, or was never read. */
export const findInRegister = async (
  db: Queries,
  registration: string,
): Promise<RegisterEntry | undefined> => {
  const number = numberOf(registration);
  if (!number) return undefined;
  const rows = await db.all<EntityRow>(FIND_ENTITIES, [number.country, number.reference]);
  const entities = rows.map(({ names, roles, authorised, ...row }) => ({
    ...row,
    names: namesColumn.read(names),
    roles: roles.split(' ') as Role[],
    isAuthorised: authorised === 1,
  }));
  return entryOf(number, entities);
};

const SET_ROLES = 'update tpps set roles = ? where id = ?';
const RESTORE = `
  update tpps set status = 'active', withdrawn_for = null where id = ? and withdrawn_for like 'register-%'`;

/** What happens to a third party: it is withdrawn, keeps these roles, or comes back. */
export type RegisterAct =
  | { readonly withdrawFor: 'register-ended' | 'register-no-service' }
  | { readonly keepRoles: readonly Role[] }
  | { readonly restore: true };

/** False if it was done before. Acts on every node within five seconds. */
export const actByRegister = async (tx: Queries, id: string, act: RegisterAct): Promise<boolean> => {
  if ('withdrawFor' in act) return withdrawTpp(tx, id, act.withdrawFor);
  await bumpVersion(tx);
  if ('restore' in act) return (await tx.run(RESTORE, [id])) > 0;
  await tx.run(SET_ROLES, [act.keepRoles.join(' '), id]);
  await narrowToRoles(tx, id, act.keepRoles);
  return true;
};
