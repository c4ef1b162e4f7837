/** Questions about funds. */
import type { Mutant } from '../mutant.js';

export const funds: readonly Mutant[] = [
  {
    id: 'F1',
    in: 'confirm',
    find: "if ($call.isLate()) { await $parts.records.keepNote($note); throw new Problem('processing-timeout'); }",
    replace: '',
    killedBy: ['api/confirm-funds-repeats.test.ts > an answer that came too late leaves no record'],
    means: 'the record of an answer that nobody was given',
  },
  {
    id: 'F2',
    in: 'commonAccount',
    find: '$named.every(($accounts) => $accounts.has(accountOf($each)))',
    replace: '$named.some(($accounts) => $accounts.has(accountOf($each)))',
    killedBy: ['consent/covers.test.ts > of different accounts of the caller are a conflict'],
    means: 'a card and an IBAN of two accounts confirm the funds of one of them',
  },
  {
    id: 'F3',
    in: 'coveredAccounts',
    find: '$b.createdAt - $a.createdAt',
    replace: '$a.createdAt - $b.createdAt',
    killedBy: ['consent/covers.test.ts > is told by the newest one, in whatever order'],
    means: 'the status of an old consent is told',
  },
  {
    id: 'F6',
    in: 'pickAccount',
    find: '$accounts.find(($account) => $account.currency === $currency)',
    replace: '$accounts.find(($account) => $account.currency === $currency) ?? $accounts[0]',
    killedBy: ['api/confirm-funds.test.ts > confirms funds only in the currency of the account'],
    means: 'dollars are compared with euros',
  },
  {
    id: 'F8',
    in: 'confirm',
    find: "$parts.vault.marks('card-number', normalCard($cardNumber))",
    replace: "[$parts.vault.mark('card-number', normalCard($cardNumber))]",
    killedBy: ['api/confirm-funds-consents.test.ts > a card is found after three changes of the secret'],
    means: 'after a change of TRAPEZA_SECRET no card is found any more',
  },
  {
    id: 'N22',
    in: 'stillHeld',
    find: '$covered.filter(($_, $index) => $verdicts[$index])',
    replace: '$covered',
    killedBy: [
      'attacks/holders/whose-account.test.ts > funds of it are those of an account that no consent covers',
    ],
    means: 'funds of an account are told to who held it once',
  },
  {
    id: 'N23',
    in: 'minorAmount',
    find: 'amountFault($amount, $currency) !== undefined',
    replace: '$amount < 0',
    killedBy: ['api/confirm-funds.test.ts > checks the decimals of a null currency'],
    means: 'an amount that the currency does not have is a 500',
  },
  {
    id: 'N24',
    in: 'validOnes',
    find: "statusAt($each, $bankNow) === 'Valid'",
    replace: "$each.status === 'Valid'",
    killedBy: ['consent/covers.test.ts > counts as what time has made of it'],
    means: 'an expired consent confirms funds until a job writes that down',
  },
  {
    id: 'N25',
    in: 'inCurrency',
    find: '$each.currency === null || $each.currency === $currency',
    replace: '$each.currency === $currency',
    killedBy: ['consent/covers.test.ts > without currency covers every sub-account'],
    means: 'a consent for the whole account does not cover its currencies',
  },
];
