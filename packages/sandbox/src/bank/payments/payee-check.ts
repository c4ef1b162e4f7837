/** Whether an account of the demo bank has the name of the payee. Of accounts at other banks it knows nothing. */
import type { PayeeCheck, Transfer } from 'trapeza/bank';
import { normalBban, normalIban, normalMsisdn, type Queries } from 'trapeza/base';

const OWNERS = `
  select distinct p.name from demo_accounts a
    join demo_holders h on h.account_id = a.id join demo_psus p on p.id = h.psu_id
  where a.role = 'customer' and (a.iban = ? or a.bban = ? or a.msisdn = ?) order by p.name`;

/** Without case, accents, punctuation and the order of first and last name. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .toSorted()
    .join(' ');

/** How many letters must be added, left out or changed. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + Number(letter !== other)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
};

const CLOSE = 2;

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
  const wanted = plain(creditorName);
  if (owners.some(({ name }) => plain(name) === wanted)) return { result: 'match' };
  const close = owners.find(({ name }) => distance(plain(name), wanted) <= CLOSE);
  return close ? { result: 'close', name: close.name } : { result: 'no-match' };
};
