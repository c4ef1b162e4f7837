/** Cases about the accounts of a person. */
import { check, minor } from '../case.js';
import { NOBODY } from '../client.js';
import { demand } from '../verdict.js';

export const accountCases = [
  check({
    id: 'accounts-listed',
    title: 'lists the accounts of a person',
    operation: 'findAccounts',
    hint: 'List every account the person may use, joint ones included, under the id that all other operations use.',
    needs: ['psuId', 'accountId'],
    run: async ({ core, subject: { psuId, accountId } }) => {
      const { accounts } = await core.answer('findAccounts', { params: { psuId } });
      demand(
        accounts.some(({ id }) => id === accountId),
        `account ${accountId} among them`,
        `${accounts.length} others`,
      );
    },
  }),
  check({
    id: 'accounts-echo',
    title: 'says whose accounts they are',
    operation: 'findAccounts',
    hint: 'Return the psuId of the path exactly as it was sent: an answer to another question is noticed by it.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const answer = await core.answer('findAccounts', { params: { psuId } });
      demand(answer.psuId === psuId, `psuId ${psuId}`, 'another psuId');
    },
  }),
  check({
    id: 'accounts-once',
    title: 'lists each account once, with a number that a payer can use',
    operation: 'findAccounts',
    hint: 'One entry for each currency, each with an id of its own, and with an iban or a bban.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const { accounts } = await core.answer('findAccounts', { params: { psuId } });
      const ids = new Set(accounts.map(({ id }) => id));
      demand(ids.size === accounts.length, 'each id once', `${ids.size} ids for ${accounts.length} entries`);
      const numberless = accounts.find(({ iban, bban }) => !iban && !bban);
      demand(numberless === undefined, 'an iban or a bban', `none at account ${numberless?.id}`);
    },
  }),
  check({
    id: 'accounts-of-others',
    title: 'never lists the account of another person',
    operation: 'findAccounts',
    hint: 'Filter by the person of the path; the person was authenticated, the account numbers of others were not.',
    needs: ['psuId', 'otherAccountId'],
    run: async ({ core, subject: { psuId, otherAccountId } }) => {
      const { accounts } = await core.answer('findAccounts', { params: { psuId } });
      demand(
        !accounts.some(({ id }) => id === otherAccountId),
        `no account ${otherAccountId}`,
        'it is listed',
      );
    },
  }),
  check({
    id: 'accounts-of-stranger',
    title: 'has no accounts of an unknown person',
    operation: 'findAccounts',
    hint: 'Answer 200 with an empty list; a 404 here would be taken for a fault of your core.',
    run: async ({ core }) => {
      const { accounts } = await core.answer('findAccounts', { params: { psuId: NOBODY } });
      demand(accounts.length === 0, 'an empty list', `${accounts.length} accounts`);
    },
  }),
  check({
    id: 'accounts-text',
    title: 'keeps every letter of a name',
    operation: 'findAccounts',
    hint: 'Names are UTF-8 from your database to the wire; look for a conversion to Latin-1 or to code page 1253.',
    needs: ['psuId', 'accountId', 'ownerName'],
    run: async ({ core, subject: { psuId, accountId, ownerName } }) => {
      const { accounts } = await core.answer('findAccounts', { params: { psuId } });
      const owner = accounts.find(({ id }) => id === accountId)?.ownerName ?? '';
      const isThere = owner.normalize('NFC').includes(ownerName.normalize('NFC'));
      demand(isThere, `the ownerName of the subject at account ${accountId}`, 'another name');
    },
  }),
  check({
    id: 'accounts-amounts',
    title: 'has balances with the decimals of their currency',
    operation: 'findAccounts',
    hint: 'Write amounts from integers of minor units: "12.50" in EUR, "1250" in JPY, "12.500" in KWD.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const { accounts } = await core.answer('findAccounts', { params: { psuId } });
      for (const { balance, currency } of accounts) minor(balance, currency, 'findAccounts');
    },
  }),
];
