/** Whether an account of the demo bank has the name of the payee. Of accounts at other banks it knows nothing. */
import type { PayeeCheck, Transfer } from 'trapeza/bank';
import { normalBban, normalIban, normalMsisdn, type Queries } from 'trapeza/base';
import { compareNames } from './payee-names.js';

const OWNERS = `
  select distinct p.name from demo_accounts a
    join demo_holders h on h.account_id = a.id join demo_psus p on p.id = h.psu_id
  where a.role = 'customer' and (a.iban = ? or a.bban = ? or a.msisdn = ?) order by p.name`;

export const checkPayee = async (
  db: Queries,
  { creditAccount }: Transfer,
  creditorName: string,
): Promise<PayeeCheck> => {
  const { iban, bban, msisdn } = creditAccount;
  const owners = await db.all<{ name: string }>(OWNERS, [
    iban ? normalIban(iban) : null,
    bban ? normalBban(bban) : null,
    msisdn ? normalMsisdn(msisdn) : null,
  ]);
  if (owners.length === 0) return { result: 'unavailable' };
  const verdicts = owners.map(({ name }) => ({ name, result: compareNames(name, creditorName) }));
  if (verdicts.some(({ result }) => result === 'match')) return { result: 'match' };
  const close = verdicts.find(({ result }) => result === 'close');
  return close ? { result: 'close', name: close.name } : { result: 'no-match' };
};
